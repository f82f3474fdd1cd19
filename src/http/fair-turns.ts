import { elapsedMs } from '../kernel/clock.ts';
import { countQueueDelay } from '../kernel/queue-delay.ts';

/** The returned function leaves the queue: `begin` is not called any more. */
export type InTurn = (owner: string, begin: () => void) => () => void;

interface Owner {
  waiting: Set<() => void>;
  /** Milliseconds of the event loop, on a scale that all owners share. */
  spentMs: number;
}

/**
 * The event loop accepts one connection in each of its rounds. Those that wait are accepted before anybody's next turn:
 * otherwise a new caller would wait for as many turns as another one has opened connections.
 */
let accepted = 0;
export const noteConnection = (): void => {
  accepted += 1;
};
/** Without a turn. Somebody may open connections without an end, and a round may take long by itself. */
const ACCEPTED_WITHIN_MS = 5;

/**
 * Begins the requests of many owners in a fair order: one in each turn of the event loop, of the owner that has cost the
 * least. Nobody gets more by opening more connections or by sending what is expensive. `now`: monotonic milliseconds.
 */
export function fairTurns(now = elapsedMs): InTurn {
  const owners = new Map<string, Owner>();
  /**
   * Who comes anew, or again, begins here at least: with what the owner of the present turn had spent. Otherwise an owner
   * that was silent for a while could let all others wait as long.
   */
  let baseMs = 0;

  const next = (): Owner | undefined => {
    let least: Owner | undefined;
    for (const [name, owner] of owners)
      if (owner.waiting.size === 0) {
        if (owner.spentMs <= baseMs) owners.delete(name);
      } else if (!least || owner.spentMs < least.spentMs) least = owner;
    return least;
  };

  function plan(since = now()): void {
    const before = accepted;
    let isLater = false;
    let owner: Owner | undefined;
    let from = 0;
    setImmediate(() => {
      isLater = accepted !== before && now() - since < ACCEPTED_WITHIN_MS;
      owner = isLater ? undefined : next();
      if (!owner) return;
      baseMs = Math.max(baseMs, owner.spentMs);
      from = now();
      const [begin] = owner.waiting;
      owner.waiting.delete(begin!);
      begin!();
    });
    // Runs when everything has run that the request did without waiting for the outside.
    setImmediate(() => {
      if (isLater) return plan(since);
      if (owner) owner.spentMs += now() - from;
      if (next()) return plan();
      owners.clear();
    });
  }

  return (name, begin) => {
    const isIdle = owners.size === 0;
    const owner = owners.get(name) ?? { waiting: new Set(), spentMs: baseMs };
    owners.set(name, owner);
    if (owner.waiting.size === 0) owner.spentMs = Math.max(owner.spentMs, baseMs);
    const end = countQueueDelay(name);
    const turn = () => {
      end();
      begin();
    };
    owner.waiting.add(turn);
    if (isIdle) plan();
    return () => {
      if (owner.waiting.delete(turn)) end();
    };
  };
}
