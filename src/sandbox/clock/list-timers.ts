import type * as z from 'zod';
import { MOST_COUNTED } from '../../contract/most-counted.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import type { TimersQuery } from './schema.ts';

/** Reads one timer more than it shows, to see whether there is a next page. */
export function listTimers(
  deps: SandboxDeps,
  { after, limit }: z.output<typeof TimersQuery>,
  vaspId: CallerId,
) {
  const rows = deps.timers.pending(vaspId, after, limit + 1);
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    timers: shown.map(({ id: _, ...timer }) => ({ ...timer, dueAt: toIso(timer.dueAt) })),
    total: deps.timers.countPending(vaspId, MOST_COUNTED + 1),
    next: last ? `${last.dueAt}.${last.id}` : null,
  };
}
