import { parseEnv } from 'node:util';
import { invisibleIn } from '../kernel/text.ts';
import { NO_FILE, readBytes, UnreadableFile } from '../kernel/text-file.ts';
import { wrongUsage } from './command.ts';
import { textFrom } from './input.ts';

/** D-53: variables come from the `.env` that `init` has written, and from a file that `--env-file` names. */

export const ENV_FILE = '.env';

/** The first line of a `.env` that `init` has written. The `.env` of another program is not read. */
export const ENV_MARK = '# robot-vasp: written by init, read by every command';

/** The option of the commands that need the settings of a sandbox. */
export const ENV_FILE_OPTION = {
  'env-file': {
    value: '<file>',
    meaning: `file with variables; those of the environment take precedence; default: the ${ENV_FILE} that init has written`,
  },
} as const;

type Environment = Record<string, string | undefined>;

/**
 * The variables of a file and, with precedence, of the process. `places`: where a variable of the file stands, for messages.
 * A file that is named must exist. Without `file` none was read. Throws wrong usage.
 */
export function withEnvFile(env: Environment, named?: string) {
  const file = named ?? ENV_FILE;
  // A folder or a pipe with the name of the default belongs to another program.
  const bytes = bytesUnless(named === undefined ? ['ENOENT', NO_FILE] : [], file);
  const isRead = bytes && (named !== undefined || isOwn(bytes.toString('latin1')));
  if (!isRead) return { env, places: {} };
  const text = textFrom(bytes, file);
  const variables = parseEnv(text);
  // Node.js 20 reads a file of `--env-file` by itself, too.
  const isOfFile = (name: string) => env[name] === undefined || env[name] === variables[name];
  const own = Object.entries(linesOf(text, file, variables)).filter(([name]) => isOfFile(name));
  const places = Object.fromEntries(own.map(([name, line]) => [name, `${file}, line ${line}`]));
  return { env: { ...variables, ...env }, file, places };
}

/** Also where another program has stored it in UTF-16: then the next step says so. */
export const isOwn = (text: string): boolean => text.replaceAll('\0', '').includes(ENV_MARK);

/** Undefined: it fails with one of these codes. Throws wrong usage for any other. */
export function bytesUnless(codes: readonly string[], file: string): Buffer | undefined {
  try {
    return readBytes(file);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (codes.includes(error.code ?? '')) return undefined;
    throw wrongUsage(error.message);
  }
}

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(["'`]?)(.*)$/s;

/**
 * The number of the line of each of the `variables`. A line that sets none is wrong: Node.js ignores it, or takes a tab or
 * another blank for a part of the name. So is a variable that is set twice.
 */
function linesOf(text: string, file: string, variables: Environment): Record<string, number> {
  const found: Record<string, number> = {};
  let openAt: { quote: string; line: number } | undefined;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (openAt) {
      if (line.includes(openAt.quote)) openAt = undefined;
      continue;
    }
    if (/^\s*(#|$)/.test(line)) continue;
    const [, name, quote, value] = ASSIGNMENT.exec(line) ?? [];
    const place = `${file}, line ${index + 1},`;
    if (name === undefined || !Object.hasOwn(variables, name)) {
      const unseen = invisibleIn(line).join(' ');
      const why = unseen && `: it has ${unseen}, which nobody sees`;
      throw wrongUsage(`${place} sets no variable${why}. Write NAME=value.`);
    }
    if (Object.hasOwn(found, name))
      throw wrongUsage(`${place} sets ${name} again, after line ${found[name]}. Keep one of them.`);
    found[name] = index + 1;
    if (quote && !value!.includes(quote)) openAt = { quote, line: index + 1 };
  }
  if (openAt) throw wrongUsage(`${file}, line ${openAt.line}: the quotation mark ${openAt.quote} is not closed.`);
  return found;
}
