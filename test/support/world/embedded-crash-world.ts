import { ledgerOf } from '../chains/on-chain.ts';
import { nodesOf } from '../process/program.ts';
import type { KilledWorld } from './crash-world.ts';
import { createProgramWorld } from './program-world.ts';

/** The income of the robot and its fees. */
const FAUCETS = 6;

/** The built program with its embedded ledgers, which die with it. */
export async function createEmbeddedCrashWorld(): Promise<KilledWorld> {
  const world = await createProgramWorld();
  return {
    ...world,
    async wallet(symbol) {
      const wallet = await world.wallet(symbol);
      for (let n = 0; n < FAUCETS; n++) await world.api.faucet(symbol, wallet.address, '1000');
      return wallet;
    },
    ledger: symbol => ledgerOf(world, symbol),
    // They have no wire.
    cutChains() {},
    /** The XRP Ledger is in the process. The program starts the Ethereum node again by itself. */
    async killChains() {
      for (const pid of nodesOf(world.folder)) process.kill(pid, 'SIGKILL');
    },
  };
}
