import { NotPayable } from '../../chains/payments.ts';
import {
  type Chain,
  ChainRefused,
  ChainUnreachable,
  type Fee,
  FeeTooHigh,
  type TransactionState,
} from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import { availableAt } from '../balance/store.ts';
import * as cursors from '../deposit/cursor-store.ts';
import * as readBlocks from '../deposit/read-block-store.ts';
import type { RobotDeps } from '../deps.ts';
import * as numbers from '../numbers/numbers.ts';
import { cancelTransfer, markConfirmed, markMined, markReorganised, setNote, walletOwner } from './lifecycle.ts';
import * as sending from './send.ts';
import * as transfers from './store.ts';
import { type Attempt, isOver, NOBODY, type OpenWallet, type Transfer, type Wallet } from './store.ts';

interface AttemptState {
  attempt: Attempt;
  state: TransactionState;
}
interface Lookup {
  transfer: Transfer;
  /** Oldest first. */
  tried: AttemptState[];
  inBlock: AttemptState | undefined;
}

/** Looks up every signed transaction of these transfers, and acts on their states. SEND-2, SEND-3, SEND-5 */
async function track(wallet: OpenWallet, underWay: readonly Transfer[]): Promise<void> {
  const { deps, chain } = wallet;
  const signed = transfers.attemptsOfAll(deps.db, underWay);
  const lookups = await Promise.all(underWay.map((transfer, i) => lookUp(chain, transfer, signed[i]!)));
  const missing = write(deps.db, tx => {
    const current = transfers.current(tx, underWay);
    return lookups.flatMap(lookup => {
      const transfer = applyLookup(wallet, tx, lookup, current.get(lookup.transfer.verificationUuid));
      return transfer ? [{ ...lookup, transfer }] : [];
    });
  });
  if (missing.length === 0) return;
  // Read after the lookups: a transaction with a sequence below it was already final then.
  const { finalized } = await chain.numbers(wallet.account);
  const unsent: Transfer[] = [];
  for (const lookup of missing) {
    const step = stepFor(wallet, lookup, finalized);
    if (await takeStep(wallet, lookup, step)) unsent.push(transfers.find(deps.db, lookup.transfer.verificationUuid)!);
  }
  if (unsent.length > 0) await sending.broadcast(wallet, unsent, waitingIn(lookups));
}

const waitingIn = (lookups: readonly Lookup[]): ReadonlySet<number> =>
  new Set(
    lookups.flatMap(({ tried }) =>
      tried.flatMap(({ attempt, state }) => (state.status === 'pending' ? [attempt.sequence] : [])),
    ),
  );

async function lookUp(chain: Chain, transfer: Transfer, signed: readonly Attempt[]): Promise<Lookup> {
  const tried = await Promise.all(
    signed.map(async attempt => ({ attempt, state: await chain.stateOf(attempt.hash, validityOf(attempt)) })),
  );
  return { transfer, tried, inBlock: tried.find(({ state }) => 'blockHash' in state) };
}

const validityOf = ({ signedAfter, lastLedgerSequence }: Attempt) =>
  signedAfter === null || lastLedgerSequence === null ? undefined : { signedAfter, lastLedgerSequence };

/** Returns the transfer as it is stored now, while it is in no block. */
function applyLookup(
  wallet: OpenWallet,
  tx: Tx,
  { inBlock }: Lookup,
  current: Transfer | undefined,
): Transfer | undefined {
  if (!current || isOver(current)) return undefined;
  if (!inBlock) return current.status === 'WAIT-CONFIRM' ? markReorganised(wallet.deps, tx, current) : current;
  applyBlock(wallet, tx, current, inBlock);
  return undefined;
}

function applyBlock(
  { deps, symbol }: OpenWallet,
  tx: Tx,
  transfer: Transfer,
  { attempt: { hash }, state }: AttemptState,
): void {
  if (!('blockHash' in state)) return;
  const { height, blockHash } = state;
  const failure = state.succeeded ? undefined : state.failure;
  const event = { hash, cause: `${hash} in block ${height}`, block: { height, blockHash }, failure };
  // SEND-5
  const isFinal = state.status === 'final' && readBlocks.isRead(tx, symbol, { height, hash: blockHash });
  if (transfer.status !== 'WAIT-CONFIRM' || isFinal) sending.wakeToppedUp(deps, tx, transfer);
  if (isFinal && failure === undefined) return markConfirmed(deps, tx, transfer, event);
  if (isFinal && isSeenToFail(transfer))
    cancelTransfer(deps, tx, transfer, `${failure}: ${hash} in block ${height} has paid nothing`);
  else if (transfer.status !== 'WAIT-CONFIRM' || transfer.note !== (failure ?? ''))
    markMined(deps, tx, transfer, event);
}

/** A node may be wrong once, and the end of a failed payment frees its money: the look of a later run has to agree. */
const isSeenToFail = ({ status, note }: Transfer): boolean => status === 'WAIT-CONFIRM' && note !== '';

type Step = 'settle' | 'sign-again' | 'raise-fee' | 'broadcast' | 'wait';

function stepFor(wallet: OpenWallet, { transfer, tried }: Lookup, finalized: number): Step {
  const { attempt, state } = tried.at(-1)!;
  if (finalized > attempt.sequence) return 'settle';
  if (areExpired(tried)) return 'sign-again';
  if (mustBeReplaced(wallet, attempt)) return 'raise-fee';
  return state.status === 'pending' && transfer.status !== 'PENDING' ? 'wait' : 'broadcast';
}

const areExpired = (tried: readonly AttemptState[]): boolean => tried.every(({ state }) => state.status === 'expired');

/** Signs again only where that can never pay twice. True: the newest transaction is to be broadcast. */
async function takeStep(wallet: OpenWallet, { transfer, tried }: Lookup, step: Step): Promise<boolean> {
  const { attempt } = tried.at(-1)!;
  if (step === 'settle') {
    await settle(wallet, transfer, tried);
    return false;
  }
  if (attempt.rejection === 'funds' && (await waitsForMoney(wallet, transfer))) return false;
  if (step === 'sign-again') {
    const fee = await wallet.chain.quoteFee(sending.paymentOf(transfer));
    const again = 'the previous transaction has expired';
    await sending.signAndStore(wallet, [{ transfer, sequence: attempt.sequence, fee, again }]);
  }
  if (step === 'raise-fee') await replaceWithHigherFee(wallet, transfer, attempt);
  return step !== 'wait';
}

/** A reorganisation may have removed the money for the payment, too. */
async function waitsForMoney(wallet: OpenWallet, transfer: Transfer): Promise<boolean> {
  const { deps } = wallet;
  const cause = await sending.whyNotAffordable(wallet, 0n);
  if (cause === undefined) return false;
  write(deps.db, tx => setNote(deps, tx, transfer, 'waits', cause));
  return true;
}

/** Above the fee cap, or without the money for it, the last attempt stays. It may still get into a block. */
async function replaceWithHigherFee(wallet: OpenWallet, transfer: Transfer, last: Attempt): Promise<void> {
  const { deps, chain } = wallet;
  const wait = (cause: string) => write(deps.db, tx => setNote(deps, tx, transfer, 'waits', cause));
  try {
    const fee = await chain.quoteFee(sending.paymentOf(transfer), last.fee);
    const why = await sending.whyNotAffordable(wallet, chain.costOf(fee) - chain.costOf(last.fee));
    if (why !== undefined) return wait(why);
    const again = 'replaced with a higher fee';
    await sending.signAndStore(wallet, [{ transfer, sequence: last.sequence, fee, again }]);
  } catch (error) {
    if (!(error instanceof FeeTooHigh)) throw error;
    wait(error.message);
  }
}

const mustBeReplaced = (wallet: OpenWallet, attempt: Attempt): boolean =>
  sending.isUnknown(attempt) || attempt.rejection === 'fee-too-low' || isStuck(wallet, attempt);

const isStuck = ({ deps, symbol }: OpenWallet, { lastLedgerSequence, signedAt }: Attempt): boolean =>
  lastLedgerSequence === null && deps.clock.machineNow() - signedAt > deps.walletSettings(symbol).stuckAfterMs;

/**
 * The number belongs to a final transaction, and no lookup found one of ours. That by itself proves nothing: the lookups
 * may have reached a node that lags behind. The transaction itself does. It may be ours, of a database that was newer.
 */
async function settle(wallet: OpenWallet, transfer: Transfer, tried: readonly AttemptState[]): Promise<void> {
  const { deps } = wallet;
  const used = await numbers.foreignUse(
    wallet,
    tried.map(({ attempt }) => attempt),
  );
  const at = deps.clock.machineNow();
  if (!used) return write(deps.db, tx => setNote(deps, tx, transfer, 'waits', NUMBER_USED));
  if (numbers.isPaidBy(wallet, transfer, used, at))
    return write(deps.db, tx => numbers.adopt(deps, tx, transfer, used));
  if (transfer.kind === 'filler') return numbers.endFiller(wallet, transfer, used);
  deps.log.warn({ uuid: transfer.verificationUuid }, 'a transaction of another program used the sequence');
  write(deps.db, tx => {
    numbers.keep(wallet, tx, used, { status: 'ACCEPTED', at });
    // None of its transactions can win any more: it is signed with a new number.
    transfers.patch(tx, transfer.verificationUuid, { txHash: null });
    setNote(deps, tx, transfer, 'waits', 'its sequence was used by another transaction');
  });
}
const NUMBER_USED = 'its number is used, and the transaction that has used it is not found yet';

const SENT_BY_ONE_RUN = 256;
/** Most lookups or broadcasts at the same time. */
const MAX_CONCURRENT = 32;
/** Reasons of the network that pass: the wallet tries again at the same pace, however long it takes. */
const TEMPORARY = [ChainUnreachable, ChainRefused, FeeTooHigh, numbers.WalletHeld];

/** Timer `robot.wallet.pay`, the only writer of a wallet: tracks the signed transfers, then sends the waiting ones. */
export async function runWallet(deps: RobotDeps, wallet: Wallet): Promise<Outcome> {
  const { retryMs } = deps.walletSettings(wallet.symbol);
  const retry = (why: string): Outcome => {
    numbers.noteStop({ ...wallet, deps }, why);
    return { againAt: nowOf(deps, wallet) + retryMs, why };
  };
  // After a reset of the network nothing on it proves what was paid.
  const stopReason = cursors.find(deps.db, wallet.symbol)?.stopReason;
  if (stopReason) return retry(stopReason);
  try {
    const open: OpenWallet = { ...wallet, deps, chain: await deps.chain(wallet.symbol) };
    for (const part of inParts(transfers.underWay(deps.db, wallet))) await track(open, part);
    if (transfers.hasOpen(deps.db, wallet)) await numbers.keepWhole(open);
    const sent = transfers.hasUnsigned(deps.db, wallet) ? await sendUnsigned(open) : NOTHING_SENT;
    numbers.noteStop(open, undefined);
    return nextRun(deps, wallet, sent);
  } catch (error) {
    if (!TEMPORARY.some(kind => error instanceof kind)) throw error;
    return retry((error as Error).message);
  }
}

const NOTHING_SENT = { hasSent: false, lacksMoney: false };
type Sent = typeof NOTHING_SENT;

function nextRun(deps: RobotDeps, wallet: Wallet, { hasSent, lacksMoney }: Sent): Outcome {
  const now = nowOf(deps, wallet);
  const { lowFundsRetryMs, trackEveryMs, trackFirstMs = trackEveryMs } = deps.walletSettings(wallet.symbol);
  if (transfers.hasUnsigned(deps.db, wallet)) return { againAt: now + (lacksMoney ? lowFundsRetryMs : 0) };
  if (transfers.underWay(deps.db, wallet).length === 0) return {};
  return { againAt: now + (hasSent ? trackFirstMs : trackEveryMs) };
}

async function sendUnsigned(wallet: OpenWallet): Promise<Sent> {
  const { deps } = wallet;
  await numbers.nextNumber(wallet);
  const unsigned = transfers.unsigned(deps.db, { ...wallet, limit: SENT_BY_ONE_RUN });
  const { affordable, lacksMoney } = await affordableOf(wallet, unsigned);
  if (affordable.length === 0) return { hasSent: false, lacksMoney };
  // Again: money may have come first, and with it the account. What has found its payment by now is not signed.
  const { sequence, freeUpTo } = await numbers.nextNumber(wallet);
  const current = transfers.current(
    deps.db,
    affordable.map(({ transfer }) => transfer),
  );
  const orders = affordable
    .filter(({ transfer }) => current.get(transfer.verificationUuid)?.txHash === null)
    .map((priced, i) => ({ ...priced, sequence: sequence + i }));
  // SEND-2: each part is stored before it is broadcast.
  for (const part of inParts(orders)) {
    await sending.signAndStore(wallet, part, freeUpTo);
    await sending.broadcast(
      wallet,
      part.map(({ transfer }) => transfer),
    );
  }
  return { hasSent: true, lacksMoney };
}

const nowOf = (deps: RobotDeps, { symbol }: Wallet): number => deps.clock.now(walletOwner(symbol));

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / MAX_CONCURRENT) }, (_, i) =>
    all.slice(i * MAX_CONCURRENT, (i + 1) * MAX_CONCURRENT),
  );

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
function coveredOf(deps: RobotDeps, unsigned: Transfer[]): Transfer[] {
  const isCovered = (transfer: Transfer) =>
    transfer.vaspId === NOBODY || availableAt(deps, transfer.vaspId, transfer) >= 0n;
  const covered = unsigned.filter(isCovered);
  const uncovered = unsigned.filter(transfer => !covered.includes(transfer));
  noteAll(deps, uncovered, `${sending.LOW_FUNDS}: the balance is negative, because a credit was taken back`);
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
const cancelUnpayable = (deps: RobotDeps, { verificationUuid }: Transfer, reason: string): void =>
  write(deps.db, tx => {
    const transfer = transfers.find(tx, verificationUuid);
    if (transfer && transfer.txHash === null && !isOver(transfer)) cancelTransfer(deps, tx, transfer, reason);
  });

/** D-31: the oldest ones, as far as the money reaches beside the transfers that are signed. One that is too large holds no smaller one. */
async function paidByBalance(wallet: OpenWallet, priced: Priced[]): Promise<Priced[]> {
  const { deps, chain } = wallet;
  const feeOf = ({ fee }: Priced) => chain.costOf(fee);
  const costOf = (each: Priced) => sending.unitsOf(each.transfer) + feeOf(each);
  const cost = sending.sum(priced.map(costOf));
  const costUnderWay = sending.costOfAll(wallet, sending.inNoBlock(wallet));
  let left = (await chain.balanceOf(wallet.account)).spendable - costUnderWay;
  const lacks = cost - left;
  if (lacks > 0n) left += await sending.giveMoney(wallet, cost + costUnderWay);
  const affordable: Priced[] = [];
  for (const each of priced) {
    if (costOf(each) > left) continue;
    left -= costOf(each);
    affordable.push(each);
  }
  const short = priced.filter(each => !affordable.includes(each)).map(({ transfer }) => transfer);
  if (short.length > 0) {
    const why = sending.orderTopUp(wallet, { lacks, fees: sending.sum(priced.map(feeOf)) });
    noteAll(deps, short, `${sending.LOW_FUNDS}: ${why}`);
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
      const quote = quotes.get(payment) ?? (await chain.quoteFee(sending.paymentOf(transfer)).catch(asNotPayable));
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

function noteAll(deps: RobotDeps, waiting: Transfer[], cause: string): void {
  if (waiting.length === 0) return;
  write(deps.db, tx => {
    for (const transfer of waiting) setNote(deps, tx, transfer, 'waits', cause);
  });
}
