import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';

export const listTimers = (deps: SandboxDeps, vaspId: string) => ({
  timers: deps.timers.pending(vaspId).map(timer => ({ ...timer, dueAt: toIso(timer.dueAt) })),
});
