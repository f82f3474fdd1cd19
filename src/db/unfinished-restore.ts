import { existsSync } from 'node:fs';
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
