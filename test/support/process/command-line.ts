import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { builtCli } from './build.ts';

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** What it wrote to standard error, without the progress that a slow machine shows. */
export const linesOf = (stderr: string): string[] =>
  stderr
    .trim()
    .split('\n')
    .filter(line => !/ … \d+ s$/.test(line));

/** One command line of the built program, until it ends by itself. `env`: nothing else but PATH is set. */
export async function robotVasp(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const child = spawn(process.execPath, [builtCli(), ...argv], {
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
