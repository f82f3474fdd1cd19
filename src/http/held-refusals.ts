import type { IncomingMessage, ServerResponse } from 'node:http';
import { later } from '../kernel/interval.ts';
import { type Answer, responseHeadersOf } from './answer.ts';

export interface HoldLimits {
  leastMs: number;
  maxMs: number;
  /** Between two answers to one owner. */
  apartMs: number;
  /** More are not held: their connection is closed with the answer. */
  maxPerOwner: number;
  most: number;
}

const LIMITS: HoldLimits = { leastMs: 250, maxMs: 1_000, apartMs: 20, maxPerOwner: 256, most: 2_000 };

interface Owner {
  held: number;
  /** Its last answer goes out then, on the clock of `now`. */
  lastAt: number;
}

/**
 * The answers to a sender that goes on after its limit: later and later, so that it cannot spend the time of others.
 * `now`: monotonic milliseconds.
 */
export function heldRefusals(now: () => number, limits: HoldLimits = LIMITS) {
  const owners = new Map<string, Owner>();
  let held = 0;

  /** Milliseconds to wait. Undefined: there is no room. */
  function hold(name: string): number | undefined {
    const owner = owners.get(name) ?? { held: 0, lastAt: 0 };
    if (owner.held >= limits.maxPerOwner || held >= limits.most) return undefined;
    const earliest = now() + limits.leastMs;
    owner.lastAt = Math.min(Math.max(earliest, owner.lastAt + limits.apartMs), now() + limits.maxMs);
    owner.held++;
    held++;
    owners.set(name, owner);
    return owner.lastAt - now();
  }

  function release(name: string): void {
    const owner = owners.get(name)!;
    held--;
    owner.held--;
    if (owner.held === 0) owners.delete(name);
  }

  return {
    /** `owner`: the sender, over all of its connections. */
    answer(request: IncomingMessage, response: ServerResponse, owner: string, answer: Answer): void {
      const waitMs = hold(owner);
      if (waitMs === undefined) return answerOut(response, answer, { connection: 'close' });
      const { socket } = request;
      // A client that sends on without an answer waits with that too.
      socket.pause();
      const stop = later(waitMs, () => {
        answerOut(response, answer);
        socket.resume();
      });
      response.once('close', () => {
        stop();
        release(owner);
      });
    },
  };
}

export function answerOut(response: ServerResponse, answer: Answer, more: Record<string, string> = {}): void {
  // The connection broke in the meantime, and was answered.
  if (response.headersSent) return;
  response.on('error', () => response.destroy());
  response.writeHead(answer.status, {
    ...responseHeadersOf(answer),
    'content-length': Buffer.byteLength(answer.text),
    ...more,
  });
  response.end(answer.text);
}
