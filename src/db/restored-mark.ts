import { existsSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { StartProblem } from '../kernel/start-problem.ts';

/** The name of a file of a database while a restore writes it. */
export const partOf = (path: string): string => `${path}.restoring`;

/** A killed restore may have moved the former database away. */
export const isRestoreUnfinished = (path: string): boolean => !existsSync(path) && existsSync(partOf(path));

/** Throws `StartProblem` where a restore has not ended: an empty database would pay again. */
export function refuseUnfinishedRestore(path: string): void {
  if (isRestoreUnfinished(path))
    throw new StartProblem(
      `A restore of the database ${path} has not ended: run robot-vasp restore again. The former files are beside it, under names with before-restore.`,
    );
}

/**
 * Marks a database as a restored copy: it is older than the chains, so the robot compares its accounts with them before
 * it pays. `now`: epoch milliseconds.
 */
export function markRestored(sqlite: Sqlite.Database, now: number): void {
  const mark = sqlite.prepare(
    'INSERT OR REPLACE INTO robot_restores (symbol, height, at) VALUES (?, (SELECT height FROM robot_cursors WHERE symbol = ?), ?)',
  );
  for (const symbol of ['ETH', 'XRP']) mark.run(symbol, symbol, now);
}

/**
 * Every database knows the file that it lives in. In another file it is a copy, made by Litestream or by hand, and is
 * marked as restored. Returns true then.
 */
export function noticeCopy(sqlite: Sqlite.Database, path: string, now: number): boolean {
  if (path === ':memory:') return false;
  const file = fingerprintOf(path);
  const before = sqlite.prepare('SELECT file FROM runtime_place WHERE id = 1').pluck().get();
  if (before === file) return false;
  const isCopy = before !== undefined;
  sqlite.transaction(() => {
    sqlite.prepare('INSERT OR REPLACE INTO runtime_place (id, file) VALUES (1, ?)').run(file);
    if (isCopy) markRestored(sqlite, now);
  })();
  return isCopy;
}

/** A restore makes a new file. */
function fingerprintOf(path: string): string {
  const { ino, birthtimeMs } = statSync(path, { bigint: true });
  return `${ino} ${birthtimeMs}`;
}
