import { loadConfig } from '../../../src/app/config/config.ts';
import { client } from '../../../src/client/client.ts';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { type Running, serve } from '../../../src/main.ts';
import { freePort } from '../process/program.ts';
import { ROBOT_ID, sendBetween, TOKEN } from './between-programs.ts';

/** An enclave and a robot of two programs on two addresses. The VASP of the configuration is the same in both. */
export interface SplitPrograms {
  enclave: Running;
  robot: Running;
  /** As `fetch` for a request to the robot: calls of the enclave go to the enclave. */
  send(request: Request): Promise<Response>;
  restart(whileStopped: () => unknown): Promise<void>;
  /** One of them ends, and starts again after `work`. */
  without(part: 'enclave' | 'robot', work: () => Promise<unknown>): Promise<void>;
  stop(): Promise<void>;
}

type Others = Parameters<typeof serve>[1];

export async function splitPrograms(
  env: Record<string, string>,
  databaseOf: (name: string) => string,
  others: Others,
): Promise<SplitPrograms> {
  const [enclavePort, robotPort] = [await freePort(), await freePort()];
  const robotUrl = `http://127.0.0.2:${robotPort}`;
  let enclave = await startEnclave();
  const { apiKey: key } = await client(enclave.url).registerVasp(ROBOT_ID, {
    name: 'RobotVASP',
    endpoints: { ...endpointsAt(`${robotUrl}/vasp`), clock: `${robotUrl}/vasp/clock` },
    authorization: { header: 'Authorization', token: TOKEN },
  });
  let robot = await startRobot();

  async function startEnclave(): Promise<Running> {
    const of = { PORT: String(enclavePort), DATABASE_PATH: databaseOf('enclave/robot.sqlite') };
    const config = loadConfig({ ...env, ...of }, { roles: 'enclave', joins: false });
    const running = await serve(config, others);
    await running.app.ready();
    return running;
  }
  async function startRobot(): Promise<Running> {
    const of = { HOST: '127.0.0.2', PORT: String(robotPort), DATABASE_PATH: databaseOf('robot/robot.sqlite') };
    const foreign = { ENCLAVE_URL: enclave.url, ENCLAVE_KEY: key, ENCLAVE_TOKEN: TOKEN };
    const config = loadConfig({ ...env, ...of, ...foreign }, { roles: 'robot', joins: false });
    const running = await serve(config, others);
    await running.app.ready();
    return running;
  }
  async function stop(): Promise<void> {
    await robot.stop();
    await enclave.stop();
  }
  return {
    get enclave() {
      return enclave;
    },
    get robot() {
      return robot;
    },
    send: request => sendBetween({ enclave: enclave.url, robot: robotUrl }, request),
    async restart(whileStopped) {
      await stop();
      await whileStopped();
      enclave = await startEnclave();
      robot = await startRobot();
    },
    async without(part, work) {
      if (part === 'enclave') await enclave.stop();
      else await robot.stop();
      await work();
      if (part === 'enclave') enclave = await startEnclave();
      else robot = await startRobot();
    },
    stop,
  };
}
