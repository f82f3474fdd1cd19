import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { StartProblem } from './program.ts';
import { percentDecoded } from './text.ts';

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

/** SHA-256, hexadecimal. Keys and invitations are stored and compared only by this. */
export const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Takes the same time wherever two texts of one length differ. */
export function isSameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** RFC 3986, RFC 7617: `http://user:secret@host/`, with percent codes decoded. `authorization`: absent where it names no user. */
export function withoutCredentials(address: string): { url: string; authorization?: string } {
  const url = new URL(address);
  const { username, password } = url;
  if (username === '' && password === '') return { url: address };
  url.username = '';
  url.password = '';
  const pair = `${percentDecoded(username)}:${percentDecoded(password)}`;
  return { url: url.href, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}

export type HeaderValues = Readonly<Record<string, string>>;

/** The names of masked headers. A VASP names the header of its token. */
export const secretsIn = (headers: HeaderValues): string[] =>
  Object.keys(headers).filter(name => SECRET.test(name) || MASK.test(headers[name] ?? ''));

const SECRET = /auth|cookie|token|secret|password|(^|-)key$/i;
/** What `maskedSecret` writes. */
const MASK = /^present, (empty|\d+ characters?)(, \w+)?$/;
const WITH_SCHEME = /^(Bearer|Basic|Digest|Token|ApiKey)(?: +|$)/i;
const MAX_HEADERS = 60;
const LONGEST_VALUE = 1_000;

type Headers =
  | readonly (readonly [name: string, value: string])[]
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Headers for the history, by name. A secret becomes its length and its scheme: `present, 43 characters, Bearer`.
 * `secretNames`: lower-case names of further secrets.
 */
export function maskedHeaders(headers: Headers, secretNames: readonly string[] = []): HeaderValues {
  const pairs = Array.isArray(headers) ? headers : Object.entries(headers);
  const shown = (name: string, value: string): [string, string] => [
    name,
    SECRET.test(name) || secretNames.includes(name) ? maskedSecret(value) : value.slice(0, LONGEST_VALUE),
  ];
  return Object.fromEntries(
    pairs
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => shown(name.toLowerCase(), String(value)))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function maskedSecret(value: string): string {
  const [prefix = '', scheme] = WITH_SCHEME.exec(value) ?? [];
  const { length } = value.slice(prefix.length);
  const size = length === 0 ? 'empty' : `${length} ${length === 1 ? 'character' : 'characters'}`;
  return `present, ${size}${scheme ? `, ${scheme}` : ''}`;
}

const USER = /^([a-z][a-z0-9+.-]*:\/\/)[^/?#]*@/i;
const SECRETS = /([?&](?:token|key|api_key|apikey|secret|password|signature|access_token)=)[^&#]*/gi;

/** An address for people and for the history: without user, password and secret parameters. */
export const maskedUrl = (url: string): string =>
  MAY_HOLD_SECRETS.test(url) ? url.replace(USER, '$1***@').replace(SECRETS, '$1***') : url;

/** Most addresses have neither a user nor parameters. */
const MAY_HOLD_SECRETS = /[@?&]/;
