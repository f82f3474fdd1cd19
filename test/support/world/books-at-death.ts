import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { addedUp, running, type Sums } from '../db/balances.ts';

export interface AtDeath {
  /** Number of transfers in each state. */
  transfers: Record<string, number>;
  running: Sums;
  addedUp: Sums;
}

/** The books when the program was killed. Looks at a copy: the files stay as they were left. */
export function booksAtDeath(folder: string): AtDeath {
  const copy = mkdtempSync(join(tmpdir(), 'robot-vasp-death-'));
  try {
    for (const name of ['robot.sqlite', 'robot.sqlite-wal'])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    const db = new Database(join(copy, 'robot.sqlite'));
    const rows = db.prepare('SELECT status, count(*) AS transfers FROM robot_transfers GROUP BY status').all() as {
      status: string;
      transfers: number;
    }[];
    const sums = { running: running(db), addedUp: addedUp(db) };
    db.close();
    return { transfers: Object.fromEntries(rows.map(row => [row.status, row.transfers])), ...sums };
  } finally {
    rmSync(copy, { recursive: true });
  }
}
