import { access, constants, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWellFormed, jsonProblem, repeatedMember } from '../kernel/json.ts';
import { sentence } from '../kernel/text.ts';
import {
  isOpenedByShell,
  limitedBytes,
  MAX_FILE_MIB,
  noFileAt,
  readText,
  textOfBytes,
  UnreadableFile,
} from '../kernel/text-file.ts';
import { wrongUsage } from './command.ts';

/** The text of a file. Throws wrong usage; `hint` says what else to do. */
export const textOf = (path: string, hint = ''): string => asUsage(() => readText(path), hint);

/** The text of bytes from `name`. Throws wrong usage. */
export const textFrom = (bytes: Uint8Array, name: string): string => asUsage(() => textOfBytes(bytes, name));

/** The text of standard input. Throws wrong usage. */
export async function standardInput(): Promise<string> {
  const name = 'standard input';
  const bytes = await limitedBytes(process.stdin, MAX_FILE_MIB, name).catch((error: Error) => {
    throw wrongUsage(error.message);
  });
  return textFrom(bytes, name);
}

function asUsage(read: () => string, hint = ''): string {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableFile) throw wrongUsage(hint ? `${sentence(error.message)} ${hint}` : error.message);
    throw error;
  }
}

/** Throws wrong usage if no file can be written at `path`. `where` names it, `hint` says what to do. */
export async function requireWritable(path: string, where = path, hint?: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) cannotWrite(where, hint)({ code: 'EISDIR' });
  // Who opens it waits for a reader.
  if (found?.isFIFO() && !isOpenedByShell(path)) cannotWrite(where, hint)({ code: 'it is a pipe' });
  // The point: a file has no folder below it.
  await access(found ? path : `${dirname(path)}/.`, constants.W_OK).catch(cannotWrite(where, hint));
}

/** Throws wrong usage if something else than a file is at the path of --database, or SQLite would open another one. */
export function requireFile(path: string): void {
  if (path !== path.trim()) throw wrongUsage('--database: the name begins or ends with a blank');
  const what = noFileAt(path);
  if (what) throw wrongUsage(`--database: ${path} is ${what}, not a file. Name another file`);
}

/** Throws wrong usage that names `where`. */
export const writeText = (path: string, text: string, where = path): Promise<void> =>
  writeFile(path, text).catch(cannotWrite(where));

/** Throws wrong usage that names `where`. */
export const cannotWrite =
  (where: string, hint = 'Name a file in a folder that you may write') =>
  ({ code }: Pick<NodeJS.ErrnoException, 'code'>) => {
    throw wrongUsage(`${where} cannot be written (${code}). ${hint}`);
  };

/** Throws wrong usage that names `where` the text came from. */
export function jsonOf(text: string, where: string): unknown {
  const problem = jsonProblem(text);
  if (problem !== undefined) throw wrongUsage(`${where} is not JSON: ${problem}`);
  const path = repeatedMember(text);
  if (path !== undefined) throw wrongUsage(`${where} has \`${path}\` twice. Keep one of them`);
  if (!isWellFormed(text))
    throw wrongUsage(`${where} has half of a surrogate pair, which is no character. Write it whole`);
  return JSON.parse(text);
}

/** Without what no call carries. */
export function isAddress(text: string): boolean {
  if (!URL.canParse(text) || text.includes('#')) return false;
  const { protocol, username, password } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '';
}

/** Throws wrong usage. */
export function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw wrongUsage('--port: write a number from 0 to 65535');
}

/** Throws wrong usage where no database can be at the path of --database, and any other error as it is. */
export const cannotOpen =
  (path: string) =>
  (error: NodeJS.ErrnoException): never => {
    if (!String(error.code).startsWith('SQLITE_') && error.syscall !== 'mkdir') throw error;
    throw wrongUsage(`--database: ${path} cannot be used (${error.message}). Name another file`);
  };
