import type { Child } from 'hono/jsx';
import { Prose } from './prose.tsx';

/** In place of an empty list: why it is empty and what to do next. A text of the catalogue. */
export const Empty = ({ of, with: values }: { of: string; with?: Readonly<Record<string, Child>> }) => (
  <p class="empty">
    <Prose of={of} with={values} />
  </p>
);
