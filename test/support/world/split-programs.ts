import { loadConfig } from '../../../src/app/config/config.ts';
import { client } from '../../../src/client/client.ts';
import { type Running, serve } from '../../../src/main.ts';
import { endpointsAt } from '../../../src/vasps/serve-vasp.ts';
import { freePort } from '../process/program.ts';

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

const ROBOT_ID = '17104899575711300402';
const TOKEN = 'token-of-the-enclave';
/** What the tested VASP sees of its enclave. */
const OF_ENCLAVE =
  /^\/(v1|sandbox\/v1\/(callbacks|mailbox|exchanges|vasps|assessments|signing|exchanges))(\/|$)/;
const ADVANCE = '/sandbox/v1/clock/advance';

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
    endpoints: endpointsAt(`${robotUrl}/vasp`),
    authorization: { header: 'Authorization', token: TOKEN },
  });
  let robot = await startRobot();

  async function startEnclave(): Promise<Running> {
    const of = { PORT: String(enclavePort), DATABASE_PATH: databaseOf('enclave/robot.sqlite') };
    const config = loadConfig({ ...env, ...of }, { parts: 'enclave', joins: false });
    const running = await serve(config, others);
    await running.app.ready();
    return running;
  }
  async function startRobot(): Promise<Running> {
    const of = {
      HOST: '127.0.0.2',
      PORT: String(robotPort),
      DATABASE_PATH: databaseOf('robot/robot.sqlite'),
    };
    const foreign = { ENCLAVE_URL: enclave.url, ENCLAVE_KEY: key, ENCLAVE_TOKEN: TOKEN };
    const config = loadConfig({ ...env, ...of, ...foreign }, { parts: 'robot', joins: false });
    const running = await serve(config, others);
    await running.app.ready();
    return running;
  }
  const to = (url: string, request: Request): Request =>
    new Request(request.url.replace(robotUrl, url), request);

  /** What crosses between the two is done when neither has anything to do. */
  async function advance(request: Request): Promise<Response> {
    const zero = () =>
      new Request(request.url, { method: 'POST', headers: request.headers, body: '{"duration":"0s"}' });
    const atRobot = await fetch(request.clone());
    await fetch(to(enclave.url, request));
    for (let round = 0; round < 2; round++) {
      await fetch(zero());
      await fetch(to(enclave.url, zero()));
    }
    return atRobot;
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
    send(request) {
      const { pathname } = new URL(request.url);
      if (pathname === ADVANCE) return advance(request);
      return fetch(OF_ENCLAVE.test(pathname) ? to(enclave.url, request) : request);
    },
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
