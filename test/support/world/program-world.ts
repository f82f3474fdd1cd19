import { client } from '../../../src/client/client.ts';
import { type Program, program } from '../process/program.ts';
import { testedVasp } from '../vasp/tested-vasp.ts';
import { askingMembers } from './asking-members.ts';
import type { ExternalChains } from './external-chains.ts';
import { vaspEnvironment, type World } from './world.ts';

/** The built program with the tested VASP, which outlives it. Its clock is the machine's. */
export interface ProgramWorld
  extends Omit<Program, 'url'>,
    Omit<World, 'advance' | 'as' | 'hold' | 'routes' | 'restart' | 'close'> {}

export async function createProgramWorld(
  env: Record<string, string> = {},
  chains?: ExternalChains,
  coins?: string,
): Promise<ProgramWorld> {
  const vasp = await testedVasp();
  const built = await program({ ...vaspEnvironment(vasp), ...env });
  await built.start();
  const api = client(built.url);
  const { members, closeWallets } = await askingMembers({ url: built.url, api, vasp }, chains, coins);
  return {
    ...built,
    ...members,
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
