import {
  type Chain,
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type IncomingPage,
  type IncomingTransfer,
  type TransactionState,
} from '../../chains/port.ts';
import { type AssetSymbol, toCoins } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { createLoop } from '../../timers/loop.ts';
import { restartNotice } from '../control.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import { findReplacedHeads, orderLookUp } from '../expectation/schedule.ts';
import * as expectations from '../expectation/store.ts';
import { notePaidAfterAll } from '../numbers/numbers.ts';
import * as numbers from '../numbers/store.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { NOT_JUDGED } from '../report/judge-report.ts';
import { reopen } from '../transfer/lifecycle.ts';
import { isOwnMoney } from '../transfer/send.ts';
import * as attempts from '../transfer/store.ts';
import { isForgotten, type OpenWallet, type SentTransfer, type Transfer } from '../transfer/store.ts';
import * as cursors from './cursor-store.ts';
import { markReorganised, recordTransfer, seenAgain } from './lifecycle.ts';
import * as readBlocks from './read-block-store.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** Payments that are looked up at the same time. */
const BATCH_SIZE = 16;

interface Found extends SentTransfer {
  state: TransactionState;
}

/**
 * SEND-5: a reorganisation deeper than the confirmations removes payments that were CONFIRMED. They are PROCESSING again,
 * and their wallets go on with them. A transaction that failed is not sent again: its amount is free, and an empty
 * transaction takes its sequence. `from`: height of the last block that stayed. False: one that failed may still
 * succeed, so look again later. Throws `ChainUnreachable`.
 */
export async function reopenReplaced(deps: RobotDeps, chain: Chain, from: number): Promise<boolean> {
  const found = await foundAfter(deps, chain, from);
  reopen(deps, await removedAmong(chain, found, from));
  let isOver = true;
  for (const { transfer, sequence } of found.filter(({ transfer }) => transfer.status === 'CANCELED'))
    if (await mayStillSucceed({ ...transfer, deps, chain }, sequence)) isOver = false;
  return isOver;
}

/**
 * Somebody may send its bytes again until a final transaction has its number, also where no node has it now. The number is
 * read first: the transaction that has it was final before it is looked up.
 */
async function mayStillSucceed(wallet: OpenWallet, sequence: number): Promise<boolean> {
  const { finalized } = await wallet.chain.numbers(wallet.account);
  await notePaidAfterAll(wallet, sequence);
  return finalized <= sequence;
}

async function removedAmong(chain: Chain, found: readonly Found[], from: number): Promise<Transfer[]> {
  const removed: Transfer[] = [];
  for (const each of found) {
    const { transfer, sequence, state } = each;
    if (transfer.status !== 'CONFIRMED' || isForgotten(transfer)) continue;
    if (isPaid(each) || hasStayed(each, from)) continue;
    // A node may have forgotten an old transaction. Its sequence is final for good.
    const isFree = async () => (await chain.numbers(transfer.account)).finalized <= sequence;
    if (state.status === 'final' || (await isFree())) removed.push(transfer);
  }
  return removed;
}

const isPaid = ({ state }: Found): boolean => state.status === 'final' && state.succeeded;
const isInBlock = ({ state }: Found): boolean => 'blockHash' in state;

/** Newest first. The search ends at a page whose transactions are in blocks that stayed. */
async function foundAfter(deps: RobotDeps, chain: Chain, from: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const sent = attempts.overBefore(deps.db, chain.symbol, before, BATCH_SIZE);
    const page = await Promise.all(sent.map(async each => ({ ...each, state: await chain.stateOf(each.hash) })));
    found.push(...page);
    const last = sent.at(-1);
    if (!last || (page.some(isInBlock) && page.every(each => hasStayed(each, from)))) return found;
    before = last.attemptId;
  }
}

/** A canceled transfer without a block may never have had one. */
const hasStayed = ({ transfer, state }: Found, from: number): boolean =>
  'height' in state ? state.height <= from : transfer.status === 'CANCELED';

/** Reads one chain. A new head only wakes the reader. */
export type Watcher = Awaited<ReturnType<typeof watchDeposits>>;
export type WatcherState = { ok: true } | { ok: false; why: string };

/** `blockRead` is called after each reading that came to another block. */
export async function watchDeposits(deps: RobotDeps, symbol: AssetSymbol, blockRead: () => void) {
  const chain = await deps.chain(symbol);
  let state: WatcherState = { ok: false, why: 'not read yet' };
  let isStopped = false;
  /** A reading, or other work that excludes one. */
  let running: Promise<unknown> | undefined;
  /** The newest block when it was last done. */
  let readHash: string | undefined;
  let recheckedHash: string | undefined;
  let reconciledHash: string | undefined;
  let reconciledAt = Number.NEGATIVE_INFINITY;
  const loop = createLoop(() => void sync());
  const stopWaking = chain.onHead(() => loop.soon());

  /** Reads up to the present head. Never rejects: `state` says why the chain cannot be read. */
  async function sync(): Promise<void> {
    if (isStopped) return;
    const before = running;
    if (before) await before;
    // A call during a reading waits for the next one, which starts after the call.
    if (running && running !== before) await running;
    else await occupy(read());
  }

  async function occupy<T>(work: Promise<T>): Promise<T> {
    const ended = work.finally(() => {
      running = undefined;
    });
    running = ended.catch(() => {});
    return ended;
  }

  async function read(): Promise<void> {
    try {
      while (!isStopped && !(await readPage(deps, chain))) {}
      const cursor = cursors.find(deps.db, symbol);
      if (!isStopped && cursor?.hash !== readHash) blockRead();
      readHash = cursor?.hash;
      if (cursor && !isStopped) await recheckAfterReading(cursor);
      if (cursor && !isStopped) await reconcileWhenDue(cursor);
      state = { ok: true };
    } catch (error) {
      noteFailure(error as Error);
      const retryAfterMs = error instanceof ChainUnreachable ? error.retryAfterMs : undefined;
      if (!isStopped) loop.within(retryAfterMs ?? deps.rereadMs);
    }
  }

  /** At rest no call: only new blocks change what was read. */
  async function recheckAfterReading({ hash, height, recheckFrom }: cursors.StoredCursor): Promise<void> {
    if (recheckFrom !== null) await recheckReplaced(deps, chain, recheckFrom);
    if (hash === recheckedHash) return;
    await recheck(deps, chain, height);
    recheckedHash = hash;
  }

  /** D-26. At rest one call for each interval with new blocks. */
  async function reconcileWhenDue(cursor: cursors.StoredCursor): Promise<void> {
    const isResting = elapsedMs() - reconciledAt < deps.reconcileMs(symbol);
    if (cursor.hash === reconciledHash || isResting) return;
    await reconcile(deps, chain, cursor, await deps.users.watched(symbol));
    reconciledHash = cursor.hash;
    reconciledAt = elapsedMs();
  }

  function noteFailure(error: Error): void {
    const isRestart = error instanceof ChainReset;
    const why = isRestart ? restartNotice(symbol, error.message) : error.message;
    if (isRestart) stopCrediting(deps, symbol, why);
    const text = error instanceof ChainUnreachable ? 'the chain cannot be reached' : 'reading the chain failed';
    if (state.ok || state.why !== why) deps.log.warn({ chain: symbol, err: why }, text);
    state = { ok: false, why };
  }

  return {
    symbol,
    sync,
    /** Runs `work` while nothing is read, then reads up to the present head. */
    async whileNotRead<T>(work: () => Promise<T>): Promise<T> {
      while (running) await running;
      try {
        return await occupy(work());
      } finally {
        await sync();
      }
    },
    state: (): WatcherState => state,
    async stop() {
      isStopped = true;
      stopWaking();
      loop.stop();
      await running;
    },
  };
}

/** In storage trouble the next reading finds the reset again. */
function stopCrediting({ db }: Pick<RobotDeps, 'db'>, symbol: AssetSymbol, why: string): void {
  try {
    write(db, tx => cursors.stopAt(tx, symbol, why));
  } catch (error) {
    if (!storageTrouble(error)) throw error;
  }
}

/** Reads one bounded step from the stored cursor. Deposits and cursor commit together. True: the head was reached. */
async function readPage(deps: RobotDeps, chain: Chain): Promise<boolean> {
  const watched = await deps.users.watched(chain.symbol);
  const cursor = cursors.find(deps.db, chain.symbol);
  const page = await chain.incoming(cursor, watched.accounts, () => readBlocks.of(deps.db, chain.symbol));
  const isOwn = isOwnMoney(deps, chain);
  const transfers = page.transfers.filter(transfer => !isOwn(transfer));
  const noteReplacedHeads = await findReplacedHeads(deps, chain, newPayments(deps, chain, transfers));
  write(deps.db, tx => {
    const from = page.rereadFrom ?? rolledBackFrom(deps, chain.symbol, cursor, page);
    if (from !== undefined) noteReorganisation(tx, chain.symbol, from);
    noteReplacedHeads(tx);
    for (const movement of page.movements ?? []) reconciliation.saveMovement(tx, chain.symbol, movement);
    for (const transfer of transfers) recordTransfer(deps, tx, chain.symbol, transfer, watched.ownerOf(transfer.to));
    if (cursor?.hash !== page.cursor.hash || cursor.stopReason !== null) cursors.save(tx, chain.symbol, page.cursor);
    if (page.read) readBlocks.save(tx, chain.symbol, page.read, page.cursor);
    if (cursor?.hash === page.cursor.hash) return;
    // D-36: the block may hold another transaction with the number of a named one.
    const replaceable = expectations.replaceableOn(tx, { symbol: chain.symbol, limit: MAX_LOOKED_UP });
    for (const expectation of replaceable) orderLookUp(deps, tx, expectation);
  });
  return page.caughtUp;
}

/** Most reports that one block lets look up. Their timers look them up too. */
const MAX_LOOKED_UP = 100;

const newPayments = (deps: RobotDeps, { symbol }: Chain, transfers: readonly IncomingTransfer[]) =>
  transfers
    .filter(transfer => !deposits.find(deps.db, symbol, transfer))
    .map(({ to: { account, tag = null }, amount, height }) => {
      return { account, tag, amount: toCoins(symbol, amount), height };
    });

/**
 * A look-up finds deposits in blocks that are not read yet. Where other blocks are read in their places, everything after
 * the cursor is looked up again.
 */
function rolledBackFrom(
  deps: RobotDeps,
  symbol: AssetSymbol,
  cursor: Cursor | null,
  { read, cursor: { height: readTo }, isAll = false }: IncomingPage,
): number | undefined {
  if (!cursor || !read) return undefined;
  const hashes = new Map(read.map(({ height, hash }) => [height, hash]));
  const isGone = ({ height, blockHash }: Deposit) => (height <= readTo || isAll) && hashes.get(height) !== blockHash;
  return deposits.finalAfter(deps.db, { symbol, height: cursor.height }).some(isGone) ? cursor.height : undefined;
}

function noteReorganisation(tx: Tx, symbol: AssetSymbol, from: number): void {
  const earlier = cursors.find(tx, symbol)?.recheckFrom ?? from;
  reconciliation.forgetAfter(tx, symbol, from);
  numbers.forgetAfter(tx, symbol, from);
  cursors.saveRecheckFrom(tx, symbol, Math.min(from, earlier));
}

/** The number of blocks during which a removed deposit is looked up. The reader and reports find it later, too. */
const WATCHED_BLOCKS = 1_024;

/** Read up to `height`, looks up deposits that are not final: final by now, in another block, or gone. Throws `ChainUnreachable`. */
async function recheck(deps: RobotDeps, chain: Chain, height: number): Promise<void> {
  for (const deposit of deposits.notFinal(deps.db, { symbol: chain.symbol, removedAfter: height - WATCHED_BLOCKS }))
    await look(deps, chain, deposit);
}

/**
 * After a reorganisation, when the chain is read up to its head again: looks up the final deposits and payments
 * of the replaced blocks. This is kept until it is done, so a stop in between loses nothing. Throws `ChainUnreachable`.
 */
export async function recheckReplaced(deps: RobotDeps, chain: Chain, from: number): Promise<void> {
  const { symbol } = chain;
  for (const deposit of deposits.finalAfter(deps.db, { symbol, height: from })) await look(deps, chain, deposit);
  await restoreBaselines(deps, chain, from);
  if (!(await reopenReplaced(deps, chain, from))) return;
  write(deps.db, tx => cursors.saveRecheckFrom(tx, symbol, null));
}

async function look(deps: RobotDeps, chain: Chain, deposit: Deposit): Promise<void> {
  const state = await chain.stateOf(deposit.txHash);
  const isThere = 'blockHash' in state && state.succeeded && (await holds(chain, deposit, state));
  write(deps.db, tx => {
    const current = deposits.byId(tx, deposit.id);
    if (!current || current.status !== deposit.status) return;
    if (isThere) seenAgain(deps, tx, current, { ...state, final: state.status === 'final' });
    else if (current.status !== 'REORGANISED' && current.status !== 'TAKEN-BACK') remove(deps, tx, current);
  });
}

type InBlock = Extract<TransactionState, { blockHash: string }>;

/** In another block the calls of a transaction may end otherwise. */
async function holds(chain: Chain, deposit: Deposit, { blockHash }: InBlock): Promise<boolean> {
  if (deposit.via === null || (blockHash === deposit.blockHash && deposit.status !== 'TAKEN-BACK')) return true;
  const { transfers } = await chain.lookup(deposit.txHash, deposit.account);
  return transfers.some(
    ({ index, to, amount }) =>
      to.account === deposit.account && index === deposit.index && toCoins(deposit.symbol, amount) === deposit.amount,
  );
}

/** No block holds it any more. A credit is taken back, and the reports that named it are judged again. */
function remove(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const { symbol, txHash, verificationUuid: uuid } = deposit;
  if (deposit.via !== null) reconciliation.removeMovement(tx, deposit);
  markReorganised(deps, tx, deposit);
  const expectation = uuid === null ? undefined : expectations.find(tx, uuid);
  if (expectation?.status === 'CREDITED') {
    transition(tx, expectationStatus, expectation, 'credit-taken-back', {
      at: deps.clock.now(expectation.vaspId),
      cause: `a reorganisation removed ${deposit.amount} ${symbol} of ${txHash}, which were credited`,
      detail: { txHash, height: deposit.height, blockHash: deposit.blockHash },
    });
    const creditLostAt = deps.clock.now(expectation.vaspId);
    expectations.patch(tx, expectation.verificationUuid, { creditLostAt, ...NOT_JUDGED });
    deps.enclave.setCredited(expectation.verificationUuid, false, deps.vaspId);
  }
  for (const named of expectations.ofTxHash(tx, deposit)) orderLookUp(deps, tx, named);
}

/**
 * The baselines of replaced blocks are gone. The balances before these blocks take their place, where the node still
 * has them. Throws `ChainUnreachable`.
 */
async function restoreBaselines(deps: RobotDeps, { symbol, payouts }: Chain, height: number): Promise<void> {
  const cursor = cursors.find(deps.db, symbol);
  if (!payouts || !cursor) return;
  const present = new Set(reconciliation.baselinesOf(deps.db, symbol, cursor).map(({ account }) => account));
  const { accounts } = await deps.users.watched(symbol);
  const missing = [...accounts].filter(account => !present.has(account));
  const balances = missing.length > 0 ? await payouts.balances({ height }, missing) : undefined;
  const { genesis } = cursor;
  write(deps.db, tx => {
    for (const [account, units] of balances ?? [])
      reconciliation.saveBaseline(tx, { symbol, account, height, genesis, balance: units.toString() });
  });
}
