import { access, constants, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { didYouMean } from '../kernel/did-you-mean.ts';
import { wrongUsage } from './command.ts';

/** The choice that was typed, in any case. Throws wrong usage that names all of them. */
export function choiceOf<T extends string>(typed: string, choices: readonly T[]): T {
  const found = choices.find(each => each.toLowerCase() === typed.toLowerCase());
  if (found !== undefined) return found;
  throw wrongUsage(`\`${typed}\` is none of ${choices.join(', ')}.${didYouMean(typed, choices)}`);
}

/** The text of a file. Throws wrong usage; `hint` says what to do when the file cannot be read. */
export const textOf = (path: string, hint = ''): Promise<string> =>
  readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw wrongUsage(`${path} cannot be read (${error.code})${hint}`);
  });

/** Throws wrong usage if no file can be written at `path`. `where` names it. */
export async function requireWritable(path: string, where = path): Promise<void> {
  await access(path, constants.W_OK)
    .catch(error => (error.code === 'ENOENT' ? access(dirname(path), constants.W_OK) : Promise.reject(error)))
    .catch(cannotWrite(where));
}

/** Throws wrong usage that names `where`. */
export const writeText = (path: string, text: string, where = path): Promise<void> =>
  writeFile(path, text).catch(cannotWrite(where));

/** Throws wrong usage that names `where`. */
export const cannotWrite = (where: string) => (error: NodeJS.ErrnoException) => {
  throw wrongUsage(`${where} cannot be written (${error.code}). Name a file in a folder that you may write`);
};

/** Throws wrong usage that names `where` the text came from. */
export function jsonOf(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw wrongUsage(`${where} is not JSON`);
  }
}
