import { type Chain, FeeTooHigh, type TransactionState } from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import * as readBlocks from '../deposit/read-block-store.ts';
import { adopt, foreignUse, isPaidBy, keep } from '../numbers/explain.ts';
import { endFiller } from '../numbers/fill.ts';
import type { Attempt } from './attempt-store.ts';
import * as attempts from './attempt-store.ts';
import { cancelTransfer, markConfirmed, markMined, markReorganised, setNote } from './lifecycle.ts';
import { broadcast, isUnknown, paymentOf, signAndStore, wakeToppedUp, whyNotAffordable } from './send.ts';
import * as transfers from './store.ts';
import { isOver, type OpenWallet, type Transfer } from './transfer.ts';

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
export async function track(wallet: OpenWallet, underWay: readonly Transfer[]): Promise<void> {
  const { deps, chain } = wallet;
  const signed = attempts.ofAll(deps.db, underWay);
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
  if (unsent.length > 0) await broadcast(wallet, unsent, waitingIn(lookups));
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
  const inBlock = { hash, cause: `${hash} in block ${height}`, block: { height, blockHash } };
  const failure = state.succeeded ? undefined : state.failure;
  const event = failure === undefined ? inBlock : { ...inBlock, failure };
  // SEND-5
  const isFinal = state.status === 'final' && readBlocks.isRead(tx, symbol, { height, hash: blockHash });
  if (transfer.status !== 'WAIT-CONFIRM' || isFinal) wakeToppedUp(deps, tx, transfer);
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
  if (step === 'sign-again') await signExpiredAgain(wallet, transfer, attempt);
  if (step === 'raise-fee') await replaceWithHigherFee(wallet, transfer, attempt);
  return step !== 'wait';
}

/** A reorganisation may have removed the money for the payment, too. */
async function waitsForMoney(wallet: OpenWallet, transfer: Transfer): Promise<boolean> {
  const { deps } = wallet;
  const cause = await whyNotAffordable(wallet, 0n);
  if (cause === undefined) return false;
  write(deps.db, tx => setNote(deps, tx, transfer, 'waits', cause));
  return true;
}

async function signExpiredAgain(wallet: OpenWallet, transfer: Transfer, { sequence }: Attempt): Promise<void> {
  const fee = await wallet.chain.quoteFee(paymentOf(transfer));
  const again = 'the previous transaction has expired';
  await signAndStore(wallet, [{ transfer, sequence, fee, again }]);
}

/** Above the fee cap, or without the money for it, the last attempt stays. It may still get into a block. */
async function replaceWithHigherFee(wallet: OpenWallet, transfer: Transfer, last: Attempt): Promise<void> {
  const { deps, chain } = wallet;
  const wait = (cause: string) => write(deps.db, tx => setNote(deps, tx, transfer, 'waits', cause));
  try {
    const fee = await chain.quoteFee(paymentOf(transfer), last.fee);
    const why = await whyNotAffordable(wallet, chain.costOf(fee) - chain.costOf(last.fee));
    if (why !== undefined) return wait(why);
    const again = 'replaced with a higher fee';
    await signAndStore(wallet, [{ transfer, sequence: last.sequence, fee, again }]);
  } catch (error) {
    if (!(error instanceof FeeTooHigh)) throw error;
    wait(error.message);
  }
}

const mustBeReplaced = (wallet: OpenWallet, attempt: Attempt): boolean =>
  isUnknown(attempt) || attempt.rejection === 'fee-too-low' || isStuck(wallet, attempt);

const isStuck = ({ deps, symbol }: OpenWallet, { lastLedgerSequence, signedAt }: Attempt): boolean =>
  lastLedgerSequence === null && deps.clock.machineNow() - signedAt > deps.walletSettings(symbol).stuckAfterMs;

/**
 * The number belongs to a final transaction, and no lookup found one of ours. That by itself proves nothing: the lookups
 * may have reached a node that lags behind. The transaction itself does. It may be ours, of a database that was newer.
 */
async function settle(wallet: OpenWallet, transfer: Transfer, tried: readonly AttemptState[]): Promise<void> {
  const { deps } = wallet;
  const used = await foreignUse(
    wallet,
    tried.map(({ attempt }) => attempt),
  );
  const at = deps.clock.machineNow();
  if (!used) return write(deps.db, tx => setNote(deps, tx, transfer, 'waits', NUMBER_USED));
  if (isPaidBy(wallet, transfer, used, at)) return write(deps.db, tx => adopt(deps, tx, transfer, used));
  if (transfer.kind === 'filler') return endFiller(wallet, transfer, used);
  deps.log.warn({ uuid: transfer.verificationUuid }, 'a transaction of another program used the sequence');
  write(deps.db, tx => {
    keep(wallet, tx, used, { status: 'ACCEPTED', at });
    // None of its transactions can win any more: it is signed with a new number.
    transfers.patch(tx, transfer.verificationUuid, { txHash: null });
    setNote(deps, tx, transfer, 'waits', 'its sequence was used by another transaction');
  });
}
const NUMBER_USED = 'its number is used, and the transaction that has used it is not found yet';
