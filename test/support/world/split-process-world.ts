import { client } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { endpointsAt } from '../../../src/vasps/serve-vasp.ts';
import { devnetAt, openWallet, type Wallet } from '../chains/wallets.ts';
import { type Program, program } from '../process/program.ts';
import { testedVasp } from '../vasp/tested-vasp.ts';
import { ROBOT_ID, sendBetween, TOKEN } from './between-programs.ts';
import { startWire, type Wire } from './wire.ts';
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
  toEnclave: Wire;
  /** Calls of the enclave. */
  toRobot: Wire;
  /** SIGKILL. */
  kill(part: 'enclave' | 'robot'): Promise<void>;
  close(): Promise<void>;
}

export async function createSplitProcessWorld(): Promise<SplitProcessWorld> {
  const vasp = await testedVasp();
  const [toEnclave, toRobot] = [await startWire('127.0.0.1'), await startWire('127.0.0.2')];
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

  const api = client(robot.url, {
    send: request => sendBetween({ enclave: enclave.url, robot: robot.url }, request),
  });
  const info = await api.info();
  const wallets = new Map<AssetSymbol, Promise<Wallet>>();
  let amounts = 0;
  const fundedWallet = async (symbol: AssetSymbol): Promise<Wallet> => {
    const wallet = await openWallet(symbol, devnetAt(symbol, robot.url));
    await api.faucet(symbol, wallet.address, '1000');
    return wallet;
  };
  const closeWallets = async () => {
    for (const wallet of wallets.values()) await (await wallet).close();
    wallets.clear();
  };
  return {
    url: robot.url,
    api,
    vasp,
    info,
    vaspId: info.vasp.vaspId,
    robotVaspId: info.robot.vaspId,
    user: id => info.users.find(user => user.id === id)!,
    amount: () => `1.${String(++amounts * 10 + 1).padStart(6, '0')}`,
    idle: () => api.advance('0s'),
    wallet(symbol) {
      const known = wallets.get(symbol) ?? fundedWallet(symbol);
      wallets.set(symbol, known);
      return known;
    },
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
