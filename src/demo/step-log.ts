import { isDeepStrictEqual } from 'node:util';
import { elapsedMs } from '../kernel/clock.ts';
import { pause } from '../timers/loop.ts';

/** Prints the steps of the demo line by line and counts the failed ones. */
export interface StepLog {
  heading(text: string): void;
  note(text: string): void;
  /** A failed step ends its scene, because later steps would fail for the same reason. */
  scene(title: string, play: () => Promise<void>): Promise<void>;
  /** Prints one line with a mark and the duration. A throwing `act` fails the step. `details` are printed below. */
  step<T>(title: string, act: () => Promise<T>, details?: (outcome: T) => string | undefined): Promise<T>;
  /** Prints and starts nothing more. The current step still ends. */
  stop(): void;
  readonly steps: number;
  readonly failures: number;
}

const STEP_LIMIT_MS = 8_000;
const WIDTH = 88;

/** An unexpected value. The message shows both values. */
class Mismatch extends Error {
  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}\n  expected ${shown(expected)}\n  actual   ${shown(actual)}`);
  }
}
class SceneEnded extends Error {}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(what, expected, actual);
}

/** `write` receives whole lines. `style`: use the colours of a terminal. */
export function createStepLog(write: (line: string) => void, style: boolean): StepLog {
  const paint = (code: number, text: string) => (style ? `\u001b[${code}m${text}\u001b[0m` : text);
  let steps = 0;
  let failures = 0;
  let isStopped = false;

  function mark(isGood: boolean, title: string, startedAt: number): void {
    if (isStopped) throw new SceneEnded();
    const took = `${Math.round(elapsedMs() - startedAt)} ms`;
    const gap = ' '.repeat(Math.max(1, WIDTH - title.length - took.length));
    write(`  ${isGood ? paint(32, '✓') : paint(31, '✗')} ${title}${gap}${paint(2, took)}`);
  }
  const below = (text: string, code: number) => {
    for (const line of text.split('\n')) write(`      ${paint(code, line)}`);
  };

  return {
    heading: text => write(`\n${paint(1, text)}`),
    note: text => write(`  ${paint(2, text)}`),
    async scene(title, play) {
      if (isStopped) return;
      write(`\n${paint(36, title)}`);
      try {
        await play();
      } catch (error) {
        if (!(error instanceof SceneEnded)) throw error;
      }
    },
    async step(title, act, details) {
      if (isStopped) throw new SceneEnded();
      steps += 1;
      const startedAt = elapsedMs();
      try {
        const outcome = await withinLimit(act);
        mark(true, title, startedAt);
        const text = details?.(outcome);
        if (text !== undefined) below(text, 2);
        return outcome;
      } catch (error) {
        if (error instanceof SceneEnded) throw error;
        failures += 1;
        mark(false, title, startedAt);
        below((error as Error).message, 31);
        throw new SceneEnded();
      }
    },
    stop() {
      isStopped = true;
    },
    get steps() {
      return steps;
    },
    get failures() {
      return failures;
    },
  };
}

async function withinLimit<T>(act: () => Promise<T>): Promise<T> {
  const done = new AbortController();
  const late = pause(STEP_LIMIT_MS, done.signal).then(() => {
    throw new Error(`no answer within ${STEP_LIMIT_MS / 1000} seconds`);
  });
  // It also rejects after an early end, when no one awaits it.
  late.catch(() => {});
  try {
    return await Promise.race([act(), late]);
  } finally {
    done.abort();
  }
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
