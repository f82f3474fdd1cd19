import type { Server } from 'node:http';
import { serve as listen } from '@hono/node-server';
import { localCallers } from '../../../src/app/callers/callers.ts';
import { createChains } from '../../../src/app/chains/chains.ts';
import { loadVasps, seedVasps, startTimers } from '../../../src/app/compose.ts';
import { loadConfig } from '../../../src/app/config/config.ts';
import { baseParts } from '../../../src/app/parts/base.ts';
import { enclavePart } from '../../../src/app/parts/enclave.ts';
import { robotPart, servedRobot } from '../../../src/app/parts/robot.ts';
import { client } from '../../../src/client/client.ts';
import type { VerifyUserRequest } from '../../../src/contract/requests.ts';
import { asCaller, type CallerId } from '../../../src/contract/tenancy.ts';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { isCopying } from '../../../src/enclave/http-enclave/http-enclave.ts';
import type { Enclave } from '../../../src/enclave/port.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { serve } from '../../../src/main.ts';
import type { Vasp } from '../../../src/vasps/port.ts';
import { freePort } from '../process/program.ts';
import { type StandInVasp, standInVasp } from '../vasp/stand-in-vasp.ts';
import { type TestedVasp, testedVasp } from '../vasp/tested-vasp.ts';
import { ROBOT_ID, TOKEN } from './between-programs.ts';
import { NOWHERE } from './chainless-world.ts';
import { vaspEnvironment } from './world.ts';

/** A VASP with its port `Enclave`, and the tested VASP on the other side of the same enclave. */
export interface EnclaveParties {
  enclave: Enclave;
  caller: CallerId;
  /** The VASP that has the port. */
  own: StandInVasp;
  other: TestedVasp;
  otherId: string;
  /** A verification of the other VASP for this one. Answers the uuid. */
  askedByOther(request: VerifyUserRequest): Promise<string>;
  reportedByOther(uuid: string, txHash: string): Promise<unknown>;
  close(): Promise<void>;
}

/** The parts of a program without its server. `vasp`: the resident one. */
export function partsWith(env: Record<string, string>, role: 'both' | 'robot', vasp: Vasp) {
  const config = loadConfig(
    { ...NOWHERE, DATABASE_PATH: ':memory:', LOG_LEVEL: 'silent', ...env },
    { roles: role, joins: false },
  );
  const world = { config, log: silentLog, networks: createChains(config, silentLog), createCallers: localCallers };
  const noLimits = {
    callbacksInFlight: () => Number.POSITIVE_INFINITY,
    beforeVerifying: () => {},
    beforeReporting: () => {},
  };
  const base = baseParts(world, () => noLimits as never);
  seedVasps(base.db, base.vasps, config, loadVasps(base.fixturesPath), base.machineClock.now());
  const key = { header: 'Authorization', token: config.foreignEnclave.key };
  const part = enclavePart(base, new Map([[config.robot.vaspId, vasp]]), role === 'robot' ? key : undefined);
  startTimers(part.deps, robotPart(base, part.enclave).deps);
  return {
    base,
    ...part,
    async close() {
      base.stopping.abort();
      await base.timers.stop();
      await part.deps.directory.close();
      base.exchanges.close();
      base.db.close();
    },
  };
}

/** The enclave is in the process of the VASP. */
export async function inProcess(): Promise<EnclaveParties> {
  const [own, other] = [standInVasp(), await testedVasp()];
  const { base, enclave, close } = partsWith(vaspEnvironment(other), 'both', own);
  const otherId = asCaller(base.config.vasp.vaspId);
  return {
    enclave,
    caller: asCaller(ROBOT_ID),
    own,
    other,
    otherId,
    askedByOther: async request => (await enclave.verifyUser(request, otherId)).verificationUuid,
    reportedByOther: async (verificationUuid, txHash) =>
      enclave.reportTransaction({ verificationUuid, txHash }, otherId),
    async close() {
      await close();
      await other.close();
    },
  };
}

/** The enclave is another program, which calls the VASP at its four endpoints. */
export async function overHttp(): Promise<EnclaveParties> {
  const [own, other, port] = [standInVasp(), await testedVasp(), await freePort()];
  const program = await serve(
    loadConfig(
      { ...NOWHERE, ...vaspEnvironment(other), DATABASE_PATH: ':memory:', PORT: '0', LOG_LEVEL: 'silent' },
      { roles: 'enclave', joins: false },
    ),
    { log: silentLog },
  );
  const api = client(program.url);
  const { apiKey = '' } = await api.registerVasp(ROBOT_ID, {
    name: 'Robot',
    endpoints: endpointsAt(`http://127.0.0.1:${port}`),
    authorization: { header: 'Authorization', token: TOKEN },
  });
  const { base, enclave, deps, close } = partsWith(
    { ENCLAVE_URL: program.url, ENCLAVE_KEY: apiKey, ENCLAVE_TOKEN: TOKEN },
    'robot',
    own,
  );
  if (!isCopying(deps)) throw new Error('it has an enclave of its own');
  const { fetch } = servedRobot(base, deps, own, TOKEN);
  const server = await new Promise<Server>(resolve => {
    const started = listen({ fetch, port, hostname: '127.0.0.1' }, () => resolve(started as Server));
  });
  return {
    enclave,
    caller: asCaller(ROBOT_ID),
    own,
    other,
    otherId: base.config.vasp.vaspId,
    askedByOther: async request => (await api.verifyUser(request)).verificationUuid,
    reportedByOther: (uuid, txHash) => api.reportTransaction(uuid, txHash),
    async close() {
      await close();
      server.close().closeAllConnections();
      await program.stop();
      await other.close();
    },
  };
}
