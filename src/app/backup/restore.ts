import { existsSync, renameSync, rmSync } from 'node:fs';
import { copyDatabase, extractFiles, makeStartable, verifyArchive } from '../../db/archive.ts';
import { lockFolder } from '../../db/folder-lock.ts';
import { makeFolderOf } from '../../db/open.ts';
import { toIso } from '../../kernel/clock.ts';
import { StartProblem } from '../../kernel/start-problem.ts';
import { companionPath } from '../beside-database.ts';
import { allFilesOf } from './files.ts';

export interface Restored {
  database: string;
  /** New names of the files that were there before. */
  movedAway: string[];
}

/**
 * Puts a backup at the place of the database. Files that are there get another name. The next start holds the payouts of
 * every account whose transactions it cannot explain. Throws `StartProblem`, also while a program runs in the folder.
 */
export async function restore(databasePath: string, file: string, now: number): Promise<Restored> {
  if (databasePath === ':memory:')
    throw new StartProblem('A database in memory holds no backup: set DATABASE_PATH to a file.');
  if (!existsSync(file)) throw new StartProblem(`There is no file ${file}.`);
  verifyArchive(file);
  makeFolderOf(databasePath);
  const lock = lockFolder(databasePath);
  const part = `${databasePath}.restoring`;
  try {
    rmSync(part, { force: true });
    await copyDatabase(file, part);
    makeStartable(part, now);
    const movedAway = moveAway(allFilesOf(databasePath), toIso(now).replace(/[:.]/g, '-'));
    extractFiles(part, ending => companionPath(databasePath, ending));
    renameSync(part, databasePath);
    return { database: databasePath, movedAway };
  } finally {
    rmSync(part, { force: true });
    lock.release();
  }
}

const moveAway = (paths: string[], at: string): string[] =>
  paths
    .filter(path => existsSync(path))
    .map(path => {
      const name = `${path}.before-restore-${at}`;
      renameSync(path, name);
      return name;
    });
