import { shortened } from './copyable.tsx';

const HASH = /\b((?:0x)?[0-9A-Fa-f]{64})\b/;

/** An explanation of a state, with shortened hashes. `title`: the whole text, or that of the API. */
export const Note = ({ children, title = children }: { children: string; title?: string }) => (
  <small title={title}>
    {children
      .split(HASH)
      .map((part, index) => (index % 2 === 0 ? part : <span class="together">{shortened(part, 6)}</span>))}
  </small>
);
