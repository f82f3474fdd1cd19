import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const left = new Set<() => unknown>();
/** Called at the end of the part, also where it fails. */
export const atEnd = (stop: () => unknown): void => void left.add(stop);

/** Runs one part in a folder of its own, and ends what it has started. */
export async function measureIn(part: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-bench-'));
  try {
    await part(folder);
  } finally {
    await Promise.all([...left].map(stop => stop()));
    left.clear();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One server under measurement, as a process of its own. */
export interface Measured {
  url: string;
  startedInMs: number;
  pid: number;
  stop(): Promise<void>;
}

/** Starts `node ARGS` and waits for a 200 at `path`; the time starts at the spawn. */
export async function start(args: string[], env: Record<string, string>, path = '/healthcheck'): Promise<Measured> {
  const port = await freePort();
  return startProgram(process.execPath, args, { url: `http://127.0.0.1:${port}`, path, port, env });
}

/** Starts any program that listens on `port`, and waits for a 200 at `path` of `url`. */
export async function startProgram(
  program: string,
  args: string[],
  { url, path, port, env }: { url: string; path: string; port: number; env: Record<string, string> },
): Promise<Measured> {
  const startedAt = performance.now();
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, LOG_LEVEL: 'error', PORT: String(port), HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const stop = () => end(child);
  atEnd(stop);
  await answers(url + path, child);
  const startedInMs = performance.now() - startedAt;
  return { url, startedInMs, pid: child.pid!, stop };
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
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });

export const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
