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

/** A restored copy is older than the chains: the robot compares its accounts first. `now`: epoch milliseconds. */
export function markRestored(sqlite: Sqlite.Database, now: number): void {
  const mark = sqlite.prepare(
    'INSERT OR REPLACE INTO robot_restores (symbol, height, at) VALUES (?, (SELECT height FROM robot_cursors WHERE symbol = ?), ?)',
  );
  for (const symbol of ['ETH', 'XRP']) mark.run(symbol, symbol, now);
}

/** True: the database is not in the file that it knows, so it is a copy, and is marked as restored. */
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
