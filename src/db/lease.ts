import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { repeat, sleep } from '../kernel/interval.ts';
import { StartProblem } from '../kernel/start-problem.ts';
import type { Db } from './open.ts';
import { guardWrites, troubleOf, write } from './transaction.ts';

/**
 * The row of the process that owns the database, renewed while it runs. It protects a network volume, where the folder's
 * lock may not reach the other machine. Every transaction checks the row first: a process without the lease writes
 * nothing, so it pays nothing.
 */
export interface Lease {
  release(): void;
}

export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
  constructor() {
    super('another process has taken over the database, so this one stops');
  }
}

interface Holder {
  holder: string;
  host: string;
  pid: number;
  renewals: number;
}

const RENEW_MS = 2_000;
/** While the storage is in trouble, the renewal finds out when it ends. */
const RENEW_IN_TROUBLE_MS = 250;
const EXPIRES_MS = 10_000;
const LOOK_AGAIN_MS = 250;

/**
 * Takes the lease. The lease of a dead process of this machine is free at once. Another one is free when nobody renews it
 * for 10 s. Throws `StartProblem` when its holder renews it. Call before the migrations.
 */
export async function awaitLease(sqlite: Db['sqlite']): Promise<void> {
  const first = holderIn(sqlite);
  if (!first || isDead(first)) return;
  for (let waitedMs = 0; waitedMs < EXPIRES_MS; waitedMs += LOOK_AGAIN_MS) {
    const now = holderIn(sqlite);
    if (!now) return;
    if (now.holder !== first.holder || now.renewals !== first.renewals)
      throw new StartProblem(
        `Another robot-vasp (pid ${now.pid} on ${now.host.split(' ')[0]}) uses this database: stop it, or set DATABASE_PATH to another file.`,
      );
    await sleep(LOOK_AGAIN_MS);
  }
}

/** Writes this process into the row and renews it. `onLost` is called once, when another process has the lease. */
export function holdLease(db: Db, holder: string, onLost: (error: LeaseLost) => void): Lease {
  const { sqlite } = db;
  const mine = sqlite.prepare('SELECT 1 FROM runtime_lease WHERE id = 1 AND holder = ?');
  const renewal = sqlite.prepare('UPDATE runtime_lease SET renewals = renewals + 1 WHERE id = 1');
  write(
    db,
    () =>
      void sqlite
        .prepare(
          'INSERT OR REPLACE INTO runtime_lease (id, holder, host, pid, renewals) VALUES (1, ?, ?, ?, 0)',
        )
        .run(holder, thisHost(), process.pid),
  );
  let isLost = false;
  guardWrites(db, () => {
    if (mine.get(holder)) return;
    const error = new LeaseLost();
    if (!isLost) onLost(error);
    isLost = true;
    throw error;
  });
  const stopRenewing = repeat(
    () => (troubleOf(db) ? RENEW_IN_TROUBLE_MS : RENEW_MS),
    () => {
      try {
        write(db, () => void renewal.run());
      } catch {
        // Storage trouble stays noted, and a lost lease has been reported.
      }
    },
  );
  return {
    release() {
      stopRenewing();
      try {
        write(db, () => void sqlite.prepare('DELETE FROM runtime_lease WHERE holder = ?').run(holder));
      } catch {
        // The next process finds that this one is dead.
      }
    },
  };
}

function holderIn(sqlite: Db['sqlite']): Holder | undefined {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'runtime_lease'").get();
  if (!table) return undefined;
  return sqlite.prepare('SELECT holder, host, pid, renewals FROM runtime_lease WHERE id = 1').get() as
    | Holder
    | undefined;
}

/** A process of this machine that no longer runs. The own pid counts as dead: a former life had it too. */
function isDead({ host, pid }: Holder): boolean {
  if (host !== thisHost()) return false;
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Name and boot of the machine: after a reboot no process of before runs. */
function thisHost(): string {
  try {
    return `${hostname()} ${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return hostname();
  }
}
