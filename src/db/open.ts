import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { packageRoot } from '../kernel/package-root.ts';

export interface Db {
  /** Queries. Writes go through `write` alone. */
  readonly orm: BetterSQLite3Database;
  readonly sqlite: Sqlite.Database;
  close(): void;
}

/** Opens or creates the database and applies the missing migrations of `drizzle/`. `:memory:` is allowed. */
export function openDb(path: string): Db {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Sqlite(path);
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('synchronous = NORMAL');
  sqlite.pragma('busy_timeout = 5000');
  // 32 MB: a checkpoint waits for the disk, and most pages change many times before it.
  sqlite.pragma('wal_autocheckpoint = 8000');
  const orm = drizzle(sqlite);
  migrate(orm, { migrationsFolder: join(packageRoot(), 'drizzle') });
  return { orm, sqlite, close: () => sqlite.close() };
}

/** False: the database answers no query. */
export function isReadable({ sqlite }: Db): boolean {
  try {
    sqlite.prepare('SELECT 1').get();
    return true;
  } catch {
    return false;
  }
}
