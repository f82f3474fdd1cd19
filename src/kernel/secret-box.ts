import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StartProblem } from './start-problem.ts';

/** Encrypts the secrets that are stored (AES-256-GCM). `place` binds a text to its row and column. */
export interface SecretBox {
  seal(text: string, place: string): string;
  /** Opens with the present key or an earlier one. A text in clear stays as it is. Throws `StartProblem` for another key. */
  open(stored: string, place: string): string;
  /** Like `open`. `isCurrent`: as below. */
  read(stored: string, place: string): { text: string; isCurrent: boolean };
  /** False: the text is in clear, or sealed with an earlier key. */
  isCurrent(stored: string, place: string): boolean;
}

const PREFIX = 'sealed:1:';
const CIPHER = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `keys`: texts with at least 256 random bits, the present one first. */
export function secretBox([present, ...earlier]: readonly [string, ...string[]]): SecretBox {
  const keys = [present, ...earlier].map(
    key => new Uint8Array(hkdfSync('sha256', key, '', 'robot-vasp secrets at rest', 32)),
  );
  const opened = (stored: string, place: string): { text: string; key: number } | undefined => {
    for (const [index, key] of keys.entries()) {
      const text = decrypted(stored.slice(PREFIX.length), key, place);
      if (text !== undefined) return { text, key: index };
    }
    return undefined;
  };
  const read: SecretBox['read'] = (stored, place) => {
    if (!stored.startsWith(PREFIX)) return { text: stored, isCurrent: false };
    const found = opened(stored, place);
    if (!found)
      throw new StartProblem(
        'The secrets in the database were encrypted with another key: set DATA_KEY to that key, or restore its file beside the database.',
      );
    return { text: found.text, isCurrent: found.key === 0 };
  };
  return {
    seal: (text, place) => PREFIX + encrypted(text, keys[0]!, place),
    open: (stored, place) => read(stored, place).text,
    read,
    isCurrent: (stored, place) => stored.startsWith(PREFIX) && opened(stored, place)?.key === 0,
  };
}

export const newDataKey = (): string => randomBytes(32).toString('base64url');

function encrypted(text: string, key: Uint8Array, place: string): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, key, iv).setAAD(Buffer.from(place));
  const bytes = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([iv, cipher.getAuthTag(), ...bytes]).toString('base64');
}

function decrypted(stored: string, key: Uint8Array, place: string): string | undefined {
  const bytes = Buffer.from(stored, 'base64');
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  try {
    const decipher = createDecipheriv(CIPHER, key, iv).setAAD(Buffer.from(place)).setAuthTag(tag);
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return undefined;
  }
}
