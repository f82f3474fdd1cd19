import { NotPayable } from '../../chains/payments.ts';
import { ChainRefused, ChainUnreachable, type Fee, FeeTooHigh } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import { availableAt } from '../balance/amounts.ts';
import * as cursors from '../deposit/cursor-store.ts';
import type { RobotDeps } from '../deps.ts';
import { WalletHeld } from '../numbers/explain.ts';
import { keepWhole, nextNumber, noteStop } from '../numbers/numbers.ts';
import { cancelTransfer, setNote } from './lifecycle.ts';
import { walletOwner } from './schedule-wallet.ts';
import {
  broadcast,
  costOfAll,
  giveMoney,
  inNoBlock,
  LOW_FUNDS,
  orderTopUp,
  paymentOf,
  signAndStore,
  sum,
  unitsOf,
} from './send.ts';
import * as transfers from './store.ts';
import { track } from './track.ts';
import { isOver, NOBODY, type OpenWallet, type Transfer, type Wallet } from './transfer.ts';

const SENT_BY_ONE_RUN = 256;
/** Most lookups or broadcasts at the same time. */
const MAX_CONCURRENT = 32;
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
  Array.from({ length: Math.ceil(all.length / MAX_CONCURRENT) }, (_, i) =>
    all.slice(i * MAX_CONCURRENT, (i + 1) * MAX_CONCURRENT),
  );

type Deps = OpenWallet['deps'];

interface Priced {
  transfer: Transfer;
  fee: Fee;
}

/** Those that the wallet can pay now, each with its fee. The others get a note and wait, or are canceled. */
async function affordableOf(
  wallet: OpenWallet,
  unsigned: Transfer[],
): Promise<{ affordable: Priced[]; lacksMoney: boolean }> {
  const covered = coveredOf(wallet.deps, unsigned);
  const priced = await withFees(wallet, await payableOf(wallet, covered));
  const affordable = priced.length === 0 ? [] : await paidByBalance(wallet, priced);
  return { affordable, lacksMoney: covered.length < unsigned.length || affordable.length < priced.length };
}

/** After a credit was taken back a balance may be negative: its transfers wait. */
function coveredOf(deps: Deps, unsigned: Transfer[]): Transfer[] {
  const isCovered = (transfer: Transfer) =>
    transfer.vaspId === NOBODY || availableAt(deps, transfer.vaspId, transfer) >= 0n;
  const covered = unsigned.filter(isCovered);
  const uncovered = unsigned.filter(transfer => !covered.includes(transfer));
  noteAll(deps, uncovered, `${LOW_FUNDS}: the balance is negative, because a credit was taken back`);
  return covered;
}

/** D-32: without those that no payment can reach. They are canceled with an error report. */
async function payableOf({ deps, chain }: OpenWallet, covered: Transfer[]): Promise<Transfer[]> {
  const reasons = await Promise.all(
    covered.map(({ toAccount, toTag }) =>
      chain.whyUnpayable({ account: toAccount, ...(toTag === null ? {} : { tag: toTag }) }),
    ),
  );
  for (const [i, transfer] of covered.entries()) if (reasons[i]) cancelUnpayable(deps, transfer, reasons[i]);
  return covered.filter((_, i) => reasons[i] === undefined);
}

/** Nothing that was signed for it can get into a block any more. */
const cancelUnpayable = (deps: Deps, { verificationUuid }: Transfer, reason: string): void =>
  write(deps.db, tx => {
    const transfer = transfers.find(tx, verificationUuid);
    if (transfer && transfer.txHash === null && !isOver(transfer)) cancelTransfer(deps, tx, transfer, reason);
  });

/** D-31: the oldest ones, as far as the money reaches beside the transfers that are signed. One that is too large holds no smaller one. */
async function paidByBalance(wallet: OpenWallet, priced: Priced[]): Promise<Priced[]> {
  const { deps, chain } = wallet;
  const feeOf = ({ fee }: Priced) => chain.costOf(fee);
  const costOf = (each: Priced) => unitsOf(each.transfer) + feeOf(each);
  const cost = sum(priced.map(costOf));
  const costUnderWay = costOfAll(wallet, inNoBlock(wallet));
  let left = (await chain.balanceOf(wallet.account)).spendable - costUnderWay;
  const lacks = cost - left;
  if (lacks > 0n) left += await giveMoney(wallet, cost + costUnderWay);
  const affordable: Priced[] = [];
  for (const each of priced) {
    if (costOf(each) > left) continue;
    left -= costOf(each);
    affordable.push(each);
  }
  const short = priced.filter(each => !affordable.includes(each)).map(({ transfer }) => transfer);
  if (short.length > 0) {
    const why = orderTopUp(wallet, { lacks, fees: sum(priced.map(feeOf)) });
    noteAll(deps, short, `${LOW_FUNDS}: ${why}`);
  }
  return affordable;
}

/**
 * The network is asked once for all payments of one amount to one account, and one after the other: what a recipient's
 * contract does takes time of the node. D-48: without those that the recipient does not take. They are canceled.
 */
async function withFees({ deps, chain }: OpenWallet, waiting: Transfer[]): Promise<Priced[]> {
  const quotes = new Map<string, Fee | NotPayable>();
  const priced: Priced[] = [];
  try {
    for (const transfer of waiting) {
      const payment = `${transfer.toAccount} ${transfer.amount}`;
      const quote = quotes.get(payment) ?? (await chain.quoteFee(paymentOf(transfer)).catch(asNotPayable));
      quotes.set(payment, quote);
      if (quote instanceof NotPayable) cancelUnpayable(deps, transfer, quote.message);
      else priced.push({ transfer, fee: quote });
    }
    return priced;
  } catch (error) {
    if (error instanceof FeeTooHigh) noteAll(deps, waiting, error.message);
    throw error;
  }
}

function asNotPayable(error: unknown): NotPayable {
  if (error instanceof NotPayable) return error;
  throw error;
}

function noteAll(deps: Deps, waiting: Transfer[], cause: string): void {
  if (waiting.length === 0) return;
  write(deps.db, tx => {
    for (const transfer of waiting) setNote(deps, tx, transfer, 'waits', cause);
  });
}
