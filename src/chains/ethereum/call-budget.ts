import { elapsedMs } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';

const MINUTE_MS = 60_000;
/** The part of a minute's calls that may go out at once. */
const AT_ONCE = 0.2;
const LONGEST_WAIT_MS = 2_000;

/** Resolves when a call may go out. Throws `ChainUnreachable` when that is too far away. */
export type CallBudget = () => Promise<void>;

/** No minute has more calls than `perMinute`, which is at least 2. */
export function callBudget(perMinute: number): CallBudget {
  const atOnce = Math.max(1, Math.floor(perMinute * AT_ONCE));
  const intervalMs = MINUTE_MS / (perMinute - atOnce);
  let nextAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const now = elapsedMs();
    const at = Math.max(nextAt, now - (atOnce - 1) * intervalMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > LONGEST_WAIT_MS)
      throw new ChainUnreachable(`the calls of this minute are used up (ETH_RPC_BUDGET=${perMinute})`, {
        retryAfterMs: waitMs,
      });
    nextAt = at + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
  };
}
