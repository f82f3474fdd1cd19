import { shortened } from './copyable.tsx';

const HASH = /\b(0x)?[0-9A-Fa-f]{64}\b/g;

/** An explanation of a state, with shortened hashes. */
export const Note = ({ children }: { children: string }) => (
  <small title={children}>{children.replace(HASH, hash => shortened(hash, 6))}</small>
);
