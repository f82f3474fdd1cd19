import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { readUtf8 } from './utf8-text.ts';

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
  const seems = problem.includes('should be') ? '' : `. It seems to be ${encodingOf(bytes)}`;
  throw new UnreadableFile(`${name} ${problem}${seems}. Save it as UTF-8.`);
}

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

/** Of bytes that are no UTF-8: what editors in Korea and in the West have stored before. */
function encodingOf(bytes: Uint8Array): string {
  try {
    if (/\p{Script=Hangul}/u.test(new TextDecoder('euc-kr', { fatal: true }).decode(bytes))) return 'EUC-KR';
  } catch {
    // It is none.
  }
  return 'Windows-1252 (Latin-1)';
}
