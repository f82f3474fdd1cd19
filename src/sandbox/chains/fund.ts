import type * as z from 'zod';
import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { SandboxDeps } from '../deps.ts';
import type { FaucetRequest } from './schema.ts';

/** Funds an address on an embedded chain, or lets a payment to it fail. Resolves when the transfer is final, or waits in a held one. Throws `Refusal`. */
export async function fundAddress(
  deps: SandboxDeps,
  { symbol, address, amount, fails = false }: z.output<typeof FaucetRequest>,
) {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const network = deps.networks[symbol];
  if (!network.fund) throw refusals.embeddedOnly();
  const units = parseUnits(amount, ASSETS[symbol].decimals);
  if (typeof units !== 'bigint')
    throw refusals.invalidField('amount', `should have at most ${ASSETS[symbol].decimals} decimals`);
  const to = (await network.chain()).parseAddress(address);
  if (!to) throw refusals.unknownAddress('address', `should be an address of ${symbol}`);
  const funded = await network.fund(to.account, to.tag, units, { fails });
  if (funded.refused !== undefined) throw refusals.chainRefused('amount', `was refused: ${funded.refused}`);
  return { txHash: funded.txHash };
}
