import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of random values (held by test). */
export interface Random {
  uuid(): string;
  /** URL-safe text of this many random bytes; 24 by default. */
  secret(bytes?: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}

/**
 * This number of UUIDs, made one after another, begins with the same four random digits and then counts. They stand side by
 * side in one page of an index: each commit writes that page, and not one for each UUID. 98 bits are random in each.
 */
const ALIKE = 256;
let beginning = '';
let made = 0;

function uuid(): string {
  const fresh = randomUUID();
  if (made % ALIKE === 0) beginning = fresh.slice(0, 4);
  const count = (made++ % ALIKE).toString(16).padStart(2, '0');
  return beginning + count + fresh.slice(6);
}

export const systemRandom: Random = {
  uuid,
  secret: (bytes = 24) => randomBytes(bytes).toString('base64url'),
  fraction: () => Math.random(),
};
