import { shortened } from './copyable.tsx';

const HASH = /\b((?:0x)?[0-9A-Fa-f]{64})\b/;

/** An explanation of a state, with shortened hashes. Its tooltip has them whole. */
export const Note = ({ children }: { children: string }) => (
  <small title={children}>
    {children
      .split(HASH)
      .map((part, index) => (index % 2 === 0 ? part : <span class="together">{shortened(part, 6)}</span>))}
  </small>
);
