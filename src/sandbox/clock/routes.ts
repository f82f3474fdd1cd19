import type * as z from 'zod';
import { MAX_COUNTED } from '../../contract/most-counted.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { advanceClock, readClock } from './advance.ts';
import { clockCalls, type TimersQuery } from './schema.ts';

export const clockEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(clockCalls.clock, { summary: 'Read the time of this VASP', run: (_, caller) => readClock(deps, caller) }),
  control(clockCalls.advance, {
    summary: 'Move the time of this VASP forward; answers when every due timer has run',
    run: ({ body }, caller) => advanceClock(deps, body.duration, caller),
  }),
  control(clockCalls.timers, {
    summary: 'List the pending timers of this VASP',
    run: ({ query }, caller) => listTimers(deps, query, caller),
  }),
];

/** Reads one timer more than it shows, to see whether there is a next page. */
function listTimers(
  { timers }: Pick<SandboxDeps, 'timers'>,
  { after, limit }: z.output<typeof TimersQuery>,
  vaspId: CallerId,
) {
  const rows = timers.pending(vaspId, after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    timers: shown.map(({ kind, key, dueAt, why, attempts, lastError }) => ({
      ...{ kind, key, why, attempts, lastError },
      dueAt: toIso(dueAt),
    })),
    total: timers.countPending(vaspId, MAX_COUNTED + 1),
    next: last ? `${last.dueAt}.${last.id}` : null,
  };
}
