import { elapsedMs } from '../../kernel/clock.ts';
import { sleep } from '../../kernel/interval.ts';
import { ChainUnreachable } from '../port.ts';

const MINUTE_MS = 60_000;
/** The part of a minute's calls that may go out at once. */
const AT_ONCE = 0.2;
const LONGEST_WAIT_MS = 2_000;

/** The part of the calls that go out at once, and of those of a minute, that is left to the robot itself. */
const OF_THE_ROBOT = 0.5;

/**
 * No minute has more calls than `perMinute`, which is at least 2. The robot's own reading and paying comes first: what is
 * asked on behalf of VASPs has the other half, of which each VASP that asks has an equal share, at most a half.
 */
export function callBudget(perMinute: number) {
  const atOnce = Math.max(1, Math.floor(perMinute * AT_ONCE));
  const intervalMs = MINUTE_MS / (perMinute - atOnce);
  const sent = sentWithin(MINUTE_MS);
  const ofVasps = new Map<string, ReturnType<typeof sentWithin>>();
  let nextAt = Number.NEGATIVE_INFINITY;

  const refuse = (waitMs: number, why = '') => {
    throw new ChainUnreachable(`the calls of this minute are used up${why} (ETH_RPC_BUDGET=${perMinute})`, {
      retryAfterMs: waitMs,
    });
  };
  function requireShare(vaspId: string, now: number): void {
    for (const [each, its] of ofVasps) if (its.count() === 0) ofVasps.delete(each);
    const own = ofVasps.get(vaspId) ?? sentWithin(MINUTE_MS);
    ofVasps.set(vaspId, own);
    const share = (perMinute * (1 - OF_THE_ROBOT)) / Math.max(2, ofVasps.size);
    if (own.count() + 1 > Math.max(1, share)) refuse(own.freesInMs(), ' by this VASP');
    const waitMs = nextAt - (now - atOnce * OF_THE_ROBOT * intervalMs);
    if (waitMs > 0) refuse(Math.ceil(waitMs), ' but for the robot itself');
    own.note();
  }
  /** Resolves when a call may go out. `vaspId`: on whose behalf. Throws `ChainUnreachable` when that is too far away. */
  async function take(vaspId?: string): Promise<void> {
    const now = elapsedMs();
    if (vaspId !== undefined) requireShare(vaspId, now);
    const at = Math.max(nextAt, now - (atOnce - 1) * intervalMs);
    const waitMs = Math.ceil(at - now);
    if (waitMs > LONGEST_WAIT_MS) refuse(waitMs);
    nextAt = at + intervalMs;
    if (waitMs > 0) await sleep(waitMs);
    sent.note();
  }
  return { perMinute, lastMinute: sent.count, take };
}

/** Counts what was sent within the last `ms`. */
function sentWithin(ms: number) {
  let times: number[] = [];
  const count = (): number => {
    const since = elapsedMs() - ms;
    const first = times.findIndex(at => at > since);
    times = first === -1 ? [] : times.slice(first);
    return times.length;
  };
  return {
    count,
    note: () => void times.push(elapsedMs()),
    freesInMs: (): number => Math.ceil((times[0] ?? 0) + ms - elapsedMs()),
  };
}
