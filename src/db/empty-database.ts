import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type Sqlite from 'better-sqlite3';
import { packageRoot } from '../kernel/package-root.ts';
import { StartProblem } from '../kernel/start-problem.ts';

/**
 * An empty database with every migration. To apply them all takes longer than the rest of opening. The build makes the
 * file beside the bundle. From `src/` the first database in memory is kept instead.
 */
let kept: Buffer | undefined;

export function emptyDatabase(): Buffer | undefined {
  kept ??= builtDatabase();
  return kept;
}

export const keepEmptyDatabase = (sqlite: Sqlite.Database): void => {
  kept ??= sqlite.serialize();
};

/** From `src/` there is none. */
function builtDatabase(): Buffer | undefined {
  try {
    return readFileSync(fileURLToPath(new URL('./empty.sqlite', import.meta.url)));
  } catch {
    return undefined;
  }
}

const HAS_NO_ROOM = /^(ENOSPC|EDQUOT|EFBIG)$/;

/**
 * Makes a file that is not there yet. Whoever makes it first wins, also among machines that share a volume. Where that
 * cannot be done, SQLite makes the file. Throws if the disk is full.
 */
export function beginWithEmptyDatabase(path: string): void {
  const empty = existsSync(path) || existsSync(`${path}-wal`) ? undefined : builtDatabase();
  if (!empty) return;
  const unfinished = `${path}.new`;
  try {
    // On the disk before the first commit relies on it.
    writeFileSync(unfinished, empty, { mode: 0o600, flag: 'wx', flush: true });
    linkSync(unfinished, path);
  } catch (error) {
    if (HAS_NO_ROOM.test(String((error as { code?: unknown }).code))) throw error;
    // SQLite says what else is wrong with the place.
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Its newest migration is the newest one of `drizzle/`. Throws `StartProblem` where it is a newer one. */
export function isMigrated(sqlite: Sqlite.Database, path: string): boolean {
  const hasTable = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'");
  if (!hasTable.get()) return false;
  const newest = sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get();
  const journal = readFileSync(join(packageRoot(), 'drizzle', 'meta', '_journal.json'), 'utf8');
  const { entries }: { entries: { when: number }[] } = JSON.parse(journal);
  const own = entries.at(-1)!.when;
  if (Number(newest) > own)
    throw new StartProblem(
      `The database ${path} belongs to a newer robot-vasp: use that version, or set DATABASE_PATH to another file.`,
    );
  return newest === own;
}
