import { client } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { devnetAt, openWallet, type Wallet } from '../chains/wallets.ts';
import { type Program, program } from '../process/program.ts';
import { testedVasp } from '../vasp/tested-vasp.ts';
import { vaspEnvironment, type World } from './world.ts';

/** The built program with the tested VASP, which outlives it. Its clock is the machine's. */
export interface ProgramWorld
  extends Omit<Program, 'url'>,
    Omit<World, 'advance' | 'as' | 'hold' | 'routes' | 'restart' | 'close'> {}

export async function createProgramWorld(env: Record<string, string> = {}): Promise<ProgramWorld> {
  const vasp = await testedVasp();
  const built = await program({ ...vaspEnvironment(vasp), ...env });
  await built.start();
  const { url } = built;
  const api = client(url);
  const info = await api.info();
  const wallets = new Map<AssetSymbol, Promise<Wallet>>();
  let amounts = 0;

  const fundedWallet = async (symbol: AssetSymbol): Promise<Wallet> => {
    const wallet = await openWallet(symbol, devnetAt(symbol, url));
    await api.faucet(symbol, wallet.address, '1000');
    return wallet;
  };
  const closeWallets = async () => {
    for (const wallet of wallets.values()) await (await wallet).close();
    wallets.clear();
  };
  return {
    ...built,
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
    async kill() {
      await closeWallets();
      await built.kill();
    },
    async stop() {
      await closeWallets();
      return built.stop();
    },
    async close() {
      await closeWallets();
      await built.close();
      await vasp.close();
    },
  };
}
