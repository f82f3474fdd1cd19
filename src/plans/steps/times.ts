import { parseTimestamp } from '../../contract/time.ts';
import { toIso } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { ModuleContext } from '../context.ts';
import type { LoggedExchange } from '../evidence.ts';
import type { Condition } from '../module.ts';
import { noticedNow } from '../target.ts';

/** Times that a VASP writes. All of it is advice: other forms are read, too, and a wrong time moves no money. */

/** The machines of VASP and sandbox may differ by this much. */
const TOLERANCE_MS = 300_000;
export const DAY_MS = 86_400_000;

type TimeWord = 'milliseconds' | 'moment';
interface Written {
  value: unknown;
  from: readonly LoggedExchange[];
  /** Default: it is the time of the exchange. */
  maxAgeMs?: number;
}

export const timeConditions = (clause: string, milliseconds: string, moment: string) =>
  ({
    milliseconds: { clause: 'REF-2', severity: 'WARNING', text: milliseconds },
    moment: { clause, severity: 'WARNING', text: moment },
  }) satisfies Record<TimeWord, Condition>;

/** A VASP goes by the time of its machine, or by its clock in the sandbox. */
export function judgeTime(ctx: ModuleContext<TimeWord>, { value, from, maxAgeMs = 0 }: Written): void {
  const got = String(value);
  const example = 'for example 2026-03-03T12:45:34.085Z';
  ctx.check('milliseconds', /[.,]\d{3,}/.test(got), { expected: example, got, from });
  const time = parseTimestamp(got);
  if (time === undefined) return ctx.omit('moment', `${got} is no time.`);
  const { world } = ctx;
  const clocks = [world.now(), world.sandboxNow()] as const;
  const [machine, sandbox] = clocks;
  const isAt = (earliest: number, latest: number) =>
    time <= latest + TOLERANCE_MS && time >= earliest - TOLERANCE_MS - maxAgeMs;
  const isNear = isAt(machine, machine) || isAt(noticedNow(world), sandbox);
  const now = clocks.map(toIso).join(', or in the sandbox ');
  const expected =
    maxAgeMs === 0
      ? `within ${formatDuration(TOLERANCE_MS)} of ${now}`
      : `at most ${formatDuration(maxAgeMs)} before ${now}, and not after it`;
  ctx.check('moment', isNear, { expected, got, from });
}
