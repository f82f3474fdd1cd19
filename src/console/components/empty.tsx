import type { Child } from 'hono/jsx';

/** In place of an empty list: why it is empty and what to do next. */
export const Empty = ({ children }: { children?: Child }) => <p class="empty">{children}</p>;
