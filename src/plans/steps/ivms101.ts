import { type Ivms101Problem, problemText } from '../../contract/ivms101-check/problem.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';

const MAX_NAMED = 5;

/** The standard forbids it, and documents of the network show it: a name is enough, in the script of the country. */
const ALLOWED_HERE: readonly string[] = ['C1', 'C4', 'WIRE-4'];

/** What the standard forbids fails. What is only probably wrong stays a WARNING. */
export function judgeIvms101(
  ctx: ModuleContext<'ivms101'>,
  problems: readonly Ivms101Problem[],
  from: LoggedExchange[],
): void {
  const failures = problems.filter(({ severity }) => severity === 'FAILURE');
  const warnings = problems.filter(({ severity, clause }) => severity === 'WARNING' && !ALLOWED_HERE.includes(clause));
  const told = (failures.length > 0 ? failures : warnings).slice(0, MAX_NAMED);
  const shown = {
    expected: told.map(({ wanted }) => wanted).join(', ') || 'IVMS101 of 2020',
    got: told.map(problemText).join(' ') || 'IVMS101 of 2020',
    from,
  };
  if (failures.length === 0 && warnings.length > 0) ctx.warn('ivms101', shown);
  else ctx.check('ivms101', failures.length === 0, shown);
}
