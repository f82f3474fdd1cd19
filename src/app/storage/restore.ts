import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { copyDatabase, extractFiles, makeStartable, verifyArchive } from '../../db/archive.ts';
import { lockFolder } from '../../db/folder-lock.ts';
import { makeFolderOf, refuseNoFile } from '../../db/open.ts';
import { isRestoreUnfinished, partOf } from '../../db/unfinished-restore.ts';
import { toIso } from '../../kernel/clock.ts';
import { StartProblem } from '../../kernel/start-problem.ts';
import { allFilesOf, COMPANIONS, companionPath, copyProblem, removeBeside } from './files.ts';

export interface Restored {
  database: string;
  movedAway: string[];
}

/**
 * Puts a backup at the place of the database. Files that are there get another name when all others are written. The
 * next start holds the payouts of every account whose transactions it cannot explain. Throws `StartProblem`, also while a
 * program runs in the folder.
 */
export async function restore(databasePath: string, file: string, now: number): Promise<Restored> {
  if (databasePath === ':memory:')
    throw new StartProblem('A database in memory holds no backup: set DATABASE_PATH to a file.');
  refuseNoFile(databasePath);
  if (!existsSync(file)) throw new StartProblem(`There is no file ${file}.`);
  refuseNoFile(file, `The backup ${file}`, 'name a file');
  verifyArchive(file);
  makeFolderOf(databasePath);
  const lock = lockFolder(databasePath);
  const pathOf = (ending: string) => companionPath(databasePath, ending);
  const hadDatabase = existsSync(databasePath) || isRestoreUnfinished(databasePath);
  try {
    removeParts(databasePath, hadDatabase);
    await copyDatabase(file, partOf(databasePath));
    makeStartable(partOf(databasePath));
    const known = COMPANIONS.map(({ ending }) => ending);
    const endings = extractFiles(partOf(databasePath), known, ending => partOf(pathOf(ending)));
    const movedAway = moveAway(allFilesOf(databasePath), toIso(now).replace(/[:.]/g, '-'));
    // The database comes last: until then no program starts.
    for (const path of [...endings.map(pathOf), databasePath]) renameSync(partOf(path), path);
    return { database: databasePath, movedAway };
  } catch (error) {
    throw copyProblem(error, dirname(resolve(databasePath)), 'set DATABASE_PATH to a file on another disk');
  } finally {
    removeParts(databasePath, hadDatabase);
    lock.release();
  }
}

/** While the former database is moved away, the part of the new one stays, empty: so no program starts. */
function removeParts(databasePath: string, hadDatabase: boolean): void {
  const part = partOf(databasePath);
  if (hadDatabase && !existsSync(databasePath)) writeFileSync(part, '');
  else rmSync(part, { force: true });
  removeBeside(part);
  for (const { ending } of COMPANIONS) rmSync(partOf(companionPath(databasePath, ending)), { force: true });
}

const moveAway = (paths: string[], at: string): string[] =>
  paths
    .filter(path => existsSync(path))
    .map(path => {
      const name = `${path}.before-restore-${at}`;
      renameSync(path, name);
      return name;
    });
