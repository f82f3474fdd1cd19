import { elapsedMs } from './clock.ts';
import { interval } from './interval.ts';

const LOOK_EVERY_MS = 1_000;
const REPEAT_AFTER_MS = 10_000;

interface Ticker {
  /** The work from now on. Empty: a person is asked, and nothing is printed meanwhile. */
  now(text: string): void;
  /** Something was printed: the next second shows nothing. */
  restart(): void;
  stop(): void;
}

/** Prints what is being done and for how long, after each second without output; the same text every ten seconds. */
export function ticker(first: string, print: (line: string) => void): Ticker {
  const began = elapsedMs();
  let text = first;
  let shown = { text: '', at: 0 };
  let quietSince = began;
  const stop = interval(LOOK_EVERY_MS, () => {
    const now = elapsedMs();
    if (text === '' || now - quietSince < LOOK_EVERY_MS) return;
    if (text === shown.text && now - shown.at < REPEAT_AFTER_MS) return;
    shown = { text, at: now };
    print(`${text} … ${Math.round((now - began) / 1000)} s`);
  });
  return {
    now(next) {
      text = next;
    },
    restart() {
      quietSince = elapsedMs();
    },
    stop,
  };
}
