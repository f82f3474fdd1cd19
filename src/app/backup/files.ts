import { existsSync } from 'node:fs';
import { COMPANIONS, type Companion, companionPath } from '../beside-database.ts';

/** Those that exist and can be copied now. */
export const companionsOf = (databasePath: string, isRunning: boolean): Companion[] =>
  COMPANIONS.filter(
    each => existsSync(companionPath(databasePath, each.ending)) && !(isRunning && 'onlyAtRest' in each),
  );

/** Every file that a start would read. */
export const allFilesOf = (databasePath: string): string[] => [
  ...['', '-wal', '-shm'].map(suffix => databasePath + suffix),
  ...COMPANIONS.flatMap(each => {
    const path = companionPath(databasePath, each.ending);
    return each.kind === 'sqlite' ? [path, `${path}-wal`, `${path}-shm`] : [path];
  }),
  companionPath(databasePath, '.ethereum.json.previous'),
];
