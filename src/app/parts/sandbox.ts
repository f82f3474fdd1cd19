import type { EnclaveDeps } from '../../enclave/deps.ts';
import { createEnclaveControl } from '../../enclave/enclave-control.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { version } from '../../kernel/version.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { createRobotControl } from '../../robot/robot-control.ts';
import { createPlans } from '../../runs/create-plans.ts';
import type { RunsDeps } from '../../runs/deps.ts';
import { heldLedgers } from '../../sandbox/chains/held-ledgers.ts';
import { createCertificates } from '../certificates.ts';
import type { ChainSupervisor } from '../chains/supervisor.ts';
import { inProcessApi } from '../in-process.ts';
import { referenceVaspSwitch } from '../reference-vasp.ts';
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
    parts: config.parts,
    isHosted: base.isHosted,
    db: base.db,
    random: base.random,
    clock,
    timers: base.timers,
    exchanges: base.exchanges,
    faults: base.faults,
    enclave: createEnclaveControl(enclave),
    robot: createRobotControl(robot),
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
