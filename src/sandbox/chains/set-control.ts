import type { z } from 'zod';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { CONTROLS } from '../../contract/chain-controls.ts';
import { Refusal, refusals } from '../../contract/refusals.ts';
import type { EthereumControls, SandboxDeps, XrplControls } from '../deps.ts';
import { headOf } from './head.ts';
import { startOver } from './resume.ts';

type Actions<S extends AssetSymbol, ChainControls> = {
  readonly [K in keyof (typeof CONTROLS)[S]]: (
    controls: ChainControls,
    parameters: z.output<Extract<(typeof CONTROLS)[S][K], z.ZodType>>,
  ) => unknown;
};

const ETHEREUM: Actions<'ETH', EthereumControls> = {
  mine: (node, { blocks = 1 }) => node.mine(blocks),
  reorg: (node, { depth, moved = false }) => node.reorg(depth, moved),
  async drop(node, { txHash }) {
    if (!(await node.drop(txHash))) throw new Error('no transaction of this hash waits for a block');
  },
  hold: (node, { on }) => node.hold(on),
  'fee-spike': (node, { baseFee }) => node.feeSpike(BigInt(baseFee)),
  'start-over': node => node.startOver(),
};

const XRPL: Actions<'XRP', XrplControls> = {
  close: ledger => ledger.close(),
  hold: (ledger, { on }) => ledger.hold(on),
  drop: ledger => ledger.dropNext(),
  delay: (ledger, { closes }) => ledger.delayNext(closes),
  reorder: ledger => ledger.reorderNextClose(),
  'load-factor': (ledger, { factor }) => ledger.loadFactor(factor),
  'forget-history': (ledger, { upTo }) => ledger.forgetHistory(upTo),
  'start-over': ledger => ledger.startOver(),
};

type Action = (controls: unknown, parameters: object) => unknown;
const ACTIONS = { ETH: ETHEREUM, XRP: XRPL } as Record<AssetSymbol, Record<string, Action>>;

/** Refuses a chain control that does not exist. Throws `Refusal`. */
export function refuseControl(deps: SandboxDeps, symbol: string, control: string): never {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  embedded(deps, symbol);
  throw refusals.notFound(`ChainControl(${control.slice(0, 64)})`, Object.keys(CONTROLS[symbol]));
}

function embedded(deps: SandboxDeps, symbol: AssetSymbol) {
  const network = deps.networks[symbol];
  if (!network.controls) throw refusals.embeddedOnly();
  return network;
}

/** Turns a chain control of an embedded chain, then lets the robot read the result. Throws `Refusal`. */
export async function setControl(deps: SandboxDeps, symbol: AssetSymbol, control: string, parameters: object) {
  const network = embedded(deps, symbol);
  const action = ACTIONS[symbol][control]!;
  const turn = async () => action(await network.controls!(), parameters);
  try {
    await (control === 'start-over' ? startOver(deps, symbol, turn) : turn());
  } catch (error) {
    if (error instanceof Refusal) throw error;
    const [field = 'body'] = Object.keys(parameters);
    throw refusals.chainRefused(field, `was refused by the chain: ${(error as Error).message}`);
  }
  await network.sync();
  return { symbol, control, head: await headOf(network) };
}
