import type { Caller } from '../http/caller.ts';
import type { InTurn } from '../http/server.ts';
import { later } from '../kernel/clock.ts';
import type { Turns } from '../kernel/turns.ts';

type Sender = Pick<Extract<Caller, { role: 'vasp' }>, 'keyId' | 'vaspId'>;
/** Takes a request of the limit. Undefined: there was one. Otherwise the milliseconds until there may be one. */
export type TakeRequest = () => number | undefined;

/**
 * The frames of WebSockets count as requests of their key. Those over the limit wait for their turn: a chain client knows
 * no status 429.
 */
export function frameTurns(inTurn: InTurn) {
  const waiting = new Map<string, Set<() => void>>();

  function beginNext(key: string, take: TakeRequest): void {
    const queue = waiting.get(key)!;
    for (const begin of queue) {
      const waitMs = take();
      if (waitMs !== undefined) return void later(waitMs, () => beginNext(key, take));
      queue.delete(begin);
      begin();
    }
    waiting.delete(key);
  }

  return ({ keyId, vaspId }: Sender, take: TakeRequest): Turns =>
    begin => {
      const beginInTurn = () => inTurn(vaspId, begin);
      return {
        ask() {
          const queue = waiting.get(keyId);
          if (queue) return void queue.add(beginInTurn);
          waiting.set(keyId, new Set([beginInTurn]));
          beginNext(keyId, take);
        },
        end: () => void waiting.get(keyId)?.delete(beginInTurn),
      };
    };
}
