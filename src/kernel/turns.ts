import { setMaxListeners } from 'node:events';
import { elapsedMs, repeat, sleep } from './clock.ts';
import type { Log } from './log.ts';
import { tally } from './rate-limit.ts';
import { storageTrouble } from './storage-trouble.ts';

/** Somebody who asks for one turn after the other. */
interface Turn {
  /** Begins the work, now or when it is its turn. Not called again before. */
  ask(): void;
  end(): void;
}

/** Decides when the work of somebody begins. */
export type Turns = (begin: () => void) => Turn;

export const atOnce: Turns = begin => ({ ask: begin, end: () => {} });

/** Waits for one turn after the other. False: the time was up before the turn began. */
export function turnByTurn(turns: Turns, timeIsUp: AbortSignal): () => Promise<boolean> {
  let answer: (hasBegun: boolean) => void = () => {};
  const turn = turns(() => answer(true));
  timeIsUp.addEventListener('abort', () => {
    turn.end();
    answer(false);
  });
  return () =>
    new Promise(resolve => {
      if (timeIsUp.aborted) return resolve(false);
      answer = resolve;
      turn.ask();
    });
}

/** Runs the work of each owner, at most `max` of it at the same time. The rest waits in its order. */
export function limitPerKey(max: number) {
  const running = tally();
  const waiting = new Map<string, (() => void)[]>();

  function begin(owner: string): Promise<void> | undefined {
    if (running.of(owner) < max) return void running.add(owner, 1);
    const queue = waiting.get(owner) ?? [];
    waiting.set(owner, queue);
    return new Promise(resolve => queue.push(resolve));
  }

  /** The next one takes the place. */
  function end(owner: string): void {
    const queue = waiting.get(owner);
    const next = queue?.shift();
    if (queue?.length === 0) waiting.delete(owner);
    if (next) return next();
    running.add(owner, -1);
  }

  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    await begin(owner);
    try {
      return await work();
    } finally {
      end(owner);
    }
  };
}

/** Runs one work after another. A failure of one stops no other. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  const inTurn = limitPerKey(1);
  return work => inTurn('', work);
}

/** One call of `ask` at a time. Callers meanwhile share the next one: no answer is older than its request. */
export function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    next = undefined;
    const call = ask();
    const end: Promise<void> = call.then(
      () => {},
      () => {},
    );
    running = end;
    void end.then(() => {
      if (running === end) running = undefined;
    });
    return call;
  }

  return () => {
    if (!running) return start();
    next ??= running.then(start);
    return next;
  };
}

/** What is made at the first call, for all calls. After a failure the next call makes it again. */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch(error => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/**
 * `signal` aborts with the first of `signals`. `release` ends that: it has to be called when nobody waits any more.
 * `AbortSignal.any` of Node.js 20 leaves something in each signal that never aborts, for each call.
 */
export function firstAborted(...signals: readonly AbortSignal[]): { signal: AbortSignal; release(): void } {
  const first = new AbortController();
  const release = () => {
    for (const signal of signals) signal.removeEventListener('abort', abort);
  };
  function abort(): void {
    release();
    first.abort();
  }
  // Each request of a key may listen to its end.
  setMaxListeners(0, ...signals);
  for (const signal of signals) signal.addEventListener('abort', abort);
  if (signals.some(({ aborted }) => aborted)) abort();
  return { signal: first.signal, release };
}

const FIRST_SWEEP_MS = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Requests are served between two parts. */
const PAUSE_MS = 20;
const PART_MS = 5;

/** Deletes old data every minute, in steps. `failed`: the message of the log. The returned function ends it. */
export function startSweep(sweep: () => Iterator<void>, log: Log, failed: string): () => void {
  let steps: Iterator<void> | undefined;
  let delayMs = FIRST_SWEEP_MS;
  return repeat(
    () => delayMs,
    () => {
      try {
        steps ??= sweep();
        if (runPart(steps, PART_MS)) steps = undefined;
      } catch (error) {
        steps = undefined;
        if (!storageTrouble(error)) log.error({ err: String(error) }, failed);
      }
      delayMs = steps ? PAUSE_MS : SWEEP_EVERY_MS;
    },
  );
}

const SMALL_CHUNKS = 1_000;
const LEAST_CHUNK_BYTES = 256;

/** Each chunk of a body costs the same time, however few bytes it has. */
export const areTiny = (chunks: number, bytes: number): boolean =>
  chunks > SMALL_CHUNKS && bytes < chunks * LEAST_CHUNK_BYTES;

const IN_PARTS_PAUSE_MS = 5;

/** Runs steps for `ms` milliseconds. Undefined: some are left. */
function runPart<T>(steps: Iterator<void, T>, ms: number): IteratorReturnResult<T> | undefined {
  for (const startedAt = elapsedMs(); elapsedMs() - startedAt < ms; ) {
    const step = steps.next();
    if (step.done) return step;
  }
  return undefined;
}

/** Runs all steps, and returns what they make. Others have their turn between two parts. */
export async function runInParts<T>(steps: Iterator<void, T>): Promise<T> {
  for (;;) {
    const end = runPart(steps, PART_MS);
    if (end) return end.value;
    await sleep(IN_PARTS_PAUSE_MS);
  }
}
