import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import type { Db } from '../db/open.ts';
import { onCommit } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { watchClock } from '../kernel/clock-jumps.ts';
import { parseDuration } from '../kernel/duration.ts';
import { firstWithin } from '../kernel/interval.ts';
import { longestWaitSince, selfDelay, watchQueueDelay } from '../kernel/queue-delay.ts';
import { longestStallWithin, watchStalls } from '../kernel/stall.ts';
import { watchSilence } from '../plans/silence.ts';
import { hasOther, type RunRow } from '../plans/store.ts';
import { createTarget } from '../plans/target.ts';
import type { RunWorld } from '../plans/world.ts';
import { pause } from '../timers/loop.ts';
import type { WorldDeps } from './deps.ts';
import { hasDriver, personsOfRun, untilVaspListens } from './vasp-of-run.ts';

const WAIT_MS = 10_000;
const HAND_MS = 600_000;
const READY_WITHIN_MS = 60_000;
const SANDBOX_MS = 60_000;
/** A call that comes while the sandbox stands still for nearly all of this time waits as long. */
const STALL_WITHIN_MS = 3_500;
const BLOCKS_AT_ONCE = 12;

interface Beginning {
  api: Client;
  run: RunRow;
  now(): number;
  signal: AbortSignal;
  isResumed: boolean;
}

/** The sandbox as a run sees it. Waits until its chains are read and, unless a person acts, until the VASP listens. */
export async function createRunWorld(deps: WorldDeps, beginning: Beginning): Promise<RunWorld> {
  const { enclave, exchanges } = deps;
  const { api, run, signal } = beginning;
  const { settings, vaspId } = run;
  const { guard, signer, timeoutMs, thresholds } = enclave;
  const { registration, driver, users, customers, followsSandboxClock, ...waits } = await partiesOf(deps, beginning);
  const { stop, ...times } = timesOf(deps, run, beginning.now);
  const target = createTarget({ registration, guard, signer, timeoutMs, exchanges, now: times.sandboxNow });
  return {
    runId: run.id,
    vaspId,
    robotVaspId: deps.robot.vaspId,
    settings,
    digits: run.digits,
    customers,
    driver,
    followsSandboxClock: followsSandboxClock && settings.clock === 'sandbox',
    isSideBySide: driver !== undefined,
    symbolOf: new Map(),
    networkOf: new Map(),
    ledgers: new Map(),
    watch: { creditsSince: undefined, held: new Set(), moves: beginning.isResumed ? undefined : [] },
    users: new Map(users.map(user => [user.id, user])),
    api,
    exchanges,
    target,
    silence: watchSilence({ exchanges, vaspId, timeoutMs }),
    timeoutMs,
    sandboxMs: SANDBOX_MS,
    ...waits,
    inquiryWaitMs: parseDuration(settings.inquiryWait)!,
    thresholds,
    ...ledgersOf(deps, vaspId, signal),
    uuid: () => deps.random.uuid(),
    memoryBytes: () => process.resourceUsage().maxRSS * 1024,
    ...times,
    signal,
    async close() {
      stop();
      await driver?.close();
    },
  };
}

async function partiesOf(deps: WorldDeps, { api, run, now, signal, isResumed }: Beginning) {
  const { settings } = run;
  const given = settings.wait === undefined ? undefined : parseDuration(settings.wait)!;
  const waits = { waitMs: given ?? WAIT_MS, handMs: given ?? HAND_MS };
  const hadDriver = hasDriver(deps, run);
  await untilRead(deps, settings.symbols ?? ASSET_SYMBOLS, signal);
  const listening = { limitMs: waits.waitMs, signal, isResumed, hadDriver };
  const { registration, driver } = await untilVaspListens(deps, run, listening);
  const probing = { limitMs: waits.waitMs, now: now() };
  const persons = await personsOfRun(api, run, driver, probing).catch(async error => {
    await driver?.close();
    throw error;
  });
  return { registration, driver, ...persons, ...waits };
}

function timesOf({ clock, db, timers }: WorldDeps, { vaspId }: RunRow, now: () => number) {
  const beganAt = elapsedMs();
  const stopWatching = watchStalls();
  const endQueueDelay = watchQueueDelay(vaspId);
  const clockWatch = watchClock();
  const sandboxNow = () => clock.now(vaspId);
  return {
    now,
    sandboxNow,
    clockJumpMs: clockWatch.jumpMs,
    selfDelay: () => selfDelay(vaspId),
    longestWaitSince: (from: number) =>
      Math.max(longestWaitSince(vaspId, from), longestStallWithin(STALL_WITHIN_MS, from)),
    longestStallWithin: (windowMs: number) => longestStallWithin(windowMs, beganAt),
    nextCommit: (ms: number) => nextCommit(db, ms),
    inquiryDueInMs(key: string) {
      const [timer] = timers.pendingOf([{ kind: 'robot.deposit.inquire', key }]);
      return timer && timer.dueAt - sandboxNow();
    },
    stop() {
      stopWatching();
      endQueueDelay();
      clockWatch.stop();
    },
  };
}

/** Until the robot reads the chains, at most a minute. */
async function untilRead({ networks }: WorldDeps, symbols: readonly AssetSymbol[], signal: AbortSignal) {
  const isRead = (symbol: AssetSymbol) => networks[symbol].state().ok;
  for (let waited = 0; !symbols.every(isRead) && waited < READY_WITHIN_MS; waited += 100) await pause(100, signal);
}

const ledgersOf = (
  { db, networks, held }: WorldDeps,
  vaspId: string,
  signal: AbortSignal,
): Pick<
  RunWorld,
  | 'chain'
  | 'isEmbedded'
  | 'isLedgerFree'
  | 'isShared'
  | 'moveLedgerOn'
  | 'failPayment'
  | 'delegate'
  | 'takeLedger'
  | 'releaseLedger'
> => ({
  chain: symbol => networks[symbol].chain(),
  isEmbedded: symbol => networks[symbol].isEmbedded,
  async moveLedgerOn(symbol) {
    if (await networks[symbol].isHeld()) return;
    if (symbol === 'XRP') (await networks.XRP.controls?.())?.closePending();
    else await (await networks.ETH.controls?.())?.mine(BLOCKS_AT_ONCE);
  },
  isLedgerFree: symbol => held.isFree(symbol, vaspId),
  isShared: () => hasOther(db, vaspId),
  async failPayment(symbol, text) {
    const { account, tag } = (await networks[symbol].chain()).parseAddress(text)!;
    return (await networks[symbol].controls?.())?.failPayment(account, tag);
  },
  delegate: async account => (await networks.ETH.controls?.())?.delegate(account),
  takeLedger: symbol => held.take(symbol, vaspId, signal),
  async releaseLedger(symbol) {
    const controls = await networks[symbol].controls?.();
    if (held.isFree(symbol, vaspId)) await controls?.hold(false);
    held.release(symbol, vaspId);
  },
});

/** Resolves after the next commit, at the latest after `ms`. */
async function nextCommit(db: Db, ms: number): Promise<void> {
  let stop = () => {};
  const commit = new Promise<void>(resolve => {
    stop = onCommit(db, resolve);
  });
  await firstWithin(ms, [commit]);
  stop();
}
