import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

/** One server under measurement, as a process of its own. */
export interface Measured {
  url: string;
  startedInMs: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts `node <script>` and waits for a 200 at `path`; the time runs from the spawn. */
export async function start(
  args: string[],
  env: Record<string, string>,
  path = '/healthcheck',
): Promise<Measured> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await answers(url + path, child);
  const startedInMs = performance.now() - startedAt;
  return { url, startedInMs, pid: child.pid!, stop: () => end(child) };
}

async function answers(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the process has ended with ${child.exitCode}`);
    const ok = await fetch(url).then(
      response => response.ok,
      () => false,
    );
    if (ok) return;
    await new Promise(resolve => setTimeout(resolve, 1));
  }
  throw new Error(`${url} does not answer`);
}

const end = (child: ChildProcess): Promise<void> =>
  new Promise(resolve => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Resident memory of a process and everything it started, in MB. */
export function memoryMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  return (
    own +
    children
      .split(' ')
      .filter(Boolean)
      .reduce((sum, child) => sum + memoryMb(Number(child)), 0)
  );
}

export function median(values: number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;
}
