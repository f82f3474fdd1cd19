import { isDeepStrictEqual } from 'node:util';
import { elapsedMs } from '../kernel/clock.ts';
import { pause } from '../timers/loop.ts';

/** Tells what happens, line by line, and counts what went otherwise than expected. */
export interface Story {
  heading(text: string): void;
  note(text: string): void;
  /** A step that did not go as expected ends its scene: what follows would only fail for the same reason. */
  scene(title: string, play: () => Promise<void>): Promise<void>;
  /**
   * One line with a mark and a duration. `act` throws where something is not as expected (`expectEqual`), or answers
   * what is worth telling, which stands under the line.
   */
  step<T>(title: string, act: () => Promise<T>, tell?: (outcome: T) => string | undefined): Promise<T>;
  /** Nothing more is played or told; the step under way comes to its end. */
  stop(): void;
  readonly steps: number;
  readonly failures: number;
}

const STEP_LIMIT_MS = 8_000;
const WIDTH = 88;

/** Something is not as expected; both are shown. */
class Mismatch extends Error {
  constructor(what: string, expected: unknown, actual: unknown) {
    super(`${what}\n  expected ${shown(expected)}\n  actual   ${shown(actual)}`);
  }
}
class SceneEnded extends Error {}

export function expectEqual(what: string, actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) throw new Mismatch(what, expected, actual);
}

/** `write` gets whole lines. `style`: whether a terminal reads. */
export function createStory(write: (line: string) => void, style: boolean): Story {
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
    async step(title, act, tell) {
      if (isStopped) throw new SceneEnded();
      steps += 1;
      const startedAt = elapsedMs();
      try {
        const outcome = await withinLimit(act);
        mark(true, title, startedAt);
        const told = tell?.(outcome);
        if (told !== undefined) below(told, 2);
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
    throw new Error(`nothing came within ${STEP_LIMIT_MS / 1000} seconds`);
  });
  // Ended early it rejects, too: nobody listens by then.
  late.catch(() => {});
  try {
    return await Promise.race([act(), late]);
  } finally {
    done.abort();
  }
}

const shown = (value: unknown): string => (value === undefined ? 'nothing' : JSON.stringify(value));
