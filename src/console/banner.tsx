import type { Answers } from '../client/answers.ts';
import { Prose } from './components/text.tsx';
import { durationText } from './components/time.tsx';
import { counted, fill, useTexts } from './texts/languages.ts';

/** Conditions of the whole sandbox that change the outcome of every test. */
export interface Conditions {
  held: readonly string[];
  /** Other knobs that are on or wait, with their chain. */
  knobs: readonly string[];
  faults: number;
  aheadMs: number;
}

export const conditionsOf = (
  { aheadMs }: Answers['clock'],
  { faults, knobs }: Answers['faults'],
): Conditions => ({
  held: knobs.filter(({ knob }) => knob === 'hold').map(({ symbol }) => symbol),
  knobs: knobs.filter(({ knob }) => knob !== 'hold').map(({ symbol, knob }) => `${symbol} ${knob}`),
  faults: faults.length,
  aheadMs,
});

/** Stands on every page while a knob of a chain is on, a fault is active or the time is moved. */
export const Banner = ({ held, knobs, faults, aheadMs }: Conditions) => {
  const { frame, time } = useTexts();
  return held.length === 0 && knobs.length === 0 && faults === 0 && aheadMs === 0 ? null : (
    <aside class="banner" aria-label={frame.conditions}>
      {held.length === 0 ? null : (
        <a href="/console/chains">
          <Prose of={fill(frame.held, { chains: held.join(', ') })} />
        </a>
      )}
      {knobs.length === 0 ? null : (
        <a href="/console/chains">
          <Prose of={fill(frame.knobs, { knobs: knobs.join(', ') })} />
        </a>
      )}
      {faults === 0 ? null : (
        <a href="/console/faults">
          <Prose of={counted(frame.faults, faults)} />
        </a>
      )}
      {aheadMs === 0 ? null : (
        <a href="/console/timers">
          <Prose of={fill(frame.timeMoved, { duration: durationText(aheadMs, time) })} />
        </a>
      )}
    </aside>
  );
};
