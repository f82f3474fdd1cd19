import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, accountKey } from '../contract/assets.ts';
import type { Customers } from '../contract/customers.ts';
import type { Db } from '../db/open.ts';
import { onCommit } from '../db/transaction.ts';
import type { RegisteredVasp } from '../enclave/control.ts';
import { watchClock } from '../kernel/clock-jumps.ts';
import { parseDuration } from '../kernel/duration.ts';
import { firstWithin } from '../kernel/interval.ts';
import { watchStandstills } from '../kernel/standstill.ts';
import { type Driver, driverAt } from '../plans/driver.ts';
import { probeDriver } from '../plans/probe-driver.ts';
import { watchSilence } from '../plans/silence.ts';
import { Unplayable } from '../plans/stop.ts';
import type { RunRow } from '../plans/store.ts';
import { createTarget } from '../plans/target.ts';
import { untilListening } from '../plans/until-listening.ts';
import type { PlanUser, RunWorld } from '../plans/world.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { pause } from '../timers/loop.ts';

const WAIT_MS = 10_000;
const HAND_MS = 600_000;
const READY_WITHIN_MS = 60_000;
const SANDBOX_MS = 60_000;
const BLOCKS_AT_ONCE = 12;

/** The sandbox as a run sees it. Waits until its chains are read and, unless a person acts, until the VASP listens. */
export async function createRunWorld(
  deps: Omit<SandboxDeps, 'runs'>,
  api: Client,
  run: RunRow,
  now: () => number,
  signal: AbortSignal,
  isResumed: boolean,
): Promise<RunWorld> {
  const { settings, vaspId } = run;
  const present = () => addressesOf(deps.enclave.findVasp(vaspId)!, settings.driver);
  // After a restart the addresses of the reference VASP are removed while this waits.
  const hadDriver = present().driver !== undefined;
  const isRead = (symbol: AssetSymbol) => deps.networks[symbol].state().ok;
  const symbols = settings.symbols ?? ASSET_SYMBOLS;
  for (let waited = 0; !symbols.every(isRead) && waited < READY_WITHIN_MS; waited += 100)
    await pause(100, signal);
  const { guard } = deps.enclave;
  const handMs = settings.wait === undefined ? HAND_MS : parseDuration(settings.wait)!;
  const waitMs = settings.wait === undefined ? WAIT_MS : handMs;
  if (settings.unattended || hadDriver || present().driver) {
    const urls = () => present().urls;
    if (isResumed || urls().length > 0) await untilListening(urls, { guard, limitMs: waitMs, signal });
  }
  requireVasp(await untilListening(() => present().vasp, { guard, limitMs: 0, signal }), present().vasp);
  const { registration, driver: address } = present();
  if (hadDriver && !address)
    throw new Unplayable({ of: 'DRIVER', message: 'The driver address is registered no more.' });
  const driver = address && driverAt(address, { guard, signal });
  const customer = settings.customers?.customers[0];
  const probe = { runId: run.id, customer, limitMs: Math.min(waitMs, WAIT_MS), now: now() };
  const described = driver && (await probeDriver(driver, probe).catch(closing(driver)));
  const customers = settings.customers ?? described?.customers;
  const { users } = await api.users();
  const flaw = customers && accountOfRobot(customers, users);
  if (flaw !== undefined) {
    await driver?.close();
    throw new Unplayable({ of: 'VASP', message: flaw });
  }
  const commits = nextCommit(deps.db);
  const stopWatching = watchStandstills();
  const clockWatch = watchClock();
  const target = createTarget({
    registration,
    guard,
    signer: deps.enclave.signer,
    timeoutMs: deps.enclave.timeoutMs,
    exchanges: deps.exchanges,
    now: () => deps.clock.now(vaspId),
  });
  return {
    runId: run.id,
    vaspId,
    robotVaspId: deps.robot.vaspId,
    settings,
    digits: run.digits,
    customers,
    driver,
    isSideBySide: driver !== undefined,
    symbolOf: new Map(),
    networkOf: new Map(),
    ledgers: new Map(),
    watch: { creditsSince: undefined, held: new Set() },
    users: new Map(users.map(user => [user.id, user])),
    api,
    exchanges: deps.exchanges,
    target,
    silence: watchSilence({ exchanges: deps.exchanges, vaspId, timeoutMs: deps.enclave.timeoutMs }),
    timeoutMs: deps.enclave.timeoutMs,
    sandboxMs: SANDBOX_MS,
    waitMs,
    handMs,
    inquiryWaitMs: parseDuration(settings.inquiryWait)!,
    thresholds: deps.enclave.thresholds,
    inquiryDueInMs(key) {
      const [timer] = deps.timers.pendingOf([{ kind: 'robot.deposit.inquire', key }]);
      return timer && timer.dueAt - deps.clock.now(vaspId);
    },
    chain: symbol => deps.networks[symbol].chain(),
    isEmbedded: symbol => deps.networks[symbol].isEmbedded,
    async moveLedgerOn(symbol) {
      if (await deps.networks[symbol].isHeld()) return;
      if (symbol === 'XRP') (await deps.networks.XRP.knobs?.())?.closePending();
      else await (await deps.networks.ETH.knobs?.())?.mine(BLOCKS_AT_ONCE);
    },
    takeLedger: symbol => deps.held.take(symbol, run.vaspId),
    async releaseLedger(symbol) {
      const knobs = await deps.networks[symbol].knobs?.();
      if (deps.held.isFree(symbol, run.vaspId)) await knobs?.hold(false);
      deps.held.release(symbol, run.vaspId);
    },
    uuid: () => deps.random.uuid(),
    memoryBytes: () => process.resourceUsage().maxRSS * 1024,
    now,
    sandboxNow: () => deps.clock.now(vaspId),
    clockJumpMs: clockWatch.jumpMs,
    nextCommit: commits.wait,
    signal,
    async close() {
      commits.stop();
      stopWatching();
      clockWatch.stop();
      await driver?.close();
      await target.close();
    },
  };
}

/** The addresses of the VASP at this moment. */
function addressesOf(registration: RegisteredVasp, ordered: RunRow['settings']['driver']) {
  const { endpoints, authorization } = registration;
  const driver = ordered ?? (endpoints.driver ? { url: endpoints.driver, ...authorization } : undefined);
  const { driver: _, ...own } = endpoints;
  const vasp = Object.values(own).flatMap(url => url ?? []);
  return { registration, driver, vasp, urls: [...vasp, ...(driver ? [driver.url] : [])] };
}

/** A VASP that listens at none of its addresses cannot be judged. */
function requireVasp(silent: readonly string[], urls: readonly string[]): void {
  if (urls.length === 0 || silent.length < urls.length) return;
  const places = [...new Set(silent.map(url => new URL(url).origin))].join(', ');
  throw new Unplayable({ of: 'VASP', message: `The VASP does not answer: nobody listens at ${places}.` });
}

/** A deposit to itself proves nothing. Undefined: no customer has an account of the robot. */
function accountOfRobot({ customers }: Customers, users: readonly PlanUser[]): string | undefined {
  const addressIn = (symbol: AssetSymbol, account: string) => accountKey(symbol, account).split(':')[0];
  for (const { id, accounts } of customers)
    for (const symbol of ASSET_SYMBOLS) {
      const account = accounts[symbol];
      const isOfRobot = users.some(
        user => account && addressIn(symbol, user.accounts[symbol]) === addressIn(symbol, account),
      );
      if (isOfRobot)
        return `Customer ${id} has the account ${account}, which belongs to the robot: name an account of your VASP.`;
    }
  return undefined;
}

const closing =
  ({ close }: Driver) =>
  async (error: unknown): Promise<never> => {
    await close();
    throw error;
  };

/** Wakes any number of readers after the next commit. */
function nextCommit(db: Db) {
  const waiting = new Set<() => void>();
  const stop = onCommit(db, () => {
    for (const wake of waiting) wake();
  });
  return {
    /** Resolves after the next commit, at the latest after `ms`. */
    async wait(ms: number): Promise<void> {
      let wake = () => {};
      const woken = new Promise<void>(resolve => {
        wake = resolve;
      });
      waiting.add(wake);
      await firstWithin(ms, [woken]);
      waiting.delete(wake);
    },
    stop,
  };
}
