import { Hono } from 'hono';
import { type Client, client } from '../../client/client.ts';
import type { RunReport } from '../../contract/plans.ts';
import { asCaller } from '../../contract/tenancy.ts';
import { createEnclaveControl } from '../../enclave/control.ts';
import type { EnclaveDeps } from '../../enclave/deps.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { mount } from '../../http/mount.ts';
import type { HttpDeps } from '../../http/serve.ts';
import { build, version } from '../../kernel/program.ts';
import { onceMade } from '../../kernel/turns.ts';
import type { SigningKey } from '../../plans/report/certificate.ts';
import { createRobotControl } from '../../robot/control.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { createPlans } from '../../runs/create-plans.ts';
import type { RunsDeps } from '../../runs/deps.ts';
import { heldLedgers } from '../../sandbox/held-ledgers.ts';
import type { ChainSupervisor } from '../chains/supervisor.ts';
import type { Config } from '../config/config.ts';
import { referenceVaspSwitch } from '../reference-vasp.ts';
import { besideDatabase } from '../storage.ts';
import type { Base } from './base.ts';

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
  const key = onceMade<SigningKey>(async () =>
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
