import { type Clock, elapsedMs, systemClock } from './clock.ts';
import { interval } from './interval.ts';

/**
 * Compares the machine's clock with the monotonic one. While it is set by somebody, the times of two events say nothing
 * about what passed between them.
 */
export type ClockWatch = ReturnType<typeof watchClock>;

const TICK_MS = 100;
/** Less is the time between the reading of the two clocks, or a clock that is slewed. */
const TOLERANCE_MS = 100;

export function watchClock(clock: Clock = systemClock) {
  const offset = () => clock.now() - elapsedMs();
  let last = offset();
  let greatest = 0;
  const look = () => {
    const now = offset();
    const jump = now - last;
    last = now;
    if (Math.abs(jump) > Math.max(TOLERANCE_MS, Math.abs(greatest))) greatest = jump;
  };
  const stop = interval(TICK_MS, look);
  return {
    /** The greatest jump since the start, whole milliseconds; negative: backwards. 0: none. */
    jumpMs(): number {
      look();
      return Math.round(greatest);
    },
    stop,
  };
}
