import { join } from 'node:path';
import { Hono } from 'hono';
import type { AssetSymbol } from '../contract/assets.ts';
import { renaming } from '../contract/provider-names.ts';
import { actAs } from '../contract/tenancy.ts';
import { type Db, openDb } from '../db/open.ts';
import { devnetRoutes, devnetUpgrades } from '../devnet/mount.ts';
import { createMailboxNotifier } from '../enclave/callbacks/mailbox-notifier.ts';
import { callbackStore } from '../enclave/callbacks/store.ts';
import type { EnclaveDeps } from '../enclave/deps.ts';
import { createEnclave } from '../enclave/enclave.ts';
import { createEnclaveControl } from '../enclave/enclave-control.ts';
import { assessmentStore } from '../enclave/risk/store.ts';
import { enclaveEndpoints } from '../enclave/routes.ts';
import { vaspStore } from '../enclave/vasps/store.ts';
import { verificationStore } from '../enclave/verification/store.ts';
import { faultyAnswer } from '../fault-injection/faulty-answer.ts';
import { faultyVasp } from '../fault-injection/faulty-vasp.ts';
import { createInjector, MOST_FAULTS, MOST_FAULTS_HOSTED } from '../fault-injection/injector.ts';
import { identityOnly } from '../http/body.ts';
import type { Served } from '../http/listener.ts';
import { healthRoutes, metricsRoutes } from '../http/monitoring.ts';
import { mount } from '../http/mount.ts';
import { openApiRoutes } from '../http/openapi.ts';
import { renameProviders } from '../http/rename-providers.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { packageRoot } from '../kernel/package-root.ts';
import { type Random, systemRandom } from '../kernel/random.ts';
import { version } from '../kernel/version.ts';
import { balanceStore } from '../robot/balance/store.ts';
import { readBlockStore } from '../robot/deposit/read-block-store.ts';
import { depositStore } from '../robot/deposit/store.ts';
import type { RobotDeps } from '../robot/deps.ts';
import { expectationStore } from '../robot/expectation/store.ts';
import { answerStore } from '../robot/idempotency/store.ts';
import { reconciliationStore } from '../robot/reconciliation/store.ts';
import { restoredStore } from '../robot/restored/store.ts';
import { createRobotControl } from '../robot/robot-control.ts';
import { robotEndpoints } from '../robot/routes.ts';
import { transferStore } from '../robot/transfer/store.ts';
import { loadListedOriginators, loadUsers } from '../robot/users/load.ts';
import { userStore } from '../robot/users/store.ts';
import { createUsers } from '../robot/users/users.ts';
import { robotVasp } from '../robot/vasp.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { exchangeStore } from '../sandbox/exchanges/store.ts';
import { sandboxEndpoints } from '../sandbox/routes.ts';
import { createPlans } from '../sandbox/runs/create-plans.ts';
import { requestExamples } from '../sandbox/scenarios/examples.ts';
import { sandboxClock } from '../timers/sandbox-clock.ts';
import { createTimers } from '../timers/timers.ts';
import { directory } from '../vasps/directory.ts';
import type { HttpVaspDeps } from '../vasps/http-vasp.ts';
import type { Vasp } from '../vasps/port.ts';
import { createGuard } from './call-guard.ts';
import { type CreateCallers, timerLimits } from './callers/callers.ts';
import { createCertificates } from './certificates.ts';
import { type AppChains, loadedChains } from './chains/chains.ts';
import { superviseChains } from './chains/supervisor.ts';
import type { Config } from './config/config.ts';
import { inProcessApi } from './in-process.ts';
import { collectMetrics, countServed } from './metrics.ts';
import { missingParts } from './missing-parts.ts';
import { mountPages } from './pages.ts';
import { referenceVaspSwitch } from './reference-vasp.ts';
import { createScreening } from './screening.ts';
import { loadVasps, seedVasps } from './seed-vasps.ts';
import { createSigning } from './signing.ts';
import { createSecretBox } from './storage/data-key.ts';
import { watchFiles } from './storage/lost-files.ts';
import { startRetention } from './storage/retention.ts';
import { startTimers } from './timer-handlers.ts';

/** The program depends on these; tests replace them. */
export interface World {
  config: Config;
  log: Log;
  networks: AppChains;
  createCallers: CreateCallers;
  clock?: Clock;
  random?: Random;
  /** Default: opened at the path of the configuration. The app closes it. */
  db?: Db;
}

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
  /** Stops what calls the server: the runs, then the VASP that they judge. Before the server closes. */
  leave(): Promise<void>;
  stop(): Promise<void>;
}

/** The composition root: the only place that knows every module. */
export function buildApp({
  config,
  log,
  networks,
  createCallers,
  clock: machineClock = systemClock,
  random = systemRandom,
  db = openDb(config.databasePath),
}: World): App {
  const clock = sandboxClock(db, machineClock);
  const timers = createTimers({ db, clock, log, mostOf: timerLimits(() => callers) });
  const exchanges = exchangeStore(db);
  const stopping = new AbortController();
  const shippedPath = join(packageRoot(), 'fixtures');
  const fixturesPath = config.fixturesPath ?? shippedPath;
  const users = createUsers(loadUsers(fixturesPath), userStore(db), () => loadedChains(networks));
  const names = renaming(config.screening.names);

  const isHosted = config.mode === 'hosted';
  const box = createSecretBox(config);
  const vasps = vaspStore(db, box);
  const guard = createGuard(config);
  const signing = createSigning({ db, box, random, now: machineClock.now });
  seedVasps(db, vasps, config, loadVasps(fixturesPath), machineClock.now());
  const verifications = verificationStore(db);
  const faults = createInjector({
    db,
    now: clock.now,
    most: isHosted ? MOST_FAULTS_HOSTED : MOST_FAULTS,
    isPartyTo(vaspId, uuid) {
      const row = verifications.find(uuid);
      return row?.originatingVaspId === vaspId || row?.beneficiaryVaspId === vaspId;
    },
  });
  const residents = new Map<string, Vasp>();
  const timeoutMs = {
    verifyAccount: config.vaspTimeoutMs.account,
    verifyUser: config.vaspTimeoutMs.user,
    transactionStatus: config.vaspTimeoutMs.transaction,
    callback: config.vaspTimeoutMs.callback,
  };
  const http: HttpVaspDeps = {
    timeoutMs,
    names,
    guard,
    signer: signing.signer,
    now: clock.now,
    position: exchanges.position,
    onExchange(exchange) {
      exchanges.record({ direction: 'OUT', method: 'POST', ...exchange });
      if (!exchange.isRepeated) vasps.recordHealth(exchange.vaspId, exchange.status !== null);
    },
  };
  const enclaveDeps: EnclaveDeps = {
    db,
    clock,
    random,
    timers,
    directory: directory(residents, vasps.find, http),
    timeoutMs,
    verifications,
    callbacks: callbackStore(db),
    assessments: assessmentStore(db),
    risk: createScreening(config, { fixturesPath, shippedPath }, { users, random, chain: networks.chain }),
    vasps,
    guard,
    signing,
    mailboxNotifier: createMailboxNotifier(),
    faults,
    residentVaspId: actAs(config.robot.vaspId),
    isHosted,
    thresholds: config.thresholds,
  };
  const enclave = createEnclave(enclaveDeps);
  const robotDeps: RobotDeps = {
    db,
    clock,
    timers,
    log,
    vaspId: actAs(config.robot.vaspId),
    isHosted,
    enclave,
    chain: networks.chain,
    users,
    listedOriginators: loadListedOriginators(fixturesPath),
    expectations: expectationStore(db),
    deposits: depositStore(db),
    balances: balanceStore(db),
    transfers: transferStore(db),
    restored: restoredStore(db),
    answers: answerStore(db),
    walletSettings: networks.paying,
    readBlocks: readBlockStore(db),
    reconciliation: reconciliationStore(db),
    reconcileMs: networks.reconcileMs,
    rereadMs: config.chainRereadMs,
    inquiry: config.inquiry,
    userTimeoutMs: config.vaspTimeoutMs.user,
  };
  const robot = faultyVasp(robotVasp(robotDeps), {
    faults,
    timeoutMs,
    counterpartyOf: uuid => verifications.find(uuid)?.beneficiaryVaspId,
    stopping: stopping.signal,
  });
  residents.set(config.robot.vaspId, robot);
  const watch = superviseChains(networks, robotDeps, config, log);
  const lostFiles = watchFiles(config, networks.openDatabases, log, stopping.signal);
  const missing = () => missingParts(db, lostFiles, watch.missing);

  const referenceVasp = referenceVaspSwitch(config, log);
  const certificates = createCertificates(config);
  const serving = {
    exchanges,
    now: clock.now,
    random,
    log,
  };
  const controls: Omit<SandboxDeps, 'plans'> = {
    apiOf: inProcessApi(() => endpoints, serving),
    certify: certificates.certify,
    version,
    isHosted,
    db,
    random,
    clock,
    timers,
    exchanges,
    faults,
    enclave: createEnclaveControl(enclaveDeps),
    robot: createRobotControl(robotDeps),
    networks: watch.networks,
    referenceVasp,
    missing,
    figures: watch.figures,
    stopping: stopping.signal,
  };
  const plans = createPlans({ ...controls, log, box, now: machineClock.now });
  const sandboxDeps: SandboxDeps = { ...controls, plans };
  const callers = createCallers({ config, vasps, sandbox: sandboxDeps, log });
  const endpoints = callers.endpoints([
    ...enclaveEndpoints(enclave),
    ...robotEndpoints(robotDeps),
    ...sandboxEndpoints(sandboxDeps),
  ]);
  const app = new Hono();
  if (callers.entry) app.use('*', callers.entry);
  app.route('/', healthRoutes({ missing, isHosted }));
  const served = countServed();
  const metrics = () => collectMetrics({ db, clock: machineClock, watch, served });
  app.route('/', metricsRoutes(metrics));
  const examples = () => requestExamples(sandboxDeps, actAs(config.vasp.vaspId));
  app.route('/', openApiRoutes({ endpoints, version, examples, rename: names.text, isHosted }));
  app.use('/devnet/*', identityOnly);
  app.route('/devnet', devnetRoutes(networks, callers.devnetCaller));
  app.get('/.well-known/jwks.json', async c => c.json(await certificates.jwks()));
  mountPages(app, config, { version, endpoints: renameProviders(endpoints, names) }, callers.whoHas);
  mount(app, renameProviders(endpoints, names), {
    callerOf: callers.callerOf,
    onServed: served.count,
    faultyAnswer: faultyAnswer(faults, stopping.signal),
    ...serving,
  });

  let stopRetention = () => {};
  return {
    fetch: app.fetch,
    routes: app.routes,
    upgrades: devnetUpgrades(networks),
    admitUpgrade: callers.admitUpgrade,
    mostBytes: callers.mostBytes,
    senderOf: callers.senderOf,
    start(url) {
      startTimers(enclaveDeps, robotDeps);
      watch.start();
      plans.resume();
      referenceVasp.listensAt(url);
      stopRetention = startRetention(sandboxDeps, config.retentionMs, log);
    },
    ready: watch.ready,
    missing,
    leave: () => plans.close().then(referenceVasp.stopWithSandbox),
    async stop() {
      stopping.abort();
      await plans.close();
      stopRetention();
      callers.stop();
      await watch.stop();
      await timers.stop();
      await enclaveDeps.directory.close();
      await networks.stop();
      exchanges.close();
      db.close();
    },
  };
}
