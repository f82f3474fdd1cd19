import type { Client, RobotUser } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, accountKey, splitAddress } from '../contract/assets.ts';
import type { Customer, Customers, DriverDescription } from '../contract/customers.ts';
import type { RunReport } from '../contract/plans.ts';
import type { Db } from '../db/open.ts';
import { onCommit } from '../db/transaction.ts';
import { elapsedMs, firstWithin, toIso, watchClock } from '../kernel/clock.ts';
import { parseDuration } from '../kernel/duration.ts';
import type { Log } from '../kernel/log.ts';
import type { SecretBox } from '../kernel/secrets.ts';
import { longestStallWithin, longestWaitSince, selfDelay, watchQueueDelay, watchStalls } from '../kernel/stall.ts';
import { type Driver, driverAt } from '../plans/driver.ts';
import { watchSilence } from '../plans/run-module.ts';
import { createRunner, type PlanRunner } from '../plans/runner.ts';
import { Unplayable } from '../plans/stop.ts';
import { hasOther, type RunRow } from '../plans/store.ts';
import { createTarget, untilListening } from '../plans/target.ts';
import type { RunWorld } from '../plans/world.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { pause } from '../timers/loop.ts';

/** What plays by the API of the program has the sandbox and that API. */
export interface RunsDeps extends SandboxDeps {
  runs: PlanRunner;
  apiOf(vaspId: string): Client;
  certify(report: RunReport): Promise<string>;
}

/** What plays a run has no runs: they have it. */
type WorldDeps = Omit<SandboxDeps, 'runs'>;

interface PlansDeps extends Omit<RunsDeps, 'runs'> {
  log: Log;
  box: SecretBox;
  /** Time of the machine, epoch ms. */
  now(): number;
}

export function createPlans(deps: PlansDeps): PlanRunner {
  const { db, box, log, now, apiOf, random, clock, networks, enclave, version } = deps;
  let chains: RunReport['chains'] = ASSET_SYMBOLS.map(symbol => ({
    symbol,
    network: networks[symbol].publicUrl,
    id: null,
    embedded: networks[symbol].isEmbedded,
  }));
  const nameChains = async () => {
    chains = await Promise.all(
      chains.map(async each => {
        const chain = await networks[each.symbol as 'ETH' | 'XRP'].chain();
        return { ...each, network: chain.label, id: chain.networkId ?? null, finality: chain.finality };
      }),
    );
  };
  return createRunner({
    db,
    box,
    now,
    nowOf: clock.now,
    uuid: random.uuid,
    fraction: random.fraction,
    async worldOf(run, signal, isResumed) {
      const world = await createRunWorld(deps, { api: apiOf(run.vaspId), run, now, signal, isResumed });
      await nameChains().catch(async error => {
        await world.close();
        throw error;
      });
      return world;
    },
    judgedBy: vaspId => ({ tool: `robot-vasp ${version}`, vasp: { vaspId, name: enclave.vaspName(vaspId) }, chains }),
    onError: error => log.error({ err: String(error), stack: (error as Error).stack }, 'a run failed'),
  });
}

const WAIT_MS = 10_000;
const HAND_MS = 600_000;
const READY_WITHIN_MS = 60_000;
const SANDBOX_MS = 60_000;
/** A call that comes while the sandbox stands still for nearly all of this time waits as long. */
const STALL_WITHIN_MS = 1_200;
const BATCH_SIZE = 12;

interface Beginning {
  api: Client;
  run: RunRow;
  now(): number;
  signal: AbortSignal;
  /** The run had begun before the program started. */
  isResumed: boolean;
}

/** The sandbox as a run sees it. Waits until its chains are read and, unless a person acts, until the VASP listens. */
async function createRunWorld(deps: WorldDeps, beginning: Beginning): Promise<RunWorld> {
  const { enclave, exchanges } = deps;
  const { api, run, signal } = beginning;
  const { settings, vaspId } = run;
  const { guard, signer, timeoutMs, thresholds } = enclave;
  const { registration, driver, users, customers, followsSandboxClock, ...waits } = await partiesOf(deps, beginning);
  const { stop, ...times } = timesOf(deps, run, beginning.now);
  const isVerification = (uuid: string) => enclave.isPartyTo(vaspId, uuid);
  const calls = { registration, guard, signer, timeoutMs, exchanges, now: times.sandboxNow, isVerification };
  const target = createTarget(calls);
  return {
    runId: run.id,
    vaspId,
    since: exchanges.newest(),
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
    watch: { creditsSince: undefined, held: new Set(), moves: [], isResumed: beginning.isResumed, ends: new Set() },
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

/** The users of the robot, and the VASP with its driver and its customers. Throws `Unplayable`. */
async function partiesOf({ enclave, networks }: WorldDeps, { api, run, now, signal, isResumed }: Beginning) {
  const { settings, vaspId } = run;
  const { guard } = enclave;
  const given = settings.wait === undefined ? undefined : parseDuration(settings.wait)!;
  const waits = { waitMs: given ?? WAIT_MS, handMs: given ?? HAND_MS };
  const addresses = () => {
    const registration = enclave.findVasp(vaspId)!;
    const { endpoints, authorization } = registration;
    const found = settings.driver ?? (endpoints.driver ? { url: endpoints.driver, ...authorization } : undefined);
    const { driver: _, ...own } = endpoints;
    const vasp = Object.values(own).flatMap(url => url ?? []);
    return {
      registration,
      driver: found && { ...found, vaspId },
      vasp,
      urls: [...vasp, ...(found ? [found.url] : [])],
    };
  };
  // After a restart the addresses of the reference VASP are removed meanwhile.
  const hadDriver = addresses().driver !== undefined;
  const isRead = () => (settings.symbols ?? ASSET_SYMBOLS).every(symbol => networks[symbol].state().ok);
  for (let waited = 0; !isRead() && waited < READY_WITHIN_MS; waited += 100) await pause(100, signal);
  if (settings.unattended || hadDriver || addresses().driver) {
    const urls = () => addresses().urls;
    if (isResumed || urls().length > 0) await untilListening(urls, { guard, limitMs: waits.waitMs, signal });
  }
  requireVasp(await untilListening(() => addresses().vasp, { guard, limitMs: 0, signal }), addresses().vasp);
  const { registration, driver: address } = addresses();
  if (hadDriver && !address)
    throw new Unplayable({ of: 'DRIVER', message: 'The driver endpoint is registered no more.' });
  const driver = address && driverAt(address, { guard, signal });
  try {
    const customer = settings.customers?.customers[0];
    const limitMs = Math.min(waits.waitMs, PROBE_MS);
    const described = driver && (await probeDriver(driver, { runId: run.id, customer, limitMs, now: now() }));
    const customers = settings.customers ?? described?.customers;
    const { users } = await api.users();
    const problem = customers && accountOfRobot(customers, users);
    if (problem !== undefined) throw new Unplayable({ of: 'VASP', message: problem });
    return { registration, driver, users, customers, followsSandboxClock: described?.clock === 'sandbox', ...waits };
  } catch (error) {
    await driver?.close();
    throw error;
  }
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
      Math.max(longestWaitSince(vaspId, from), longestStallWithin(STALL_WITHIN_MS, Math.max(from, beganAt))),
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

const ledgersOf = ({ db, networks, held }: WorldDeps, vaspId: string, signal: AbortSignal) => ({
  chain: (symbol: AssetSymbol) => networks[symbol].chain(),
  isEmbedded: (symbol: AssetSymbol) => networks[symbol].isEmbedded,
  async moveLedgerOn(symbol: AssetSymbol) {
    if (await networks[symbol].isHeld()) return;
    if (symbol === 'XRP') (await networks.XRP.controls?.())?.closePending();
    else await (await networks.ETH.controls?.())?.mine(BATCH_SIZE);
  },
  isLedgerFree: (symbol: AssetSymbol) => held.isFree(symbol, vaspId),
  isShared: () => hasOther(db, vaspId),
  async failPayment(symbol: AssetSymbol, text: string) {
    const { account, tag } = (await networks[symbol].chain()).parseAddress(text)!;
    return (await networks[symbol].controls?.())?.failPayment(account, tag);
  },
  delegate: async (account: string) => (await networks.ETH.controls?.())?.delegate(account),
  takeLedger: (symbol: AssetSymbol) => held.take(symbol, vaspId, signal),
  async releaseLedger(symbol: AssetSymbol) {
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

/** The longest wait for an answer of the driver before the run begins. */
const PROBE_MS = 10_000;

/** A VASP that listens at none of its endpoints cannot be judged. */
function requireVasp(silent: readonly string[], urls: readonly string[]): void {
  if (urls.length === 0 || silent.length < urls.length) return;
  const places = [...new Set(silent.map(url => new URL(url).origin))].join(', ');
  throw new Unplayable({ of: 'VASP', message: `The VASP does not answer: nobody listens at ${places}.` });
}

/** A deposit to itself proves nothing. Undefined: no customer has an account of the robot. */
function accountOfRobot({ customers }: Customers, users: readonly RobotUser[]): string | undefined {
  const addressIn = (symbol: AssetSymbol, account: string) => splitAddress(accountKey(symbol, account))[0];
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

interface Probe {
  runId: string;
  /** One who is known. Undefined: one that the VASP does not know. */
  customer: Customer | undefined;
  limitMs: number;
  /** Time of the machine, epoch ms. */
  now: number;
}

/**
 * Asks the driver endpoint for its description before anything is played. An address without one must answer to an order:
 * it is asked for a balance, which changes nothing. Undefined: it describes nothing. Throws `Unplayable`.
 */
async function probeDriver(driver: Driver, probe: Probe): Promise<DriverDescription | undefined> {
  const found = await driver.describe(probe.limitMs);
  if (found.kind === 'described') return found.description;
  const why = found.kind === 'failed' ? found.why : await problemOf(driver, probe);
  if (why !== undefined) throw new Unplayable({ of: 'DRIVER', message: `${driver.name} ${why}.` });
  return undefined;
}

const NOBODY: Customer = {
  id: 'nobody',
  kind: 'natural',
  names: { lastName: 'Nobody', firstName: 'Nobody' },
  accounts: { ETH: '0x000000000000000000000000000000000000dead' },
  kyc: false,
};

/** A driver that cannot tell a balance answers 501, and one that does not know the customer any other error. */
async function problemOf(driver: Driver, { runId, customer, limitMs, now }: Probe): Promise<string | undefined> {
  const parameters = { symbol: 'ETH', customer: customer ?? NOBODY };
  const answerBy = toIso(now + limitMs);
  const order = { runId, module: 'probe', action: 'balance', parameters, answerBy } as const;
  const outcome = await driver.act(order, limitMs);
  if (outcome.kind !== 'failed') return undefined;
  const { status, why } = outcome;
  const isAlive = status !== undefined && status >= 400 && ![401, 403, 404, 405].includes(status);
  if (isAlive || (status === 404 && !customer)) return undefined;
  return status === 404 || status === 405
    ? `answered ${status} to POST: it is no driver endpoint. A driver answers 501 to what it cannot do`
    : why;
}
