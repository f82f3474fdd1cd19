import { elapsedMs } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';

const MINUTE_MS = 60_000;
/** The part of a minute's calls that may go out at once. */
const AT_ONCE = 0.2;
const LONGEST_WAIT_MS = 2_000;

/** No minute has more calls than `perMinute`, which is at least 2. */
export function callBudget(perMinute: number) {
  const atOnce = Math.max(1, Math.floor(perMinute * AT_ONCE));
  const intervalMs = MINUTE_MS / (perMinute - atOnce);
  let nextAt = Number.NEGATIVE_INFINITY;
  let sentAt: number[] = [];
  const lastMinute = () => {
    const since = elapsedMs() - MINUTE_MS;
    const first = sentAt.findIndex(at => at > since);
    sentAt = first === -1 ? [] : sentAt.slice(first);
    return sentAt.length;
  };
  /** Resolves when a call may go out. Throws `ChainUnreachable` when that is too far away. */
  async function take(): Promise<void> {
    const now = elapsedMs();
    const at = Math.max(nextAt, now - (atOnce - 1) * intervalMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > LONGEST_WAIT_MS)
      throw new ChainUnreachable(`the calls of this minute are used up (ETH_RPC_BUDGET=${perMinute})`, {
        retryAfterMs: waitMs,
      });
    nextAt = at + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
    sentAt.push(elapsedMs());
    if (sentAt.length > perMinute) lastMinute();
  }
  return { perMinute, lastMinute, take };
}
