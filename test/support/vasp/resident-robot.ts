import { ChainUnreachable } from '../../../src/chains/port.ts';
import { asCaller } from '../../../src/contract/tenancy.ts';
import { openDb } from '../../../src/db/open.ts';
import { expectations } from '../../../src/db/schema/robot.ts';
import { write } from '../../../src/db/transaction.ts';
import type { EnclaveDeps } from '../../../src/enclave/deps.ts';
import { createEnclave } from '../../../src/enclave/enclave.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import type { RobotDeps } from '../../../src/robot/deps.ts';
import { createUsers } from '../../../src/robot/users/users.ts';
import { robotVasp } from '../../../src/robot/vasp.ts';
import { sandboxClock } from '../../../src/timers/sandbox-clock.ts';
import { createTimers } from '../../../src/timers/timers.ts';
import { applyEffects, type Vasp } from '../../../src/vasps/port.ts';
import { chains, fixtureUsers, listed } from '../judge/judge-request.ts';

/** The robot by itself, on a real database and real adapters; its enclave knows of no verification. */
export function residentRobot(): { vasp: Vasp; awaited(uuid: string): number; close(): Promise<void> } {
  const db = openDb(':memory:');
  const clock = sandboxClock(db, { now: () => 1_700_000_000_000 });
  const timers = createTimers({ db, clock, log: silentLog });
  const robot = robotVasp({
    db,
    clock,
    timers,
    log: silentLog,
    random: systemRandom,
    vaspId: asCaller('17104899575711300402'),
    isHosted: false,
    enclave: createEnclave({ db } as EnclaveDeps),
    chain: async symbol => chains[symbol] as Awaited<ReturnType<RobotDeps['chain']>>,
    headOf: () => Promise.reject(new ChainUnreachable('never connected')),
    oneByOne: (_, work) => work(),
    users: createUsers(db, fixtureUsers, async () => chains),
    listedOriginators: listed,
    reconcileMs: () => 60_000,
    walletSettings: () => ({ lowFundsRetryMs: 1_000, trackEveryMs: 100, retryMs: 100, stuckAfterMs: 10_000 }),
    rereadMs: 5_000,
    inquiry: { waitMs: 600_000, intervalMs: 300_000, windowMs: 3_600_000 },
    userTimeoutMs: 5_000,
  } as RobotDeps);
  /** Commits what the robot stores with its answer, as the enclave does. */
  const vasp: Vasp = {
    ...robot,
    async verifyUser(request, effects) {
      const answer = await robot.verifyUser(request, effects);
      write(db, tx => applyEffects(tx, effects));
      return answer;
    },
  };
  return {
    vasp,
    awaited: uuid =>
      db.orm
        .select()
        .from(expectations)
        .all()
        .filter(row => row.verificationUuid === uuid).length,
    async close() {
      await timers.stop();
      db.close();
    },
  };
}
