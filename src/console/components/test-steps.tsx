import type { Child } from 'hono/jsx';
import { useTexts } from '../texts/languages.ts';
import { Badge } from './badge.tsx';
import { ExchangeDetail } from './exchange-detail.tsx';
import { Fold } from './fold.tsx';
import type { StepExchange } from './step-exchanges.ts';

export interface Step {
  title: string;
  /** The API call of this step. */
  call: string;
  /** The request and its answer. */
  exchange?: StepExchange | undefined;
  state: 'done' | 'now' | 'later';
  children?: Child;
}

/** The steps of a test: done, now, later. */
export const Steps = ({ of, origin }: { of: readonly Step[]; origin: string }) => (
  <ol class="steps">
    {of.map(({ title, call, exchange, state, children }, position) => (
      <li id={`step-${position + 1}`} class={state} aria-current={state === 'now' ? 'step' : undefined}>
        <h2>
          {position + 1}. {title} {state === 'done' ? <Badge of={useTexts().tests.done} tone="good" /> : null}
        </h2>
        <p class="muted">
          <code>{call}</code>
        </p>
        {state === 'later' ? null : children}
        {exchange === undefined ? null : (
          <Fold id={`exchange-${exchange.id}`} summary={useTexts().tests.requestAndAnswer}>
            <ExchangeDetail of={exchange} id={exchange.id} origin={origin} />
          </Fold>
        )}
      </li>
    ))}
  </ol>
);

/** The first open step is now, the steps after it are later. */
export const inOrder = (steps: readonly (Omit<Step, 'state'> & { isDone: boolean })[]): Step[] => {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ isDone, ...step }, position) => ({
    ...step,
    state: isDone ? 'done' : position === next ? 'now' : 'later',
  }));
};
