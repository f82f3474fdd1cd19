import { elapsedMs } from './clock.ts';
import { interval } from './interval.ts';

const LOOK_EVERY_MS = 1_000;
const REPEAT_AFTER_MS = 10_000;

/** Prints what is being done and for how long, after each second without output; the same text every ten seconds. */
export function ticker(first: string, print: (line: string) => void) {
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
    /** The work from now on. Empty: a person is asked, and nothing is printed meanwhile. */
    now(next: string) {
      text = next;
    },
    /** Something was printed: the next second shows nothing. */
    restart() {
      quietSince = elapsedMs();
    },
    stop,
  };
}
