import type { Config } from '../config/config.ts';

export interface Companion {
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
