import type { Child } from 'hono/jsx';

/** Instead of a list without entries: why it is empty, and what fills it. */
export const Empty = ({ children }: { children?: Child }) => <p class="empty">{children}</p>;
