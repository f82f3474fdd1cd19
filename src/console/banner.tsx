import type { SandboxAnswers } from '../client/answers.ts';
import { durationText } from './components/time.tsx';

/** Conditions of the whole sandbox that change the outcome of every test. */
export interface Conditions {
  held: readonly string[];
  faults: number;
  aheadMs: number;
}

export const conditionsOf = (
  health: SandboxAnswers['health'],
  { aheadMs }: SandboxAnswers['clock'],
  { faults }: SandboxAnswers['faults'],
): Conditions => ({
  held: health.chains.filter(({ held }) => held).map(({ symbol }) => symbol),
  faults: faults.length,
  aheadMs,
});

/** Stands on every page while a chain is held, a fault is active or the time is moved. */
export const Banner = ({ held, faults, aheadMs }: Conditions) =>
  held.length === 0 && faults === 0 && aheadMs === 0 ? null : (
    <aside class="banner" aria-label="Conditions of the sandbox">
      {held.length === 0 ? null : (
        <a href="/console/chains">
          <strong>{held.join(' and ')}</strong> held: no transaction gets into a block
        </a>
      )}
      {faults === 0 ? null : (
        <a href="/console/faults">
          <strong>{faults === 1 ? '1 fault' : `${faults} faults`}</strong> active
        </a>
      )}
      {aheadMs === 0 ? null : (
        <a href="/console/timers">
          Time moved: <strong>{durationText(aheadMs)}</strong> ahead of the machine
        </a>
      )}
    </aside>
  );
