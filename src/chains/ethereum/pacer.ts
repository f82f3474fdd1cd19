import { elapsedMs } from '../../kernel/clock.ts';
import { ChainUnreachable } from '../port.ts';

const FIRST_AT_ONCE = 8;
const MAX_CONCURRENT = 16;
const FIRST_BACK_OFF_MS = 250;
const LONGEST_BACK_OFF_MS = 2_000;

/**
 * Adapts to a node that limits calls: the number of calls at once halves after a failure and grows again with every
 * full round of successes. Keeps the wait that the node asks for. `isRefusal`: the failures that slow the calls down.
 */
export function createPacer(isRefusal: (error: unknown) => error is ChainUnreachable) {
  let atOnce = FIRST_AT_ONCE;
  let successes = 0;
  let backOffMs = 0;
  let readyAt = 0;
  let reason = '';

  function failed(error: unknown): void {
    if (!isRefusal(error)) return;
    atOnce = Math.max(1, Math.floor(atOnce / 2));
    successes = 0;
    backOffMs = Math.min(LONGEST_BACK_OFF_MS, Math.max(FIRST_BACK_OFF_MS, backOffMs * 2));
    readyAt = elapsedMs() + (error.retryAfterMs ?? backOffMs);
    reason = error.message;
  }

  function succeeded(): void {
    backOffMs = 0;
    successes += 1;
    if (successes < atOnce) return;
    successes = 0;
    atOnce = Math.min(MAX_CONCURRENT, atOnce + 1);
  }

  /** Milliseconds until the wait after a failure is over; 0: it is. */
  const waitMs = (): number => Math.max(0, Math.ceil(readyAt - elapsedMs()));

  return {
    waitMs,
    /** A call outside of `inOrder`. Its failure counts, too. */
    counted: <T>(call: Promise<T>): Promise<T> =>
      call.catch(error => {
        failed(error);
        throw error;
      }),
    /** Throws `ChainUnreachable` until the wait after a failure is over. */
    requireReady(): void {
      const retryAfterMs = waitMs();
      if (retryAfterMs > 0) throw new ChainUnreachable(reason, { retryAfterMs });
    },
    /**
     * Runs `task` for 0…count-1, and begins none after `endAt`. Returns the results up to the first failure; throws that
     * failure when there are none.
     */
    async inOrder<T>(count: number, endAt: number, task: (index: number) => Promise<T>): Promise<T[]> {
      const { results, failure } = await untilFailure(atOnce, count, endAt, async index => {
        const result = await task(index);
        succeeded();
        return result;
      });
      if (failure) failed(failure.error);
      if (failure && results.length === 0) throw failure.error;
      return results;
    },
  };
}

/** Runs `atOnce` tasks beside each other. Returns the results up to the first failure, and that. */
async function untilFailure<T>(
  atOnce: number,
  count: number,
  endAt: number,
  task: (index: number) => Promise<T>,
): Promise<{ results: T[]; failure: { error: unknown } | undefined }> {
  const results: T[] = [];
  const failures: { index: number; error: unknown }[] = [];
  let next = 0;
  const work = async () => {
    while (next < count && failures.length === 0 && (next === 0 || elapsedMs() < endAt)) {
      const index = next++;
      try {
        results[index] = await task(index);
      } catch (error) {
        failures.push({ index, error });
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, work));
  const [failure] = failures.sort((one, other) => one.index - other.index);
  return { results: results.slice(0, failure?.index), failure };
}
