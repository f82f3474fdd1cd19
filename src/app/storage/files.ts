import { existsSync, rmSync } from 'node:fs';
import { StartProblem } from '../../kernel/start-problem.ts';
import type { Config } from '../config/config.ts';

/** The files that exist and can be copied now. */
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
  companionPath(databasePath, '.ethereum.json.journal'),
];

/** The files that SQLite makes beside a database. */
export function removeBeside(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) rmSync(path + suffix, { force: true });
}

export function removeDatabase(path: string): void {
  rmSync(path, { force: true });
  removeBeside(path);
}

/** EFBIG: a limit for one file. SQLite names a quota that is used up as a failure: IOERR. */
const NO_ROOM = /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG)/;

/** The error of a copy as one sentence for the person who makes it, when that person can help. */
export function copyProblem(error: unknown, folder: string, instead: string): unknown {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path) return new StartProblem(`The file ${path} went away meanwhile: try again.`);
  if (!NO_ROOM.test(code)) return error;
  const why = code.startsWith('SQLITE_IOERR') ? 'is full or fails' : 'is full';
  return new StartProblem(`The disk of the folder ${folder} ${why} (${code}): free some space, or ${instead}.`);
}

interface Companion {
  /** The end of its name. */
  ending: string;
  kind: 'sqlite' | 'plain';
  /** Of a program that has ended. While it runs, the file is not whole. */
  onlyAtRest?: true;
}

/** In the order of copying. The chains come after the database, so that they know all that it knows. */
export const COMPANIONS = [
  { ending: '.data-key', kind: 'plain' },
  { ending: '.report-key.json', kind: 'plain' },
  { ending: '.enclave-key', kind: 'plain' },
  { ending: '.xrpl.sqlite', kind: 'sqlite' },
  { ending: '.ethereum.json.genesis', kind: 'plain' },
  { ending: '.ethereum.json', kind: 'plain' },
  { ending: '.ethereum.json.exit', kind: 'plain', onlyAtRest: true },
] as const satisfies readonly Companion[];

export const companionPath = (databasePath: string, ending: string): string =>
  databasePath.replace(/\.sqlite$/, '') + ending;

/** Its path. Undefined: the database is in memory. A file that a backup leaves out does not compile. */
export const besideDatabase = (
  { databasePath }: Pick<Config, 'databasePath'>,
  ending: (typeof COMPANIONS)[number]['ending'],
): string | undefined => (databasePath === ':memory:' ? undefined : companionPath(databasePath, ending));
