import { once } from 'node:events';
import { connect } from 'node:net';
import { elapsedMs } from '../kernel/clock.ts';
import { firstAborted } from '../kernel/first-aborted.ts';
import { expiresIn, pause } from '../timers/loop.ts';
import type { CallGuard } from '../vasps/call-guard.ts';

const TRY_AGAIN_MS = 100;
const CONNECT_WITHIN_MS = 1000;

/**
 * Waits until there are addresses and all of them accept connections, at most `limitMs`. Sends nothing. `urls` is asked
 * again at every try: a VASP that starts again may register others. Returns the addresses that do not accept them; an
 * address that may not be called counts as one that does. Throws the reason of the signal.
 */
export async function untilListening(
  urls: () => readonly string[],
  { guard, limitMs, signal }: { guard: CallGuard; limitMs: number; signal: AbortSignal },
): Promise<readonly string[]> {
  const start = elapsedMs();
  for (;;) {
    const present = urls();
    const allowed = present.filter(url => guard.problemOf(url) === undefined);
    const listening = await Promise.all(allowed.map(url => isListening(url, guard, signal)));
    const silent = allowed.filter((_, position) => !listening[position]);
    if (present.length > 0 && silent.length === 0) return silent;
    if (elapsedMs() - start >= limitMs) return silent;
    await pause(TRY_AGAIN_MS, signal);
  }
}

async function isListening(url: string, { lookup }: CallGuard, signal: AbortSignal): Promise<boolean> {
  const { protocol, hostname, port } = new URL(url);
  const socket = connect({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (protocol === 'https:' ? 443 : 80),
    ...(lookup ? { lookup } : {}),
  });
  const over = firstAborted(signal, expiresIn(CONNECT_WITHIN_MS));
  try {
    await once(socket, 'connect', { signal: over.signal });
    return true;
  } catch {
    signal.throwIfAborted();
    return false;
  } finally {
    over.release();
    socket.on('error', () => {});
    socket.destroy();
  }
}
