import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { run } from '../../../src/cli/command.ts';
import { load } from '../../../src/cli/commands.ts';
import { builtCli } from './build.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** The lines of standard error without the progress that a slow machine shows. */
export const linesOf = (stderr: string): string[] =>
  stderr
    .trim()
    .split('\n')
    .filter(line => line !== '' && !/ … \d+ s$/.test(line));

/** One command line of the built program, until it ends by itself. `env`: nothing else but PATH is set. */
export async function robotVasp(
  argv: readonly string[],
  env: Record<string, string> = {},
  cli = builtCli(),
): Promise<Ran> {
  const child = spawn(process.execPath, [cli, ...argv], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
    });
  const [code] = await once(child, 'close');
  return { code: code as number | null, ...said };
}

/** The same command line in this process: quick, for a command that reads its input and ends by itself. */
export async function commandHere(
  [name = '', ...argv]: readonly string[],
  env: Record<string, string> = {},
): Promise<Ran> {
  const texts = { stdout: '', stderr: '' };
  const code = await run(await load(name), argv, {
    env,
    out: text => {
      texts.stdout += `${text}\n`;
    },
    error: text => {
      texts.stderr += `${text}\n`;
    },
  });
  return { code: code ?? null, ...texts };
}
