import { atMostOfEach } from '../kernel/at-most.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { ConnectionState } from '../kernel/http-client.ts';
import { CallFailure } from '../kernel/http-exchange.ts';
import { HANDSHAKE_WAIT_MS } from './port.ts';

/**
 * A server chooses the certificates that this thread checks. They take up to a third of a second, and no option of Node.js
 * bounds it. So a VASP has one handshake at a time, and none for a while after one that failed. A server whose last
 * handshake succeeded waits for nothing, and may fail once: it may have started anew.
 */

const MAX_KEPT = 10_000;

type Calling<T> = (watch: (state: ConnectionState) => void) => Promise<T>;
export type Handshakes = ReturnType<typeof handshakes>;

export function handshakes() {
  const known = new Set<string>();
  const failures = new Map<string, { at: number; waits: boolean }>();
  const oneOfEach = atMostOfEach(1);

  function watched<T>(vaspId: string, server: string, call: Calling<T>, whenMade = () => {}): Promise<T> {
    const wasKnown = known.has(server);
    const begunAt = elapsedMs();
    let isFailing = false;
    const watch = (state: ConnectionState) => {
      isFailing = state === 'opened';
      if (state !== 'made') return;
      keep(known, known.add(server));
      whenMade();
    };
    return call(watch).finally(() => {
      if (isFailing) {
        const last = failures.get(vaspId);
        // Calls that begin together fail together.
        const isSecond = last !== undefined && isRecent(last) && (last.waits || last.at <= begunAt);
        const waits = !wasKnown || isSecond;
        known.delete(server);
        failures.delete(vaspId);
        keep(failures, failures.set(vaspId, { at: elapsedMs(), waits }));
      }
      whenMade();
    });
  }
  function refuse(vaspId: string): void {
    const last = failures.get(vaspId);
    if (last?.waits && isRecent(last)) throw new CallFailure('HANDSHAKE-FAILED-BEFORE');
  }
  return {
    /** `call` tells what becomes of its connection. Throws `CallFailure` too. */
    async during<T>(vaspId: string, origin: string, call: Calling<T>): Promise<T> {
      const server = `${vaspId} ${origin}`;
      if (known.has(server)) return watched(vaspId, server, call);
      const [calling] = await oneOfEach(vaspId, async () => {
        // It may have become known meanwhile.
        if (known.has(server)) return [watched(vaspId, server, call)];
        refuse(vaspId);
        let begun: Promise<T> | undefined;
        await new Promise<void>(resolve => {
          begun = watched(vaspId, server, call, resolve);
          begun.catch(() => {});
        });
        return [begun!];
      });
      return calling;
    },
  };
}

const isRecent = ({ at }: { at: number }): boolean => elapsedMs() - at < HANDSHAKE_WAIT_MS;

/** The oldest one goes. */
function keep(keys: Pick<Set<string>, 'keys' | 'delete'>, { size }: { size: number }): void {
  const [oldest] = size > MAX_KEPT ? keys.keys() : [];
  if (oldest !== undefined) keys.delete(oldest);
}
