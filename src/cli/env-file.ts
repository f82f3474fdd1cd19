import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { wrongUsage } from './command.ts';

export const ENV_FILE = '.env';

/** The option of the commands that start a sandbox. */
export const ENV_FILE_OPTION = {
  'env-file': {
    value: '<file>',
    meaning: `file with variables; those of the environment take precedence; default: ${ENV_FILE}, if there is one`,
  },
} as const;

type Environment = Record<string, string | undefined>;

/** The variables of a file and, with precedence, of the process. A file that is named must exist. */
export function withEnvFile(env: Environment, file?: string): { env: Environment; file: string | undefined } {
  const text = contents(file);
  if (text === undefined) return { env, file: undefined };
  return { env: { ...parseEnv(text), ...env }, file: file ?? ENV_FILE };
}

function contents(file: string | undefined): string | undefined {
  try {
    // Editors of Windows begin it with a mark, which would be part of the first name.
    return readFileSync(file ?? ENV_FILE, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (file === undefined && code === 'ENOENT') return undefined;
    throw wrongUsage(`${file ?? ENV_FILE} cannot be read (${code})`);
  }
}
