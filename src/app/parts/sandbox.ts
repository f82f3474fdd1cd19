import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Hono } from 'hono';
import { type Client, client, Refused } from '../../client/client.ts';
import type { RunReport } from '../../contract/plans.ts';
import { refusals } from '../../contract/refusals.ts';
import { asCaller } from '../../contract/tenancy.ts';
import { createEnclaveControl } from '../../enclave/control.ts';
import type { EnclaveDeps } from '../../enclave/deps.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { type HttpDeps, mount } from '../../http/serve.ts';
import type { Log } from '../../kernel/log.ts';
import { build, version } from '../../kernel/program.ts';
import { onceMade } from '../../kernel/turns.ts';
import type { Joined, JoinOptions } from '../../reference-vasp/join.ts';
import { createRobotControl } from '../../robot/control.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import type { RunsDeps } from '../../runs/create-plans.ts';
import { createPlans } from '../../runs/create-plans.ts';
import { heldLedgers } from '../../sandbox/held-ledgers.ts';
import type { ReferenceVaspSwitch } from '../../sandbox/reference-vasp.ts';
import type { ChainSupervisor } from '../chains/supervisor.ts';
import type { Config } from '../config/config.ts';
import { besideDatabase } from '../storage.ts';
import type { Base } from './base.ts';

/** Runs the reference VASP in this process. It knows the sandbox by its API, like any other VASP. */
function referenceVaspSwitch(
  config: Config,
  log: Log,
): ReferenceVaspSwitch & { listensAt(url: string): void; stopWithSandbox(): Promise<void> } {
  const databasePath =
    config.databasePath === ':memory:' ? ':memory:' : join(dirname(config.databasePath), 'reference-vasp.sqlite');
  const nodes = { ETH: config.ethereum.urls[0], XRP: config.xrpl.url };
  let url: string | undefined;
  let running: Promise<Joined> | undefined;
  let joined: Joined | undefined;
  let cleared = Promise.resolve();

  async function start(caller: string): Promise<void> {
    if (caller !== config.vasp.vaspId)
      throw refusals.placeTaken(
        'Here it plays only the configured VASP. Start `robot-vasp vasp --api-key` for another one.',
      );
    running ??= cleared.then(() => joinHere({ url: url!, databasePath, log, nodes }));
    joined = await running.catch(error => {
      running = undefined;
      throw error;
    });
  }

  async function letGo(): Promise<Joined | undefined> {
    const last = await running?.catch(() => undefined);
    running = undefined;
    joined = undefined;
    return last;
  }

  return {
    listensAt(address) {
      url = address;
      cleared = leaveEarlier(address, databasePath).catch(err =>
        log.warn({ err }, 'the reference VASP is still registered'),
      );
    },
    state: () =>
      joined
        ? { running: true, vaspId: joined.vaspId, url: joined.url, customers: joined.customers.customers }
        : { running: false, vaspId: null, url: null, customers: [] },
    start,
    stop: async () => (await letGo())?.stop(),
    // A run that goes on after the restart waits for them.
    stopWithSandbox: async () => (await letGo())?.stopWithSandbox(),
  };
}

/** One that ran when the process was killed. */
async function leaveEarlier(url: string, databasePath: string): Promise<void> {
  if (!existsSync(databasePath)) return;
  const { leaveAfterEnd } = await import('../../reference-vasp/join.ts');
  await leaveAfterEnd(url, databasePath);
}

/** Throws `Refusal`. */
async function joinHere(options: JoinOptions): Promise<Joined> {
  const { joinSandbox, NodeUnreachable, PlaceTaken } = await import('../../reference-vasp/join.ts');
  return joinSandbox(options).catch(error => {
    if (error instanceof PlaceTaken)
      throw refusals.placeTaken(`${error.message} Remove them in the settings of the console first.`);
    if (error instanceof NodeUnreachable) throw refusals.chainUnreachable('XRP', error.message);
    // The faucet of a ledger that is held, for example.
    if (error instanceof Refused && error.code === 'CHAIN-REFUSED')
      throw refusals.chainRefused('running', `cannot be true now: ${error.reason}`);
    if (error.name === 'TimeoutError')
      throw refusals.chainRefused(
        'running',
        'cannot be true now: a faucet does not pay in time. Look at the chain controls, and try again',
      );
    throw error;
  });
}

interface Controlled {
  enclave: EnclaveDeps;
  robot: RobotDeps;
  watch: ChainSupervisor;
  missing(): string[];
  /** Those of the app, once they are made. */
  endpoints(): readonly Endpoint[];
}

/** The control API with the plans, the reference VASP and the certificates. */
export function sandboxPart(base: Base, { enclave, robot, watch, missing, endpoints }: Controlled) {
  const { config, log, machineClock, clock } = base;
  const referenceVasp = referenceVaspSwitch(config, log);
  const certificates = createCertificates(config);
  const controls: Omit<RunsDeps, 'runs'> = {
    apiOf: inProcessApi(endpoints, { ...base, now: clock.now }),
    certify: certificates.certify,
    version,
    build: build(),
    roles: config.roles,
    retentionMs: config.retentionMs,
    isHosted: base.isHosted,
    db: base.db,
    random: base.random,
    clock,
    timers: base.timers,
    exchanges: base.exchanges,
    faults: base.faults,
    enclave: createEnclaveControl(enclave),
    robot: createRobotControl(robot),
    beforeSending: (...sending) => base.callers().beforeSending(...sending),
    networks: watch.networks,
    held: heldLedgers(),
    referenceVasp,
    missing,
    figures: watch.figures,
    stopping: base.stopping.signal,
  };
  const runs = createPlans({ ...controls, log, box: base.box, now: machineClock.now });
  return { deps: { ...controls, runs }, referenceVasp, jwks: certificates.jwks };
}

/** Signs reports. The library and the key are loaded when the first certificate is wanted. */
function createCertificates(config: Config) {
  const path = besideDatabase(config, '.report-key.json');
  const key = onceMade(async () =>
    (await import('../../plans/report/signing-key.ts')).signingKey(config.reportSigningKey, path),
  );
  return {
    async certify(report: RunReport): Promise<string> {
      const { certificate } = await import('../../plans/report/certificate.ts');
      return certificate(report, await key());
    },
    async jwks(): Promise<object> {
      const { publicPart } = await import('../../plans/report/certificate.ts');
      return { keys: [publicPart(await key())] };
    },
  };
}

/**
 * The API inside this process, for a run that acts for a VASP. Its calls leave no exchanges and meet no fault. Each takes
 * a turn of its VASP: otherwise a run would play to its next pause in one turn of the event loop. The routes are mounted
 * with the first call.
 */
export function inProcessApi(
  endpoints: () => readonly Endpoint[],
  { turnOf, ...deps }: Pick<HttpDeps, 'exchanges' | 'now' | 'random' | 'log'> & Pick<Base, 'turnOf'>,
): (vaspId: string) => Client {
  let app: Hono | undefined;
  const mounted = (): Hono => {
    if (app) return app;
    app = new Hono();
    mount(app, endpoints(), {
      ...deps,
      callerOf: c => ({
        caller: { role: 'local', vaspId: asCaller(c.req.header('authorization')!.slice('Bearer '.length)) },
        address: '',
      }),
      exchanges: { record: () => {}, position: deps.exchanges.position },
      onServed: () => {},
    });
    return app;
  };
  return vaspId =>
    client('http://robot-vasp.internal', {
      apiKey: vaspId,
      async send(request) {
        await turnOf(vaspId);
        return mounted().fetch(request);
      },
    });
}
