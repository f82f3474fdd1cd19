import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';

/** The time of the calling VASP, and how many milliseconds it is ahead of the machine's. */
export const readClock = ({ clock, timers }: Pick<SandboxDeps, 'clock' | 'timers'>, vaspId: CallerId) => ({
  now: toIso(clock.now(vaspId)),
  aheadMs: clock.aheadOf(vaspId),
  advancing: timers.advance.progress(vaspId) ?? null,
});
