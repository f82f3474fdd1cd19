import { existsSync } from 'node:fs';
import { baseOf } from '../beside-database.ts';

/** The files beside a database that belong to it, by the end of the name. */
export interface Companion {
  ending: string;
  kind: 'sqlite' | 'plain';
  /** Of a program that has ended. While it runs, the file is not whole. */
  onlyAtRest?: true;
}

/** In the order of copying. The chains come after the database, so that they know all that it knows. */
const COMPANIONS: readonly Companion[] = [
  { ending: '.data-key', kind: 'plain' },
  { ending: '.report-key.json', kind: 'plain' },
  { ending: '.xrpl.sqlite', kind: 'sqlite' },
  { ending: '.ethereum.json.genesis', kind: 'plain' },
  { ending: '.ethereum.json', kind: 'plain' },
  { ending: '.ethereum.json.exit', kind: 'plain', onlyAtRest: true },
];

export const companionPath = (databasePath: string, { ending }: Pick<Companion, 'ending'>): string =>
  baseOf(databasePath) + ending;

export const companionsOf = (databasePath: string, isRunning: boolean): Companion[] =>
  COMPANIONS.filter(each => existsSync(companionPath(databasePath, each)) && !(isRunning && each.onlyAtRest));

/** Every file that a start would read. */
export const allFilesOf = (databasePath: string): string[] => [
  ...['', '-wal', '-shm'].map(suffix => databasePath + suffix),
  ...COMPANIONS.flatMap(each => {
    const path = companionPath(databasePath, each);
    return each.kind === 'sqlite' ? [path, `${path}-wal`, `${path}-shm`] : [path];
  }),
  companionPath(databasePath, { ending: '.ethereum.json.previous' }),
];
