import { createContext, useContext } from 'hono/jsx';
import { systemClock } from '../../kernel/clock.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';

/** The time of the signed-in VASP when the page is rendered, in epoch ms. */
export const Now = createContext(0);

/** From here on the two clocks are told apart. */
const MOVED_MS = 1000;

/** Date and time in UTC, and the distance from now. `at` is ISO 8601, by the sandbox's clock or by the machine's. */
export function Time({ at, clock = 'sandbox' }: { at: string; clock?: 'sandbox' | 'machine' }) {
  const now = useContext(Now);
  const { time } = useTexts();
  const machine = systemClock.now();
  const distanceMs = Date.parse(at) - (clock === 'machine' ? machine : now);
  const isOther = clock === 'machine' && Math.abs(machine - now) >= MOVED_MS;
  return (
    <time class="time" datetime={at} title={`${at} (UTC)`} data-utc="">
      <span class="moment">{moment(at)}</span> <small class="zone">UTC</small>{' '}
      <small>
        {relative(distanceMs, time)}
        {isOther ? `, ${time.ofMachine}` : ''}
      </small>
    </time>
  );
}

/** A text with a date and time in it. `at` is ISO 8601. The script of the console shows it in the reader's zone. */
export function TextWithTime({ at, text }: { at: string; text: (time: string) => string }) {
  const [before, after] = text(PLACE).split(PLACE);
  return (
    <>
      {before}
      <time datetime={at} title={`${at} (UTC)`} data-utc="">
        <span class="moment">{moment(at)}</span> <span class="zone">UTC</span>
      </time>
      {after}
    </>
  );
}

const PLACE = '\0';

/** `2026-11-21 20:47:07`, in UTC. */
export const moment = (at: string): string => at.replace('T', ' ').replace(/(\.\d+)?Z$/, '');

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1000],
] as const;

/** `3 min ago`, `in 2 h`, `now`. */
export function relative(distanceMs: number, texts: Texts['time']): string {
  const size = Math.abs(distanceMs);
  const unit = UNITS.find(([, ms]) => size >= ms);
  if (!unit) return texts.now;
  const distance = `${Math.floor(size / unit[1])}${texts[unit[0]]}`;
  return distanceMs < 0 ? fill(texts.ago, { distance }) : fill(texts.ahead, { distance });
}

/** `12 ms`, `1.5 s`, `10 min`, `1 h`. */
export function durationText(durationMs: number, texts: Texts['time']): string {
  if (durationMs < 1000) return `${durationMs} ms`;
  const [name, ms] = UNITS.find(([, unitMs]) => durationMs >= unitMs)!;
  return `${Number((durationMs / ms).toFixed(1))}${texts[name]}`;
}
