import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';

export const version = (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string })
  .version;

/** Makes `robot-vasp` a command: from the file of `npm pack`. In a registry the package is `robot-vasp`. */
export const INSTALL = `npm install --global ./robot-vasp-${version}.tgz`;

/** Tells the builds of one version apart: the checksum of the bundle. A program that was not built has none. */
export function build(): string {
  try {
    return crc32(readFileSync(join(packageRoot(), 'dist', 'cli.cjs')))
      .toString(16)
      .padStart(8, '0');
  } catch {
    return 'none';
  }
}

/** For the header `User-Agent` of every call that the program makes. */
export const USER_AGENT = `robot-vasp/${version}`;

/** The folder that holds `drizzle/` and `fixtures/`, whether we run from `src/` or from the bundle. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'drizzle'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error('the folder drizzle/ of the package is missing');
    folder = parent;
  }
  return folder;
}

/** The program stops before the work has ended: nobody can say yet what becomes of it. */
export class ProgramStops extends Error {
  override readonly name = 'ProgramStops';
}

/** The program cannot start. The message is one sentence for the person who started it. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(problems: readonly string[]) {
    super(`The configuration is wrong:\n${problems.map(problem => `  - ${problem}`).join('\n')}`);
  }
}
