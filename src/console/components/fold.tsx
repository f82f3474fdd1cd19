import type { Child } from 'hono/jsx';

interface Fold {
  /** Unique on the page, so that it stays open through live updates. */
  id: string;
  summary: Child;
  isOpen?: boolean;
  children?: Child;
}

export const Fold = ({ id, summary, isOpen, children }: Fold) => (
  <details id={id} class="fold" open={isOpen}>
    <summary>{summary}</summary>
    {children}
  </details>
);
