import { ASSETS, type AssetSymbol } from '../contract/assets.ts';
import { accountOf } from '../contract/customers.ts';
import { personsOf } from '../contract/persons.ts';
import { json } from './evidence.ts';
import { runSymbols } from './run-symbols.ts';
import type { RunWorld } from './world.ts';

/** WIRE-6.3: nobody has listed the names of networks. These are common, too. */
const OTHER_NAMES: Readonly<Record<AssetSymbol, readonly string[]>> = { ETH: ['ETH'], XRP: ['XRPL', 'XRP'] };

/** The questions of the run name the network as the VASP knows it. */
export async function learnNetworks(world: RunWorld): Promise<void> {
  if (world.target.url('verifyAccount') === undefined) return;
  await Promise.all(runSymbols(world).map(symbol => learn(world, symbol)));
}

async function learn(world: RunWorld, symbol: AssetSymbol): Promise<void> {
  const customer = world.customers?.customers.find(each => accountOf(each, symbol) !== undefined);
  if (!customer) return;
  const beneficiary = { beneficiaryPersons: personsOf(customer), accountNumber: [accountOf(customer, symbol)!] };
  for (const network of [...ASSETS[symbol].networks, ...OTHER_NAMES[symbol]]) {
    const question = { originatingVaspId: world.robotVaspId, symbol, network, ivms101: { beneficiary } };
    const id = await world.target.post('verifyAccount', JSON.stringify(question));
    const [exchange] = world.exchanges.after(world.vaspId, { after: id - 1, limit: 1 });
    if (json(exchange?.response ?? null)?.reason === 'UNKNOWN-NETWORK') continue;
    world.networkOf.set(symbol, network);
    return;
  }
}
