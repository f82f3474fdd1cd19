import { StartProblem } from '../kernel/start-problem.ts';
import { Failure } from './command.ts';

/** A problem that the user can solve ends the command with its sentence. */
export function startProblem(error: unknown): never {
  if (error instanceof StartProblem) throw new Failure(1, 'STORAGE', error.message);
  throw error;
}
