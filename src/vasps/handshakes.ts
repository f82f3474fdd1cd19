import { atMostOfEach } from '../kernel/at-most.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { CallWatch } from '../kernel/http-client.ts';
import { CallFailure } from '../kernel/http-exchange.ts';
import { sleep } from '../kernel/interval.ts';
import { watchStalls, workOfTurn } from '../kernel/stall.ts';
import { HANDSHAKE_WAIT_MS, MAX_HANDSHAKE_WAIT_MS } from './port.ts';

/**
 * A server chooses the certificates that this thread checks. They take up to a third of a second, and no option of Node.js
 * bounds it. So a VASP has one handshake at a time, and none for a while after one that failed: the longer, the longer it
 * kept this thread. A server whose last handshake succeeded waits for nothing, and may fail once: it may have started anew.
 * A failure stops the other handshakes of its VASP before their certificates are read, and their calls begin again.
 *
 * One that kept this thread makes all servers of its VASP unknown, and stops the handshakes of all VASPs. None begins until
 * twice its time has passed. So all VASPs together take at most a third of this thread, and each of them about 1/3,600.
 */

const MAX_KEPT = 10_000;
/** A failure that kept this thread for at least this time is costly. */
const COSTLY_MS = 30;
/** Its VASP waits for its time, multiplied by this. */
const WAIT_OF_COSTLY = 3_600;
const REST_OF_COSTLY = 2;

type Watch = NonNullable<CallWatch['onConnection']>;
type Stop = Parameters<Watch>[1];
type Calling<T> = (watch: Watch) => Promise<T>;
interface Guarded<T> {
  vaspId: string;
  server: string;
  call: Calling<T>;
  signal: AbortSignal | undefined;
}
export type Handshakes = ReturnType<typeof handshakes>;

export function handshakes() {
  const known = new Set<string>();
  const failures = new Map<string, Failure>();
  const underWay = new Map<Stop, string>();
  const oneOfEach = atMostOfEach(1);
  let restUntil = 0;

  function watched<T>({ vaspId, server, call, signal }: Guarded<T>, whenMade = () => {}): Promise<T> {
    const wasKnown = known.has(server);
    let isFailing = false;
    let handshake: Stop | undefined;
    let unwatch = () => {};
    const end = () => {
      unwatch();
      if (handshake) underWay.delete(handshake);
    };
    const watch: Watch = (state, stop) => {
      isFailing = state === 'opened';
      if (state === 'begun') {
        handshake = stop;
        unwatch = watchStalls();
        underWay.set(stop, vaspId);
        if (isResting() || (wasKnown && !known.has(server))) stop(failedBefore());
      }
      if (state !== 'made') return;
      end();
      keep(known, known.add(server));
      whenMade();
    };
    return call(watch)
      .catch(error => {
        if (isFailing && !isStopped(error) && !signal?.aborted) noteFailure(vaspId, server, wasKnown);
        throw error;
      })
      .finally(() => {
        end();
        whenMade();
      });
  }
  function noteFailure(vaspId: string, server: string, wasKnown: boolean): void {
    const now = elapsedMs();
    const keptMs = workOfTurn();
    const isLong = isCostly({ keptMs });
    const last = failures.get(vaspId);
    const waits = isLong || !wasKnown || (last !== undefined && isRecent(last));
    known.delete(server);
    failures.delete(vaspId);
    keep(failures, failures.set(vaspId, { at: now, keptMs, waits }));
    if (isLong) restUntil = now + keptMs * REST_OF_COSTLY;
    for (const each of known) if (isLong && each.startsWith(`${vaspId} `)) known.delete(each);
    for (const [stop, owner] of underWay) if (isLong || owner === vaspId) stop(failedBefore());
  }
  function refuse(vaspId: string): void {
    const last = failures.get(vaspId);
    if (last?.waits && isRecent(last))
      throw isCostly(last) ? new CallFailure('HANDSHAKE-TOO-LONG-BEFORE') : failedBefore();
  }
  const isResting = () => elapsedMs() < restUntil;
  async function begin<T>(guarded: Guarded<T>): Promise<T> {
    const { vaspId, server } = guarded;
    if (known.has(server)) return watched(guarded);
    const [calling] = await oneOfEach(vaspId, async () => {
      // It may have become known meanwhile.
      if (known.has(server)) return [watched(guarded)];
      refuse(vaspId);
      if (isResting()) throw failedBefore();
      let begun: Promise<T> | undefined;
      await new Promise<void>(resolve => {
        begun = watched(guarded, resolve);
        begun.catch(() => {});
      });
      return [begun!];
    });
    return calling;
  }
  return {
    /**
     * `call` tells what becomes of its connection, and is called again after its handshake was stopped. A call that
     * `signal` ends is no failure of the server. Throws `CallFailure` too.
     */
    async during<T>(vaspId: string, origin: string, call: Calling<T>, signal?: AbortSignal): Promise<T> {
      const guarded = { vaspId, server: `${vaspId} ${origin}`, call, signal };
      for (;;) {
        try {
          return await begin(guarded);
        } catch (error) {
          if (!isStopped(error)) throw error;
          refuse(vaspId);
          while (isResting()) await sleep(restUntil - elapsedMs());
        }
      }
    },
  };
}

interface Failure {
  at: number;
  /** How long it kept this thread. */
  keptMs: number;
  /** No handshake with a server that is not known begins. */
  waits: boolean;
}

const isCostly = ({ keptMs }: Pick<Failure, 'keptMs'>): boolean => keptMs >= COSTLY_MS;
const waitOf = ({ keptMs }: Failure): number =>
  Math.min(MAX_HANDSHAKE_WAIT_MS, Math.max(HANDSHAKE_WAIT_MS, keptMs * WAIT_OF_COSTLY));
const isRecent = (failure: Failure): boolean => elapsedMs() - failure.at < waitOf(failure);

const failedBefore = () => new CallFailure('HANDSHAKE-FAILED-BEFORE');
const isStopped = (error: unknown): boolean => error instanceof CallFailure && error.code === 'HANDSHAKE-FAILED-BEFORE';

/** The oldest one goes. */
function keep(keys: Pick<Set<string>, 'keys' | 'delete'>, { size }: { size: number }): void {
  const [oldest] = size > MAX_KEPT ? keys.keys() : [];
  if (oldest !== undefined) keys.delete(oldest);
}
