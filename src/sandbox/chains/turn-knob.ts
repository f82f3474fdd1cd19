import type { z } from 'zod';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { KNOBS } from '../../contract/knobs.ts';
import { Refusal, refusals } from '../../contract/refusals.ts';
import type { EthereumKnobs, SandboxDeps, XrplKnobs } from '../deps.ts';
import { headOf } from './head.ts';
import { startOver } from './resume.ts';

type Deps = Pick<SandboxDeps, 'db' | 'enclave' | 'networks' | 'robot'>;

type Actions<S extends AssetSymbol, Knobs> = {
  readonly [K in keyof (typeof KNOBS)[S]]: (
    knobs: Knobs,
    parameters: z.output<Extract<(typeof KNOBS)[S][K], z.ZodType>>,
  ) => unknown;
};

const ETHEREUM: Actions<'ETH', EthereumKnobs> = {
  mine: (node, { blocks = 1 }) => node.mine(blocks),
  reorg: (node, { depth, moved = false }) => node.reorg(depth, moved),
  async drop(node, { txHash }) {
    if (!(await node.drop(txHash))) throw new Error('no transaction of this hash waits for a block');
  },
  hold: (node, { on }) => node.hold(on),
  'fee-spike': (node, { baseFee }) => node.feeSpike(BigInt(baseFee)),
  'start-over': node => node.startOver(),
};

const XRPL: Actions<'XRP', XrplKnobs> = {
  close: ledger => ledger.close(),
  hold: (ledger, { on }) => ledger.hold(on),
  drop: ledger => ledger.dropNext(),
  delay: (ledger, { closes }) => ledger.delayNext(closes),
  reorder: ledger => ledger.reorderNextClose(),
  'load-factor': (ledger, { factor }) => ledger.loadFactor(factor),
  'forget-history': (ledger, { upTo }) => ledger.forgetHistory(upTo),
  'start-over': ledger => ledger.startOver(),
};

type Action = (knobs: unknown, parameters: object) => unknown;
const ACTIONS = { ETH: ETHEREUM, XRP: XRPL } as Record<AssetSymbol, Record<string, Action>>;

/** Refuses a knob that does not exist. Throws `Refusal`. */
export function refuseKnob(deps: Deps, symbol: string, knob: string): never {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  embedded(deps, symbol);
  throw refusals.notFound(`Knob(${knob.slice(0, 64)})`, Object.keys(KNOBS[symbol]));
}

function embedded(deps: Deps, symbol: AssetSymbol) {
  const network = deps.networks[symbol];
  if (!network.knobs) throw refusals.embeddedOnly();
  return network;
}

/** Turns a knob of an embedded chain, then lets the robot read the result. Throws `Refusal`. */
export async function turnKnob(deps: Deps, symbol: AssetSymbol, knob: string, parameters: object) {
  const network = embedded(deps, symbol);
  const action = ACTIONS[symbol][knob]!;
  const turn = async () => action(await network.knobs!(), parameters);
  try {
    await (knob === 'start-over' ? startOver(deps, symbol, turn) : turn());
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const [field = 'body'] = Object.keys(parameters);
    throw refusals.chainRefused(field, `was refused by the chain: ${(error as Error).message}`);
  }
  await network.sync();
  return { symbol, knob, head: await headOf(network) };
}
