import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256, hexadecimal. Keys and invitations are stored and compared only by this. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

export const isSameHash = (one: string, other: string): boolean =>
  timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'));
