import { isUtf8 } from 'node:buffer';

export interface ReadText {
  /** Without a byte order mark. Bytes that are no UTF-8 are replaced by U+FFFD. */
  text: string;
  /** The reason why the bytes are no UTF-8, after the subject of a sentence. */
  problem: string | undefined;
}

const decoder = new TextDecoder();
const utf8 = (text: string): ReadText => ({ text, problem: undefined });

/** Reads the bytes of a JSON text. RFC 8259, 8.1: only UTF-8; a byte order mark is ignored. */
export function readUtf8(bytes: Uint8Array): ReadText {
  const wide = wideEncodingOf(bytes);
  if (wide) return { text: decoder.decode(bytes), problem: `is ${wide} and should be UTF-8` };
  const text = decoder.decode(bytes);
  return isUtf8(bytes) ? utf8(text) : { text, problem: problemOf(bytes) };
}

/** The first character of JSON is ASCII, so a zero byte beside it shows the encoding as well as a byte order mark does. */
function wideEncodingOf([a, b, c, d]: Uint8Array): string | undefined {
  if (a === undefined || b === undefined) return undefined;
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 ? 'UTF-32' : 'UTF-16';
  if (a === 0xfe && b === 0xff) return 'UTF-16';
  if (a === 0 && b === 0) return 'UTF-32';
  if (a === 0) return 'UTF-16';
  if (b === 0) return c === 0 && d === 0 ? 'UTF-32' : 'UTF-16';
  return undefined;
}

/** Decoded and encoded again, the bytes are the same up to the first one that is no UTF-8. */
function problemOf(bytes: Uint8Array): string {
  const same = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const position = bytes.findIndex((byte, index) => byte !== same[index]);
  const byte = bytes[position]!.toString(16).toUpperCase().padStart(2, '0');
  return `is not UTF-8: byte 0x${byte} at position ${position}`;
}
