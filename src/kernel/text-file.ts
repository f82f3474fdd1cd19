import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import type * as z from 'zod';
import { parseJson, repeatedMember } from './json.ts';

/** A file that a person names cannot be used. The message names it and says what to do. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile';
  /** That of the system, such as ENOENT. */
  readonly code: string | undefined;

  constructor(message: string, code?: string) {
    super(message);
    this.code = code;
  }
}

/** The code of a folder, a device or a pipe. */
export const NO_FILE = 'NO-FILE';

/** The text of a file, without a byte order mark. `name`: as the person knows it. Throws `UnreadableFile`. */
export function readText(path: string, name = path): string {
  return textOfBytes(readBytes(path, name), name);
}

/** Throws `UnreadableFile`. */
export function textOfBytes(bytes: Uint8Array, name: string): string {
  const { text, problem } = readUtf8(bytes);
  if (problem === undefined) return text;
  if (problem.includes('should be')) throw new UnreadableFile(`${name} ${problem}. Save it as UTF-8.`);
  if (bytes.some(isControl)) throw new UnreadableFile(`${name} is no text. Name a file with UTF-8 text.`);
  throw new UnreadableFile(`${name} ${problem}. It seems to be ${encodingOf(bytes)}. Save it as UTF-8.`);
}

/** It stands in a compressed file or a picture, and in no text. */
const isControl = (byte: number): boolean => byte < 0x20 && !'\t\n\f\r'.includes(String.fromCharCode(byte));

const MIB = 1024 * 1024;
/** Of a file that a person names, and of standard input. `import` sends no more. */
export const MAX_FILE_MIB = 256;
const PART_BYTES = 64 * 1024;

/** The bytes of a file, or of a pipe that the shell has opened. Other pipes and devices may never end. Throws `UnreadableFile`. */
export function readBytes(path: string, name = path): Buffer {
  const isOpen = isOpenedByShell(path);
  let handle: number | undefined;
  try {
    handle = openSync(path, isOpen ? constants.O_RDONLY : constants.O_RDONLY | constants.O_NONBLOCK);
    const found = fstatSync(handle);
    if (!found.isFile() && !(isOpen && found.isFIFO()))
      throw new UnreadableFile(`${name} is ${kindOf(found)}, not a file`, NO_FILE);
    return bytesOf(handle, found.size, name);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new UnreadableFile(`${name} cannot be read (${code})`, code);
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

/** Such as `<(command)` in Bash. Its writer runs. */
export const isOpenedByShell = (path: string): boolean =>
  /^\/(dev\/(stdin|stdout|stderr|fd\/\d+)|proc\/self\/fd\/\d+)$/.test(path);

/** Files of /proc say that they are empty, and a file may grow. */
function bytesOf(handle: number, size: number, name: string): Buffer {
  const parts: Buffer[] = [];
  for (let bytes = 0; Math.max(size, bytes) <= MAX_FILE_MIB * MIB; ) {
    const part = Buffer.allocUnsafe(PART_BYTES);
    const length = readSync(handle, part);
    if (length === 0) return Buffer.concat(parts);
    parts.push(part.subarray(0, length));
    bytes += length;
  }
  throw new UnreadableFile(`${name} has more than ${MAX_FILE_MIB} MiB`);
}

/** What else than a file is at the path, such as "a folder". Undefined: a file, or nothing that can be looked at. */
export function noFileAt(path: string): string | undefined {
  try {
    const found = statSync(path);
    return found.isFile() ? undefined : kindOf(found);
  } catch {
    return undefined;
  }
}

function kindOf(found: Stats): string {
  if (found.isDirectory()) return 'a folder';
  return found.isFIFO() ? 'a pipe' : 'a device';
}

/** Of bytes that are no UTF-8: what editors in Korea and in the West have stored before, or a file that was not written to its end. */
function encodingOf(bytes: Uint8Array): string {
  const decoded = (encoding: string, stream: boolean): string | undefined => {
    try {
      return new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream });
    } catch {
      return undefined;
    }
  };
  if (/\p{Script=Hangul}/u.test(decoded('euc-kr', false) ?? '')) return 'EUC-KR';
  const isCutOff = decoded('utf-8', true) !== undefined;
  return `${isCutOff ? 'cut off, or ' : ''}Windows-1252 (Latin-1)`;
}

interface ReadText {
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
  const isMarked = (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
  if (!isMarked && a !== 0 && b !== 0) return undefined;
  return (a === 0 && b === 0) || (a !== 0 && c === 0 && d === 0) ? 'UTF-32' : 'UTF-16';
}

/** Decoded and encoded again, the bytes are the same up to the first one that is no UTF-8. */
function problemOf(bytes: Uint8Array): string {
  const same = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  const position = bytes.findIndex((byte, index) => byte !== same[index]);
  const byte = bytes[position]!.toString(16).toUpperCase().padStart(2, '0');
  return `is not UTF-8: byte 0x${byte} at position ${position}`;
}

/** A fixture file is missing or wrong. The message names the file and every problem. It contains no personal data. */
export class FixtureError extends Error {
  override readonly name = 'FixtureError';
}

/** Reads a JSON file. `check` finds problems that a schema cannot express. Throws `FixtureError`. */
export function readFixture<S extends z.ZodType>(
  file: string,
  schema: S,
  check: (content: unknown) => string[] = () => [],
): z.output<S> {
  const content = jsonOf(file);
  // A file is read once: compiled code for its schema would take longer than the parsing.
  const parsed = schema.safeParse(content, { jitless: true });
  const problems = [
    ...(parsed.error?.issues.map(issue => `${issue.path.join('.')} ${issue.message}`.trim()) ?? []),
    ...check(content),
  ];
  if (parsed.success && problems.length === 0) return parsed.data;
  throw new FixtureError(`${file} is wrong:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
}

/** Throws `FixtureError`. */
export function readFixtureText(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof UnreadableFile ? new FixtureError(error.message) : error;
  }
}

function jsonOf(file: string): unknown {
  const text = readFixtureText(file);
  const value = parseJson(text);
  if (value === undefined) throw new FixtureError(`${file} is not JSON`);
  const path = repeatedMember(text);
  if (path !== undefined) throw new FixtureError(`${file} has \`${path}\` twice`);
  return value;
}

/** The text of an answer. Throws when it has more than `maxMiB`, and leaves the rest. */
export async function limitedText({ body }: Response, maxMiB: number): Promise<string> {
  if (!body) return '';
  return new TextDecoder().decode(await limitedBytes(body as AsyncIterable<Uint8Array>, maxMiB, 'the answer'));
}

/** Throws when there are more than `maxMiB`, and leaves the rest. */
export async function limitedBytes(stream: AsyncIterable<Uint8Array>, maxMiB: number, name: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop ends the stream.
  for await (const chunk of stream) {
    bytes += chunk.length;
    if (bytes > maxMiB * MIB) throw new Error(`${name} has more than ${maxMiB} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
