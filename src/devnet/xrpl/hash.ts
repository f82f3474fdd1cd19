import { hash } from 'node:crypto';

/** Four-byte hash prefixes of the XRP Ledger. They keep hashes of different kinds of data apart. */
const prefix = (text: string): Buffer => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(1)]);
export const TRANSACTION_ID = prefix('TXN');
export const TRANSACTION_LEAF = prefix('SND');
export const STATE_LEAF = prefix('MLN');
export const INNER_NODE = prefix('MIN');
export const LEDGER_HEADER = prefix('LWR');

export const ZERO_HASH = '0'.repeat(64);

export function sha512Half(...parts: Uint8Array[]): Buffer {
  return hash('sha512', parts.length === 1 ? parts[0]! : Buffer.concat(parts), 'buffer').subarray(0, 32);
}

export const toHex = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex').toUpperCase();
export const fromHex = (hex: string): Buffer => Buffer.from(hex, 'hex');

/** Hex digits of any case and count -> whole bytes in upper case, as servers read them; undefined: it is no hex. */
export function parseHex(text: unknown): string | undefined {
  if (typeof text !== 'string' || !/^[0-9A-Fa-f]+$/.test(text)) return undefined;
  return (text.length % 2 ? `0${text}` : text).toUpperCase();
}

/** 64 hex digits in either case -> upper case; undefined: it is no hash. */
export const parseHash = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[0-9A-Fa-f]{64}$/.test(text) ? text.toUpperCase() : undefined;

/** The length prefix of a variable-length field: one to three bytes. Throws `RangeError` above 918744. */
export function variableLength(length: number): Buffer {
  if (length <= 192) return Buffer.of(length);
  if (length <= 12_480) return Buffer.of(193 + ((length - 193) >>> 8), (length - 193) & 0xff);
  if (length > 918_744) throw new RangeError('too long for a variable-length field');
  const rest = length - 12_481;
  return Buffer.of(241 + (rest >>> 16), (rest >>> 8) & 0xff, rest & 0xff);
}
