import { randomBytes, randomUUID } from 'node:crypto';

/** The only source of random values (held by test). */
export interface Random {
  uuid(): string;
  secret(): string;
  /** A number in [0, 1). */
  fraction(): number;
}

export const systemRandom: Random = {
  uuid: () => randomUUID(),
  secret: () => randomBytes(24).toString('base64url'),
  fraction: () => Math.random(),
};
