import { type Chain, ChainReset, ChainUnreachable } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { write } from '../../db/transaction.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { createLoop, type Loop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';
import { reconcile } from '../reconciliation/reconcile.ts';
import { restartNotice } from '../resume-chain.ts';
import * as cursors from './cursor-store.ts';
import { readPage } from './read-page.ts';
import { recheck, recheckReplaced } from './recheck.ts';

/** Reads one chain. A new head only wakes the reader. */
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

/** `…Hash`: the newest block when it was last done. */
interface Watch {
  readonly deps: RobotDeps;
  readonly chain: Chain;
  readonly loop: Loop;
  blockRead(): void;
  state: WatcherState;
  isStopped: boolean;
  /** A reading, or other work that excludes one. */
  running: Promise<unknown> | undefined;
  readHash?: string | undefined;
  recheckedHash?: string | undefined;
  reconciledHash?: string | undefined;
  reconciledAt: number;
}

/** `blockRead` is called after each reading that came to another block. */
export async function watchDeposits(deps: RobotDeps, symbol: AssetSymbol, blockRead: () => void): Promise<Watcher> {
  const chain = await deps.chain(symbol);
  const watch: Watch = {
    deps,
    chain,
    loop: createLoop(() => void sync(watch)),
    blockRead,
    state: { ok: false, why: 'not read yet' },
    isStopped: false,
    running: undefined,
    reconciledAt: Number.NEGATIVE_INFINITY,
  };
  const stopWaking = chain.onHead(() => watch.loop.soon());
  return {
    symbol,
    sync: () => sync(watch),
    whileNotRead: work => whileNotRead(watch, work),
    state: () => watch.state,
    async stop() {
      watch.isStopped = true;
      stopWaking();
      watch.loop.stop();
      await watch.running;
    },
  };
}

/** A call during a reading waits for the next one, which starts after the call. */
async function sync(watch: Watch): Promise<void> {
  if (watch.isStopped) return;
  const { running } = watch;
  if (running) await running;
  if (watch.running && watch.running !== running) await watch.running;
  else await occupy(watch, read(watch));
}

async function whileNotRead<T>(watch: Watch, work: () => Promise<T>): Promise<T> {
  while (watch.running) await watch.running;
  try {
    return await occupy(watch, work());
  } finally {
    await sync(watch);
  }
}

async function occupy<T>(watch: Watch, work: Promise<T>): Promise<T> {
  const ended = work.finally(() => {
    watch.running = undefined;
  });
  watch.running = ended.catch(() => {});
  return ended;
}

async function read(watch: Watch): Promise<void> {
  const { deps, chain, loop } = watch;
  try {
    while (!watch.isStopped && !(await readPage(deps, chain))) {}
    const cursor = cursors.find(deps.db, chain.symbol);
    noteBlock(watch, cursor?.hash);
    if (cursor && !watch.isStopped) await recheckAfterReading(watch, cursor);
    if (cursor && !watch.isStopped) await reconcileWhenDue(watch, cursor);
    watch.state = { ok: true };
  } catch (error) {
    noteFailure(watch, error as Error);
    const retryAfterMs = error instanceof ChainUnreachable ? error.retryAfterMs : undefined;
    if (!watch.isStopped) loop.within(retryAfterMs ?? deps.rereadMs);
  }
}

function noteBlock(watch: Watch, hash: string | undefined): void {
  if (!watch.isStopped && hash !== watch.readHash) watch.blockRead();
  watch.readHash = hash;
}

/** At rest no call: only new blocks change what was read. */
async function recheckAfterReading(watch: Watch, { hash, height, recheckFrom }: cursors.StoredCursor): Promise<void> {
  const { deps, chain } = watch;
  if (recheckFrom !== null) await recheckReplaced(deps, chain, recheckFrom);
  if (hash === watch.recheckedHash) return;
  await recheck(deps, chain, height);
  watch.recheckedHash = hash;
}

/** D-26. At rest one call for each interval with new blocks. */
async function reconcileWhenDue(watch: Watch, cursor: cursors.StoredCursor): Promise<void> {
  const { deps, chain } = watch;
  const { symbol } = chain;
  const isResting = elapsedMs() - watch.reconciledAt < deps.reconcileMs(symbol);
  if (cursor.hash === watch.reconciledHash || isResting) return;
  await reconcile(deps, chain, cursor, await deps.users.watched(symbol));
  watch.reconciledHash = cursor.hash;
  watch.reconciledAt = elapsedMs();
}

function noteFailure(watch: Watch, error: Error): void {
  const { deps, chain, state } = watch;
  const isRestart = error instanceof ChainReset;
  const why = isRestart ? restartNotice(chain.symbol, error.message) : error.message;
  if (isRestart) stopCrediting(deps, chain.symbol, why);
  const text = error instanceof ChainUnreachable ? 'the chain cannot be reached' : 'reading the chain failed';
  if (state.ok || state.why !== why) deps.log.warn({ chain: chain.symbol, err: why }, text);
  watch.state = { ok: false, why };
}

/** In storage trouble the next reading finds the reset again. */
function stopCrediting({ db }: Pick<RobotDeps, 'db'>, symbol: AssetSymbol, why: string): void {
  try {
    write(db, tx => cursors.stopAt(tx, symbol, why));
  } catch (error) {
    if (!storageTrouble(error)) throw error;
  }
}
