import type { Child } from 'hono/jsx';
import { Badge } from './badge.tsx';

export interface Step {
  title: string;
  /** The call that it stands for. */
  call: string;
  state: 'done' | 'now' | 'later';
  children?: Child;
}

/** A test step by step: what is done, what comes now. */
export const Steps = ({ of }: { of: readonly Step[] }) => (
  <ol class="steps">
    {of.map(({ title, call, state, children }, position) => (
      <li id={`step-${position + 1}`} class={state} aria-current={state === 'now' ? 'step' : undefined}>
        <h3>
          {position + 1}. {title} {state === 'done' ? <Badge of="DONE" tone="good" /> : null}
        </h3>
        <p class="muted">
          <code>{call}</code>
        </p>
        {state === 'later' ? null : children}
      </li>
    ))}
  </ol>
);

/** The first step that is not done is now; those behind it are later. */
export const inOrder = (steps: readonly (Omit<Step, 'state'> & { isDone: boolean })[]): Step[] => {
  const next = steps.findIndex(({ isDone }) => !isDone);
  return steps.map(({ isDone, ...step }, position) => ({
    ...step,
    state: isDone ? 'done' : position === next ? 'now' : 'later',
  }));
};
