import { statSync } from 'node:fs';
import { interval } from '../../kernel/interval.ts';
import type { Log } from '../../kernel/log.ts';
import type { Config } from '../config/config.ts';

const LOOK_EVERY_MS = 30_000;

/**
 * Notices that a file which the program holds open was deleted or replaced: SQLite goes on writing, and everything is
 * gone when the program ends. `ledgers`: the databases of ledgers that are open. The returned function looks at once.
 */
export function watchFiles(
  { databasePath }: Pick<Config, 'databasePath'>,
  ledgers: () => readonly string[],
  log: Log,
  stopping: AbortSignal,
): () => string[] {
  const opened = new Map<string, string>();
  const told = new Set<string>();
  const isLost = (path: string): boolean => {
    const now = fileAt(path);
    const then = opened.get(path);
    if (then === undefined && now !== undefined) opened.set(path, now);
    return then !== undefined && now !== then;
  };
  const lost = () => {
    const texts = filesOf([databasePath, ...ledgers()])
      .filter(isLost)
      .map(path => `the file ${path} was deleted or replaced: ${WHAT_NOW}`);
    for (const text of texts) if (!told.has(text)) log.error({}, text);
    for (const text of texts) told.add(text);
    return texts;
  };
  lost();
  stopping.addEventListener('abort', interval(LOOK_EVERY_MS, lost));
  return lost;
}

const WHAT_NOW =
  'what is stored now is lost when the program ends. Put the file back, or stop the program and restore a copy';

const filesOf = (databases: readonly string[]): string[] =>
  databases.filter(path => path !== ':memory:').flatMap(path => [path, `${path}-wal`]);

function fileAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}
