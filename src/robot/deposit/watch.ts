import {
  type Chain,
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type IncomingPage,
  type IncomingTransfer,
} from '../../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { createLoop } from '../../timers/loop.ts';
import type { CreditDeps, RobotDeps } from '../deps.ts';
import { findReplacedHeads } from '../expectation/replaced-head.ts';
import * as expectations from '../expectation/store.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { scheduleLookUp } from '../report/schedule-look-up.ts';
import { restartNotice } from '../resume-chain.ts';
import { treasuryOf } from '../transfer/top-up.ts';
import * as cursors from './cursor-store.ts';
import * as readBlocks from './read-block-store.ts';
import { recheck, recheckReplaced } from './recheck.ts';
import { recordTransfer } from './record-transfer.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'db' | 'inquiry' | 'users' | 'walletSettings'>;

/** Reads one chain from the stored cursor. Deposits and cursor commit together. A new head only wakes the reader. */
export interface Watcher {
  readonly symbol: AssetSymbol;
  /** Reads up to the present head. Never rejects: `state` says why the chain cannot be read. */
  sync(): Promise<void>;
  /** Runs `work` while nothing is read, then reads up to the present head. */
  whileNotRead<T>(work: () => Promise<T>): Promise<T>;
  state(): WatcherState;
  stop(): Promise<void>;
}
export type WatcherState = { ok: true } | { ok: false; why: string };

/** `blockRead` is called after each reading that came to another block. */
export async function watchDeposits(
  deps: Deps & Pick<RobotDeps, 'chain' | 'log' | 'reconcileMs' | 'rereadMs'>,
  symbol: AssetSymbol,
  blockRead: () => void,
): Promise<Watcher> {
  const chain = await deps.chain(symbol);
  const log = deps.log.child({ chain: symbol });
  let state: WatcherState = { ok: false, why: 'not read yet' };
  let reading: Promise<unknown> | undefined;
  let isStopped = false;
  let readHash: string | undefined;
  let recheckedHash: string | undefined;
  let reconciledHash: string | undefined;
  let reconciledAt = Number.NEGATIVE_INFINITY;

  const loop = createLoop(() => void sync());
  const stopWaking = chain.onHead(() => loop.soon());

  async function read(): Promise<void> {
    try {
      while (!isStopped && !(await readPage(deps, chain))) {}
      noteBlock();
      if (!isStopped) await recheckAfterReading();
      if (!isStopped) await reconcileWhenDue();
      state = { ok: true };
    } catch (error) {
      noteFailure(error as Error);
      const retryAfterMs = error instanceof ChainUnreachable ? error.retryAfterMs : undefined;
      if (!isStopped) loop.within(retryAfterMs ?? deps.rereadMs);
    }
  }

  function noteBlock(): void {
    const hash = cursors.find(deps.db, symbol)?.hash;
    if (!isStopped && hash !== readHash) blockRead();
    readHash = hash;
  }

  /** At rest no call: only new blocks change what was read. */
  async function recheckAfterReading(): Promise<void> {
    const hash = cursors.find(deps.db, symbol)?.hash;
    await recheckReplaced(deps, chain);
    if (hash === recheckedHash) return;
    await recheck(deps, chain);
    recheckedHash = hash;
  }

  /** D-26. At rest one call for each interval with new blocks. */
  async function reconcileWhenDue(): Promise<void> {
    const cursor = cursors.find(deps.db, symbol);
    if (!cursor || cursor.hash === reconciledHash || elapsedMs() - reconciledAt < deps.reconcileMs(symbol))
      return;
    await reconcile(deps, chain, cursor, await deps.users.watched(symbol));
    reconciledHash = cursor.hash;
    reconciledAt = elapsedMs();
  }

  function noteFailure(error: Error): void {
    const isRestart = error instanceof ChainReset;
    const why = isRestart ? restartNotice(symbol, error.message) : error.message;
    if (isRestart) stopCrediting(why);
    if (state.ok || state.why !== why) {
      const text =
        error instanceof ChainUnreachable ? 'the chain cannot be reached' : 'reading the chain failed';
      log.warn({ err: why }, text);
    }
    state = { ok: false, why };
  }

  /** In storage trouble the next reading finds the reset again. */
  function stopCrediting(why: string): void {
    try {
      write(deps.db, tx => cursors.stopAt(tx, symbol, why));
    } catch (error) {
      if (!storageTrouble(error)) throw error;
    }
  }

  /** One reading, or other work, at a time. */
  async function occupy<T>(work: Promise<T>): Promise<T> {
    const ended = work.finally(() => {
      reading = undefined;
    });
    reading = ended.catch(() => {});
    return ended;
  }

  /** A call during a reading waits for the next one, which starts after the call. */
  async function sync(): Promise<void> {
    if (isStopped) return;
    const running = reading;
    if (running) await running;
    if (reading && reading !== running) await reading;
    else await occupy(read());
  }

  async function whileNotRead<T>(work: () => Promise<T>): Promise<T> {
    while (reading) await reading;
    try {
      return await occupy(work());
    } finally {
      await sync();
    }
  }

  return {
    symbol,
    sync,
    whileNotRead,
    state: () => state,
    async stop() {
      isStopped = true;
      stopWaking();
      loop.stop();
      await reading;
    },
  };
}

/** Reads one bounded step. True: the head was reached. */
async function readPage(deps: Deps, chain: Chain): Promise<boolean> {
  const watched = await deps.users.watched(chain.symbol);
  const cursor = cursors.find(deps.db, chain.symbol);
  const page = await chain.incoming(cursor, watched.accounts, () => readBlocks.of(deps.db, chain.symbol));
  // D-31: a top-up is no deposit.
  const treasury = treasuryOf(deps, chain);
  const transfers = page.transfers.filter(({ from }) => from !== treasury);
  const noteReplacedHeads = await findReplacedHeads(deps, chain, newPayments(deps, chain, transfers));
  write(deps.db, tx => {
    const from = page.rereadFrom ?? rolledBackFrom(deps, chain.symbol, cursor, page);
    if (from !== undefined) noteReorganisation(tx, chain.symbol, from);
    noteReplacedHeads(tx);
    for (const movement of page.movements ?? []) reconciliation.saveMovement(tx, chain.symbol, movement);
    for (const transfer of transfers)
      recordTransfer(deps, tx, chain.symbol, transfer, watched.ownerOf(transfer.to));
    if (cursor?.hash !== page.cursor.hash || cursor.stopReason !== null)
      cursors.save(tx, chain.symbol, page.cursor);
    if (page.read) readBlocks.save(tx, chain.symbol, page.read, page.cursor);
    if (cursor?.hash !== page.cursor.hash) lookUpReplaceable(deps, tx, chain.symbol);
  });
  return page.caughtUp;
}

/** Most reports that one block lets look up. Their timers look them up too. */
const MOST_LOOKED_UP = 100;

/** D-36: the block may hold another transaction with the number of a named one. */
function lookUpReplaceable(deps: Deps, tx: Tx, symbol: AssetSymbol): void {
  for (const expectation of expectations.replaceableOn(tx, symbol, MOST_LOOKED_UP))
    scheduleLookUp(deps, tx, expectation);
}

const newPayments = (deps: Deps, { symbol }: Chain, transfers: readonly IncomingTransfer[]) =>
  transfers
    .filter(transfer => !deposits.find(deps.db, symbol, transfer))
    .map(({ to: { account, tag = null }, amount, height }) => {
      return { account, tag, amount: formatUnits(amount, ASSETS[symbol].decimals), height };
    });

/**
 * A look-up finds deposits in blocks that are not read yet. Where other blocks are read in their places, everything after
 * the cursor is looked up again.
 */
function rolledBackFrom(
  deps: Deps,
  symbol: AssetSymbol,
  cursor: Cursor | null,
  { read, cursor: { height: readTo }, isAll = false }: IncomingPage,
): number | undefined {
  if (!cursor || !read) return undefined;
  const hashes = new Map(read.map(({ height, hash }) => [height, hash]));
  const isGone = ({ height, blockHash }: Deposit) =>
    (height <= readTo || isAll) && hashes.get(height) !== blockHash;
  return deposits.finalAfter(deps.db, symbol, cursor.height).some(isGone) ? cursor.height : undefined;
}

function noteReorganisation(tx: Tx, symbol: AssetSymbol, from: number): void {
  const earlier = cursors.find(tx, symbol)?.recheckFrom ?? from;
  reconciliation.forgetAfter(tx, symbol, from);
  cursors.saveRecheckFrom(tx, symbol, Math.min(from, earlier));
}
