import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StartProblem } from './start-problem.ts';

/** Encrypts the secrets that are stored (AES-256-GCM). `place` binds a text to its row and column. */
export interface SecretBox {
  seal(text: string, place: string): string;
  /** Opens with the present key or an earlier one. Throws `StartProblem` for another key. */
  open(stored: string, place: string): string;
  /** Opens nothing. False: sealed with an earlier key. Throws `StartProblem` for another key. */
  isCurrent(stored: string): boolean;
}

interface Key {
  id: string;
  bytes: Uint8Array;
}

const PREFIX = 'sealed:';
const CIPHER = 'aes-256-gcm';
const KEY_ID_LENGTH = 8;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `keys`: texts with at least 256 random bits, the present one first. */
export function secretBox([present, ...earlier]: readonly [string, ...string[]]): SecretBox {
  const current = keyOf(present);
  const keys = [current, ...earlier.map(keyOf)];
  const prefixOf = ({ id }: Key) => `${PREFIX}${id}:`;
  const keyFor = (stored: string): Key => {
    const key = keys.find(each => stored.startsWith(prefixOf(each)));
    if (!key) throw anotherKey();
    return key;
  };

  return {
    seal: (text, place) => prefixOf(current) + encrypted(text, current.bytes, place),
    open(stored, place) {
      const key = keyFor(stored);
      const text = decrypted(stored.slice(prefixOf(key).length), key.bytes, place);
      if (text === undefined) throw anotherKey();
      return text;
    },
    isCurrent: stored => keyFor(stored) === current,
  };
}

const anotherKey = () =>
  new StartProblem(
    'The secrets in the database were encrypted with another key: set DATA_KEY to that key, or restore its file beside the database.',
  );

function keyOf(text: string): Key {
  const derived = (use: string, length: number) => new Uint8Array(hkdfSync('sha256', text, '', use, length));
  return {
    id: Buffer.from(derived('robot-vasp id of a key', KEY_ID_LENGTH / 2)).toString('hex'),
    bytes: derived('robot-vasp secrets at rest', 32),
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
