import { type Chain, ChainUnreachable, type Cursor } from '../../chains/port.ts';
import { type AssetSymbol, addressText, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import { write } from '../../db/transaction.ts';
import { pause } from '../../timers/loop.ts';
import type { SandboxDeps } from '../deps.ts';
import { headOf } from './head.ts';

/** A node that starts over refuses connections for a moment. */
const ATTEMPTS = 50;
const BETWEEN_ATTEMPTS_MS = 100;

interface Resumed {
  endedVerifications: number;
  canceledTransfers: number;
}
const NOTHING: Resumed = { endedVerifications: 0, canceledTransfers: 0 };

const MAX_HELD = 100;

/** D-33: goes on with a chain that started over. D-47: lets go of the payments that `accept` names. Throws `Refusal`. */
export async function resumeRestarted(deps: SandboxDeps, symbol: string, accept: readonly string[] = []) {
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const network = deps.networks[symbol];
  await network.sync();
  const notice = deps.robot.restartNotice(symbol);
  const resumed = notice === undefined ? NOTHING : await network.whileNotRead(() => resume(deps, symbol));
  const [unknown] = write(deps.db, tx => deps.robot.acceptPayments(tx, symbol, accept));
  if (unknown !== undefined)
    throw refusals.invalidField('accept', `names ${unknown.slice(0, 200)}, which holds no account on ${symbol}`);
  return {
    symbol,
    resumed: notice !== undefined || accept.length > 0,
    ...resumed,
    releasedPayments: accept.length,
    held: deps.robot.listHeldPayments(symbol).slice(0, MAX_HELD).map(shown),
    head: await headOf(network),
  };
}

const shown = ({ name, account, sequence: number, paid }: ReturnType<SandboxDeps['robot']['listHeldPayments']>[0]) => ({
  name,
  account: addressText(account),
  number,
  to: paid?.to ?? null,
  amount: paid?.amount ?? null,
  reference: paid?.reference ?? null,
});

/** D-33: makes an embedded chain start over and goes on with it. */
export const startOver = (deps: SandboxDeps, symbol: AssetSymbol, restart: () => Promise<unknown>): Promise<Resumed> =>
  deps.networks[symbol].whileNotRead(async () => {
    deps.robot.stopPaying(symbol);
    await restart();
    return resume(deps, symbol);
  });

async function resume(deps: SandboxDeps, symbol: AssetSymbol): Promise<Resumed> {
  const chain = await deps.networks[symbol].chain();
  const beginning = await beginningOf(chain).catch(error => {
    if (!(error instanceof ChainUnreachable)) throw error;
    throw refusals.chainUnreachable(symbol, error.message);
  });
  await deps.robot.walletsAtRest(symbol);
  return write(deps.db, tx => {
    const cause = `CHAIN-RESTARTED: the chain of ${symbol} started over`;
    const canceledTransfers = deps.robot.resumeChain(tx, symbol, beginning, cause);
    const { isPaid } = deps.robot;
    const ended = deps.enclave.endVerificationsOn(tx, symbol, cause, isPaid);
    return { endedVerifications: ended + canceledTransfers, canceledTransfers };
  });
}

async function beginningOf(chain: Chain): Promise<Cursor> {
  for (let attempt = 1; ; attempt++)
    try {
      return await chain.beginning();
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof ChainUnreachable)) throw error;
      await pause(BETWEEN_ATTEMPTS_MS);
    }
}
