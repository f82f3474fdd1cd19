import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { until } from '../until.ts';
import { builtCli } from './build.ts';

/** The built program as soon as it listens; its chains may come later or never. */
export interface Serving {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly port: number;
  /** Everything that it wrote to standard error. */
  stderr(): string;
  exited: Promise<number | null>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  close(): Promise<number | null>;
}

export async function serving(env: Record<string, string> = {}, cli = builtCli()): Promise<Serving> {
  const child = spawn(process.execPath, [cli, 'serve', '--json'], {
    env: { PATH: process.env.PATH, PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { value } = await lines.next();
  if (value === undefined) throw new Error(`it did not listen: ${errors}`);
  child.stdout.resume();
  const { url } = JSON.parse(value) as { url: string };
  const stop = () => {
    child.kill('SIGTERM');
    return exited;
  };
  return {
    child,
    pid: child.pid!,
    url,
    port: Number(new URL(url).port),
    stderr: () => errors,
    exited,
    stop,
    close: stop,
  };
}

/** As soon as its chains are there, too. */
export async function servingReady(env?: Record<string, string>): Promise<Serving> {
  const program = await serving(env);
  await until(async () => (await fetch(`${program.url}/readyz`)).status === 200);
  return program;
}
