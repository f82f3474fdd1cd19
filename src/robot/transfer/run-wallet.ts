import { ChainRefused, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import type { Outcome } from '../../timers/registry.ts';
import * as cursors from '../deposit/cursor-store.ts';
import type { RobotDeps } from '../deps.ts';
import { keepWhole, nextNumber, noteStop } from '../numbers/numbers.ts';
import { WalletHeld } from '../numbers/wallet-held.ts';
import { affordableOf, type Priced } from './affordable.ts';
import { walletOwner } from './schedule-wallet.ts';
import { broadcast, signAndStore } from './send.ts';
import * as transfers from './store.ts';
import { track } from './track.ts';
import type { OpenWallet, Wallet } from './transfer.ts';

const SENT_BY_ONE_RUN = 256;
/** Most lookups or broadcasts at the same time. */
const CALLS_AT_ONCE = 32;
/** Reasons of the network that pass: the wallet tries again at the same pace, however long it takes. */
const TEMPORARY = [ChainUnreachable, ChainRefused, FeeTooHigh, WalletHeld];

/** Timer `robot.wallet.pay`, the only writer of a wallet: tracks the signed transfers, then sends the waiting ones. */
export async function runWallet(deps: RobotDeps, wallet: Wallet): Promise<Outcome> {
  const { retryMs } = deps.walletSettings(wallet.symbol);
  const retry = (why: string): Outcome => {
    noteStop({ ...wallet, deps }, why);
    return { againAt: nowOf(deps, wallet) + retryMs, why };
  };
  // After a reset of the network nothing on it proves what was paid.
  const stopReason = cursors.find(deps.db, wallet.symbol)?.stopReason;
  if (stopReason) return retry(stopReason);
  try {
    const open: OpenWallet = { ...wallet, deps, chain: await deps.chain(wallet.symbol) };
    for (const part of inParts(transfers.underWay(deps.db, wallet))) await track(open, part);
    if (transfers.hasOpen(deps.db, wallet)) await keepWhole(open);
    const sent = transfers.hasUnsigned(deps.db, wallet) ? await sendUnsigned(open) : NOTHING_SENT;
    noteStop(open, undefined);
    return nextRun(deps, wallet, sent);
  } catch (error) {
    if (!TEMPORARY.some(kind => error instanceof kind)) throw error;
    return retry((error as Error).message);
  }
}

interface Sent {
  hasSent: boolean;
  lacksMoney: boolean;
}
const NOTHING_SENT: Sent = { hasSent: false, lacksMoney: false };

function nextRun(deps: RobotDeps, wallet: Wallet, { hasSent, lacksMoney }: Sent): Outcome {
  const now = nowOf(deps, wallet);
  const { lowFundsRetryMs, trackEveryMs, trackFirstMs = trackEveryMs } = deps.walletSettings(wallet.symbol);
  if (transfers.hasUnsigned(deps.db, wallet)) return { againAt: now + (lacksMoney ? lowFundsRetryMs : 0) };
  if (transfers.underWay(deps.db, wallet).length === 0) return {};
  return { againAt: now + (hasSent ? trackFirstMs : trackEveryMs) };
}

async function sendUnsigned(wallet: OpenWallet): Promise<Sent> {
  const { deps } = wallet;
  await nextNumber(wallet);
  const unsigned = transfers.unsigned(deps.db, wallet, SENT_BY_ONE_RUN);
  const { affordable, lacksMoney } = await affordableOf(wallet, unsigned);
  if (affordable.length === 0) return { hasSent: false, lacksMoney };
  // Again: money may have come first, and with it the account. What has found its payment by now is not signed.
  const { sequence, freeUpTo } = await nextNumber(wallet);
  const orders = withoutSigned(deps, affordable).map((priced, i) => ({ ...priced, sequence: sequence + i }));
  // SEND-2: each part is stored before it is broadcast.
  for (const part of inParts(orders)) {
    await signAndStore(wallet, part, freeUpTo);
    const stored = part.map(({ transfer }) => transfer);
    await broadcast(wallet, stored);
  }
  return { hasSent: true, lacksMoney };
}

function withoutSigned(deps: Pick<RobotDeps, 'db'>, priced: readonly Priced[]): Priced[] {
  const current = transfers.current(
    deps.db,
    priced.map(({ transfer }) => transfer),
  );
  return priced.filter(({ transfer }) => current.get(transfer.verificationUuid)?.txHash === null);
}

const nowOf = (deps: RobotDeps, { symbol }: Wallet): number => deps.clock.now(walletOwner(symbol));

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CALLS_AT_ONCE) }, (_, i) =>
    all.slice(i * CALLS_AT_ONCE, (i + 1) * CALLS_AT_ONCE),
  );
