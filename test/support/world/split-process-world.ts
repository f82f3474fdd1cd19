import { client } from '../../../src/client/client.ts';
import { endpointsAt } from '../../../src/contract/vasp-api.ts';
import { type HttpProxy, startHttpProxy } from '../chains/rpc-proxy.ts';
import { type Program, program } from '../process/program.ts';
import { testedVasp } from '../vasp/tested-vasp.ts';
import { askingMembers } from './asking-members.ts';
import { ROBOT_ID, sendBetween, TOKEN } from './between-programs.ts';
import { vaspEnvironment, type World } from './world.ts';

/** `robot-vasp enclave` and `robot-vasp robot` as processes on two addresses, and a hand on the wire between them. */
export interface SplitProcessWorld
  extends Pick<
    World,
    'url' | 'api' | 'vasp' | 'info' | 'vaspId' | 'robotVaspId' | 'user' | 'amount' | 'idle' | 'wallet'
  > {
  enclave: Program;
  robot: Program;
  /** Calls of the robot. */
  toEnclave: HttpProxy;
  /** Calls of the enclave. */
  toRobot: HttpProxy;
  /** SIGKILL. */
  kill(part: 'enclave' | 'robot'): Promise<void>;
  close(): Promise<void>;
}

export async function createSplitProcessWorld(): Promise<SplitProcessWorld> {
  const vasp = await testedVasp();
  const [toEnclave, toRobot] = [await startHttpProxy(), await startHttpProxy('', '127.0.0.2')];
  const enclave = await program(vaspEnvironment(vasp), 'enclave');
  await enclave.start();
  toEnclave.passTo(enclave.url);
  const { apiKey = '' } = await client(enclave.url).registerVasp(ROBOT_ID, {
    name: 'RobotVASP',
    endpoints: { ...endpointsAt(`${toRobot.url}/vasp`), clock: `${toRobot.url}/vasp/clock` },
    authorization: { header: 'Authorization', token: TOKEN },
  });
  const robot = await program(
    { HOST: '127.0.0.2', ENCLAVE_URL: toEnclave.url, ENCLAVE_KEY: apiKey, ENCLAVE_TOKEN: TOKEN },
    'robot',
  );
  toRobot.passTo(robot.url);
  await robot.start();

  const api = client(robot.url, { send: request => sendBetween({ enclave: enclave.url, robot: robot.url }, request) });
  const { members, closeWallets } = await askingMembers({ url: robot.url, api, vasp });
  return {
    ...members,
    enclave,
    robot,
    toEnclave,
    toRobot,
    async kill(part) {
      if (part === 'robot') await closeWallets();
      await (part === 'robot' ? robot : enclave).kill();
    },
    async close() {
      await closeWallets();
      await robot.close();
      await enclave.close();
      await Promise.all([toEnclave.close(), toRobot.close(), vasp.close()]);
    },
  };
}
