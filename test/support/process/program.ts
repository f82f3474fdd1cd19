import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../until.ts';
import { builtCli } from './build.ts';
import { processesWith } from './processes.ts';

const READY_WITHIN_MS = 120_000;

/** The built program as a process of its own, on a folder and a port that outlive it. */
export interface Program {
  readonly url: string;
  readonly folder: string;
  /** Of the running program. */
  pid(): number;
  /** Resolves when it is ready; with `path` when that answers 200. */
  start(path?: string): Promise<void>;
  /** Its log since it was made. */
  log(): string;
  /** SIGKILL: resolves when it is gone, and the Ethereum node with it. */
  kill(): Promise<void>;
  /** SIGTERM; answers the exit code. */
  stop(): Promise<number | null>;
  /** Kills what runs and removes the folder. */
  close(): Promise<void>;
}

/** `command`: `serve`, or one part. HOST in `env` is where it listens. */
export async function program(
  env: Record<string, string> = {},
  command: 'serve' | 'enclave' | 'robot' = 'serve',
): Promise<Program> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-process-'));
  const port = await freePort();
  const url = `http://${env.HOST ?? '127.0.0.1'}:${port}`;
  let child: ChildProcess | undefined;
  let log = '';

  async function end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null> {
    const running = child;
    child = undefined;
    if (!running) return null;
    const exited = new Promise<number | null>(resolve => running.once('exit', resolve));
    running.kill(signal);
    const code = await exited;
    await until(() => nodesOf(folder).length === 0);
    return code;
  }
  return {
    url,
    folder,
    pid: () => child!.pid!,
    log: () => log,
    async start(path = '/readyz') {
      const started = spawn(process.execPath, [builtCli(), command], {
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          DATABASE_PATH: join(folder, 'robot.sqlite'),
          LOG_LEVEL: 'error',
          XRPL_CLOSE_INTERVAL: '100ms',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      started.stdout.on('data', chunk => {
        log += chunk;
      });
      child = started;
      await ready(url + path, started);
    },
    kill: async () => void (await end('SIGKILL')),
    stop: () => end('SIGTERM'),
    async close() {
      await end('SIGKILL');
      await rm(folder, { recursive: true });
    },
  };
}

async function ready(url: string, child: ChildProcess): Promise<void> {
  for (const end = performance.now() + READY_WITHIN_MS; ; await delay(20)) {
    if (child.exitCode !== null || child.signalCode !== null)
      throw new Error(`the program ended with ${child.exitCode ?? child.signalCode}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.status === 200) return;
    if (performance.now() > end) throw new Error(`not ready: ${await answer?.text()}`);
  }
}

/** Pids of the Ethereum nodes that work in the folder; the guard of a node goes a moment after it. */
export const nodesOf = (folder: string): number[] =>
  processesWith(folder).filter(pid => {
    const command = commandOf(pid);
    // Read once more and as a whole: what the guard has forked may have become another program meanwhile.
    return command.includes(folder) && !command.startsWith('/bin/sh');
  });

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** Below the ports that the system gives to others between this look and the start of the program. */
export async function freePort(): Promise<number> {
  const server = createServer();
  const isFree = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false));
    server.listen(randomInt(12_000, 32_000), '127.0.0.1', () => resolve(true));
  });
  if (!isFree) return freePort();
  const { port } = server.address() as AddressInfo;
  await new Promise(closed => server.close(closed));
  return port;
}
