import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';

/** How many transfers stood in which state when the program was killed. Looks at a copy: the files stay as they were left. */
export function transfersAtDeath(folder: string): Record<string, number> {
  const copy = mkdtempSync(join(tmpdir(), 'robot-vasp-death-'));
  try {
    for (const name of ['robot.sqlite', 'robot.sqlite-wal'])
      if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
    const db = new Database(join(copy, 'robot.sqlite'));
    const rows = db
      .prepare('SELECT status, count(*) AS transfers FROM robot_transfers GROUP BY status')
      .all() as { status: string; transfers: number }[];
    db.close();
    return Object.fromEntries(rows.map(row => [row.status, row.transfers]));
  } finally {
    rmSync(copy, { recursive: true });
  }
}
