import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of random values (held by test). */
export interface Random {
  uuid(): string;
  /** URL-safe text of this many random bytes; 24 by default. */
  secret(bytes?: number): string;
  /** A number in [0, 1). */
  fraction(): number;
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  secret: (bytes = 24) => randomBytes(bytes).toString('base64url'),
  fraction: () => Math.random(),
};
