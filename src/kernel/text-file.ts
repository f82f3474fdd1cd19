import { readFileSync } from 'node:fs';
import { readUtf8 } from './utf8-text.ts';

/** A file that a person names cannot be used. The message names it and says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
}

/** The text of a file, without a byte order mark. `name`: as the person knows it. Throws `UnreadableFile`. */
export function readText(path: string, name = path): string {
  return textOfBytes(bytesOf(path, name), name);
}

/** Throws `UnreadableFile`. */
export function textOfBytes(bytes: Uint8Array, name: string): string {
  const { text, flaw } = readUtf8(bytes);
  if (flaw === undefined) return text;
  const seems = flaw.includes('should be') ? '' : `. It seems to be ${encodingOf(bytes)}`;
  throw new UnreadableFile(`${name} ${flaw}${seems}. Save it as UTF-8.`);
}

function bytesOf(path: string, name: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UnreadableFile(`${name} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** Of bytes that are no UTF-8: what editors in Korea and in the West have stored before. */
function encodingOf(bytes: Uint8Array): string {
  try {
    if (/\p{Script=Hangul}/u.test(new TextDecoder('euc-kr', { fatal: true }).decode(bytes))) return 'EUC-KR';
  } catch {
    // It is none.
  }
  return 'Windows-1252 (Latin-1)';
}
