import { existsSync, statSync } from 'node:fs';
import { compact as writeAnew } from '../../db/compact.ts';
import { StartProblem } from '../../kernel/start-problem.ts';

/** Writes the database anew, without the traces of what was deleted. Throws `StartProblem`. */
export function compact(file: string) {
  if (!existsSync(file))
    throw new StartProblem(`There is no database ${file}: set DATABASE_PATH to the one to compact.`);
  const before = statSync(file).size;
  writeAnew(file);
  return { file, bytes: statSync(file).size, before };
}
