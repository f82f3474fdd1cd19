import { join } from 'node:path';
import * as z from 'zod';
import type { AssetSymbol } from '../contract/assets.ts';
import { hasRole, type Roles, type ServedBy, serves } from '../contract/tenancy.ts';
import { text, VaspId } from '../contract/text.ts';
import type { Db } from '../db/open.ts';
import { troubleOf, write } from '../db/transaction.ts';
import type { DevnetCaller } from '../devnet/access.ts';
import { devnetUpgrades } from '../devnet/mount.ts';
import { deliver, recoverCallbacks } from '../enclave/callbacks/deliver.ts';
import type { EnclaveDeps } from '../enclave/deps.ts';
import { followEnclave, isCopying } from '../enclave/http-enclave/http-enclave.ts';
import type { Enclave } from '../enclave/port.ts';
import { collectResult } from '../enclave/risk/async-assessment.ts';
import { enclaveEndpoints } from '../enclave/routes.ts';
import type { VaspStore } from '../enclave/vasps/store.ts';
import { timeOut } from '../enclave/verification/complete.ts';
import { askBeneficiary } from '../enclave/verification/verify.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Served } from '../http/listener.ts';
import { refusedCalls } from '../http/refused-calls.ts';
import { firstWithin } from '../kernel/clock.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { readFixture } from '../kernel/text-file.ts';
import { inquire, lookUpReport } from '../robot/deposit/inquire.ts';
import type { RobotDeps } from '../robot/deps.ts';
import { robotEndpoints } from '../robot/routes.ts';
import { runWallet } from '../robot/transfer/run-wallet.ts';
import type { RunsDeps } from '../runs/create-plans.ts';
import { runEndpoints } from '../runs/routes.ts';
import { sandboxEndpoints } from '../sandbox/routes.ts';
import type { Timers } from '../timers/timers.ts';
import type { Registration } from '../vasps/http-client.ts';
import type { Vasp } from '../vasps/port.ts';
import type { Callers } from './callers/callers.ts';
import { superviseChains } from './chains/supervisor.ts';
import { type Config, DEFAULT_VASP_NAME } from './config/config.ts';
import { baseParts, type World } from './parts/base.ts';
import { enclavePart, watchEnclave } from './parts/enclave.ts';
import { addClock, ROBOT_PATH, robotPart, servedRobot } from './parts/robot.ts';
import { sandboxPart } from './parts/sandbox.ts';
import { serving } from './parts/serving.ts';
import { startRetention, watchFiles } from './storage.ts';

/** What a timer calls longer is called again after the next start, as after a kill. */
const CALLS_END_WITHIN_MS = 5_000;

export interface App extends Served<DevnetCaller> {
  /** The routes, with `:name` and `*`; method ALL: any. */
  routes: readonly { method: string; path: string }[];
  /** Starts timers and chains. Requests are served before that, too. `url`: where the server listens. */
  start(url: string): void;
  /** Resolves when the chains, by default both, were first read up to their heads; false: it stopped before. */
  ready(symbols?: readonly AssetSymbol[]): Promise<boolean>;
  /** The missing parts, as in `/readyz`. */
  missing(): string[];
  /** Before the server closes: stops the runs, then the VASP that they judge, then all that waits for events. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** The composition root: it puts the parts together. */
export function buildApp(world: World): App {
  const { config, log, networks } = world;
  const base = baseParts(world, () => callers);
  seedVasps(base.db, base.vasps, config, loadVasps(base.fixturesPath), base.machineClock.now());

  const residents = new Map<string, Vasp>();
  const foreign = config.roles === 'robot' ? watchEnclave(base) : undefined;
  const enclave = enclavePart(base, residents, foreign?.authorization);
  const robot = robotPart(base, enclave.enclave);
  if (hasRole(config.roles, 'robot')) residents.set(config.robot.vaspId, robot.vasp);

  const watch = superviseChains(networks, robot.deps, config, log);
  const lostFiles = watchFiles(config, networks.XRP.openDatabases, log, base.stopping.signal);
  const missing = () => missingParts(base.db, lostFiles, () => [...(foreign?.missing() ?? []), ...watch.missing()]);
  const controlled = { enclave: enclave.deps, robot: robot.deps, watch, missing, endpoints: () => endpoints };
  const { deps: sandbox, referenceVasp, jwks } = sandboxPart(base, controlled);
  const callers: Callers = world.createCallers({ config, vasps: base.vasps, sandbox, log });
  const { here, notServed } = endpointsOf(config.roles, enclave.enclave, robot.deps, sandbox);
  const endpoints: Endpoint[] = callers.endpoints(here);
  const { exchanges, clock } = base;
  const refused = refusedCalls({ endpoints, exchanges, now: clock.now, vaspOf: callers.vaspOf });
  const app = serving(base, { endpoints, notServed, callers, refused, sandbox, watch, jwks });
  if (foreign && isCopying(enclave.deps))
    app.route(
      ROBOT_PATH,
      addClock(servedRobot(base, enclave.deps, robot.vasp, foreign.token), base, sandbox, foreign.token),
    );

  let stopRetention = () => {};
  return {
    fetch: app.fetch,
    routes: app.routes,
    upgrades: devnetUpgrades(networks),
    admitUpgrade: callers.admitUpgrade,
    maxBytes: callers.maxBytes,
    senderOf: callers.senderOf,
    inTurn: callers.inTurn,
    noteRefused: refused.note,
    missing,
    start(url) {
      startTimers(enclave.deps, robot.deps);
      watch.start();
      foreign?.start(url);
      if (config.roles === 'both') {
        sandbox.runs.resume(base.vasps.isActive);
        referenceVasp.listensAt(url);
      }
      stopRetention = startRetention(sandbox, config.retentionMs, log);
    },
    ready: async symbols => (await watch.ready(symbols)) && (await (foreign?.ready() ?? true)),
    async leave() {
      await sandbox.runs.close();
      await referenceVasp.stopWithSandbox();
      base.stopping.abort();
    },
    async stop() {
      base.stopping.abort();
      await sandbox.runs.close();
      stopRetention();
      callers.stop();
      await watch.stop();
      await firstWithin(CALLS_END_WITHIN_MS, [base.timers.stop().then(enclave.deps.directory.close)]);
      await networks.stop();
      base.exchanges.close();
      base.db.close();
    },
  };
}

/** The endpoints that a process with these roles serves, and those that another process serves. */
function endpointsOf(roles: Roles, enclave: Enclave, robot: RobotDeps, sandbox: RunsDeps) {
  const { all, ...control } = sandboxEndpoints(sandbox);
  const played = runEndpoints(sandbox);
  const served: [ServedBy, Endpoint[]][] = [
    ['enclave', [...enclaveEndpoints(enclave), ...control.enclave]],
    ['robot', [...robotEndpoints(robot), ...control.robot, ...played.robot]],
    ['all', all],
    ['both', [...played.both, ...control.both]],
  ];
  const here = served.filter(([servedBy]) => serves(servedBy, roles)).flatMap(([, endpoints]) => endpoints);
  return { here, notServed: served.filter(([servedBy]) => !serves(servedBy, roles)) };
}

/** The parts that are missing before tests can run. Empty: ready. */
export function missingParts(db: Db, lost: () => string[], ofChains: () => string[]): string[] {
  try {
    const trouble = troubleOf(db)?.error.message;
    return [...(trouble === undefined ? [] : [trouble]), ...lost(), ...ofChains()];
  } catch (error) {
    return [storageTrouble(error)?.message ?? 'the database does not answer'];
  }
}

const timerHandlers = (enclave: EnclaveDeps, robot: RobotDeps): Parameters<Timers['start']>[0] => ({
  'enclave.verification.ask': payload => askBeneficiary(enclave, payload),
  'enclave.verification.time-out': payload =>
    isCopying(enclave) ? followEnclave(enclave, payload) : timeOut(enclave, payload),
  'enclave.risk.collect': payload => collectResult(enclave, payload),
  'enclave.callback.deliver': (payload, owner) => deliver(enclave, payload, owner),
  'robot.deposit.inquire': payload => inquire(robot, payload),
  'robot.report.look-up': payload => lookUpReport(robot, payload),
  'robot.wallet.pay': payload => runWallet(robot, payload),
});

/** Callbacks without a timer get theirs first. */
export function startTimers(enclave: EnclaveDeps, robot: RobotDeps): void {
  recoverCallbacks(enclave);
  enclave.timers.start(timerHandlers(enclave, robot));
}

/** Another member of the alliance. An inactive one provokes ALLIANCE-NOT-ACTIVE. */
const FixtureVasp = z.strictObject({ vaspId: VaspId, name: text(256), isActive: z.boolean() });
type FixtureVasp = z.infer<typeof FixtureVasp>;

/** Reads `vasps.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadVasps = (fixturesPath: string): FixtureVasp[] =>
  readFixture(join(fixturesPath, 'vasps.json'), z.array(FixtureVasp));

/** Saves the VASPs of the start: the robot if it runs here, the configured tested VASP, and the fixtures' VASPs. */
export function seedVasps(db: Db, vasps: VaspStore, config: Config, fixtures: FixtureVasp[], now: number): void {
  const { vaspId } = config.vasp;
  const isRegistered = vasps.find(vaspId) !== undefined || fixtures.some(vasp => vasp.vaspId === vaspId);
  const withoutEndpoints = { endpoints: {}, authorization: { header: 'Authorization' } };
  write(db, tx => {
    const seed = (vasp: Pick<Registration, 'vaspId' | 'name' | 'endpoints' | 'authorization'>, isActive = true) => {
      const registered = vasps.find(vasp.vaspId);
      const row = { ...vasp, isActive, createdAt: registered?.createdAt ?? now, updatedAt: now };
      vasps.save(tx, row);
    };
    for (const { isActive, ...vasp } of fixtures) seed({ ...vasp, ...withoutEndpoints }, isActive);
    if (hasRole(config.roles, 'robot')) seed({ ...config.robot, ...withoutEndpoints });
    if (config.mode !== 'local') return;
    // A registration at run time stays, unless the environment names endpoints, or another name.
    const isConfigured = Object.values(config.vasp.endpoints).some(endpoint => endpoint !== undefined);
    const { name } = config.vasp;
    const registered = vasps.find(vaspId);
    if (isConfigured || !isRegistered) seed(config.vasp);
    else if (registered && name !== DEFAULT_VASP_NAME) seed({ ...registered, name }, registered.isActive);
  });
}
