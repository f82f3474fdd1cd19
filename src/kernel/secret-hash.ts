import { createHash, timingSafeEqual } from 'node:crypto';

/** SHA-256, hexadecimal. Keys and invitations are stored and compared only by this. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Takes the same time wherever two texts of one length differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
