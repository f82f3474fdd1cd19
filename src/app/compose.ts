import type { AssetSymbol } from '../contract/assets.ts';
import { type Home, hasPart, isIn } from '../contract/parts.ts';
import { devnetUpgrades } from '../devnet/mount.ts';
import { isCopying } from '../enclave/http-enclave/copies.ts';
import { enclaveEndpoints } from '../enclave/routes.ts';
import type { Endpoint } from '../http/endpoint.ts';
import type { Served } from '../http/listener.ts';
import { firstWithin } from '../kernel/interval.ts';
import { robotEndpoints } from '../robot/routes.ts';
import { runEndpoints } from '../runs/routes.ts';
import { sandboxEndpoints } from '../sandbox/routes.ts';
import type { Vasp } from '../vasps/port.ts';
import type { Callers } from './callers/callers.ts';
import { keptRefusals } from './callers/kept-refusals.ts';
import { superviseChains } from './chains/supervisor.ts';
import { missingParts } from './missing-parts.ts';
import { baseParts, type World } from './parts/base.ts';
import { enclavePart } from './parts/enclave.ts';
import { watchEnclave } from './parts/enclave-watch.ts';
import { robotPart } from './parts/robot.ts';
import { sandboxPart } from './parts/sandbox.ts';
import { addClock, ROBOT_PATH, servedRobot } from './parts/served-robot.ts';
import { serving } from './parts/serving.ts';
import { loadVasps, seedVasps } from './seed-vasps.ts';
import { watchFiles } from './storage/lost-files.ts';
import { startRetention } from './storage/retention.ts';
import { startTimers } from './timer-handlers.ts';

/** What a timer calls longer is called again after the next start, as after a kill. */
const CALLS_END_WITHIN_MS = 5_000;

export interface App extends Served {
  /** The routes, with `:name` and `*`; method ALL: any. */
  routes: readonly { method: string; path: string }[];
  /** Starts timers and chains. Requests are served before that, too. `url`: where the server listens. */
  start(url: string): void;
  /**
   * Resolves when the chains, by default both, were read up to their heads for the first time; false: it stopped before
   * that.
   */
  ready(symbols?: readonly AssetSymbol[]): Promise<boolean>;
  /** The missing parts, as in `/readyz`. */
  missing(): string[];
  /**
   * Stops what calls the server: the runs, then the VASP that they judge. Then nothing waits for events any more. Before
   * the server closes.
   */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** The composition root: it puts the parts together. */
export function buildApp(world: World): App {
  const { config, log, networks } = world;
  const base = baseParts(world, () => callers);
  const { db, timers, vasps, stopping } = base;
  seedVasps(db, vasps, config, loadVasps(base.fixturesPath), base.machineClock.now());

  const residents = new Map<string, Vasp>();
  const foreign = config.parts === 'robot' ? watchEnclave(base) : undefined;
  const enclave = enclavePart(base, residents, foreign?.authorization);
  const robot = robotPart(base, enclave.enclave);
  if (hasPart(config.parts, 'robot')) residents.set(config.robot.vaspId, robot.vasp);

  const watch = superviseChains(networks, robot.deps, config, log);
  const lostFiles = watchFiles(config, networks.XRP.openDatabases, log, stopping.signal);
  const missing = () =>
    missingParts(db, lostFiles, () => [...(foreign?.missing() ?? []), ...watch.missing()]);
  const controlled = { enclave: enclave.deps, robot: robot.deps, watch, missing, endpoints: () => endpoints };
  const { deps: sandbox, referenceVasp, jwks } = sandboxPart(base, controlled);
  const callers: Callers = world.createCallers({ config, vasps, sandbox, log });
  const { all, ...control } = sandboxEndpoints(sandbox);
  const played = runEndpoints(sandbox);
  const routes: [Home, Endpoint[]][] = [
    ['enclave', [...enclaveEndpoints(enclave.enclave), ...control.enclave]],
    ['robot', [...robotEndpoints(robot.deps), ...control.robot, ...played.robot]],
    ['all', all],
    ['both', [...played.both, ...control.both]],
  ];
  const here = routes.filter(([home]) => isIn(home, config.parts)).flatMap(([, those]) => those);
  const elsewhere = routes.filter(([home]) => !isIn(home, config.parts));
  const endpoints: Endpoint[] = callers.endpoints(here);
  const refused = keptRefusals(base, endpoints, callers);
  const app = serving(base, { endpoints, elsewhere, callers, refused, sandbox, watch, jwks });
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
    mostBytes: callers.mostBytes,
    senderOf: callers.senderOf,
    inTurn: callers.inTurn,
    noteRefused: refused.note,
    start(url) {
      startTimers(enclave.deps, robot.deps);
      watch.start();
      foreign?.start(url);
      if (config.parts === 'both') {
        sandbox.runs.resume();
        referenceVasp.listensAt(url);
      }
      stopRetention = startRetention(sandbox, config.retentionMs, log);
    },
    ready: async symbols => (await watch.ready(symbols)) && (await (foreign?.ready() ?? true)),
    missing,
    async leave() {
      await sandbox.runs.close();
      await referenceVasp.stopWithSandbox();
      stopping.abort();
    },
    async stop() {
      stopping.abort();
      await sandbox.runs.close();
      stopRetention();
      callers.stop();
      await watch.stop();
      await firstWithin(CALLS_END_WITHIN_MS, [timers.stop().then(enclave.deps.directory.close)]);
      await networks.stop();
      base.exchanges.close();
      db.close();
    },
  };
}
