import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A child that never outlives us, not even when we are killed with SIGKILL. A watcher holds the other end of a
 * pipe: its end of file means that we are gone, and a line on it that the child itself is gone. The child is `exec`ed
 * in place of the shell, so its pid and exit status are its own. Its own session keeps a Ctrl-C of the terminal away:
 * we decide when it stops.
 */
export interface GuardedProcess {
  readonly pid: number;
  /** How it ended, once the watcher is gone too; never rejects. */
  readonly exited: Promise<Exit>;
  readonly running: boolean;
  /** The last of what it wrote to standard error. */
  complaint(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const PID_FILE_TAKEN = 73;

// $1: pid file or empty. `set -C`: a pid file that exists is not overwritten.
const SHELL = `
if [ -n "$1" ]; then set -C; echo $$ 2>/dev/null >"$1" || exit ${PID_FILE_TAKEN}; set +C; fi
shift
(
  if read -r _ <&3; then exit 0; fi
  kill -TERM $$ || exit 0
  n=0
  while [ $n -lt 20 ] && kill -0 $$; do sleep 0.1; n=$((n+1)); done
  kill -KILL $$
) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

export function spawnGuarded(command: string, args: string[], pidFile?: string): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', SHELL, 'guard', pidFile ?? '', command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    detached: true,
  });
  const complaint = tail(child);
  const watcher = child.stdio[3] as Socket;
  const watcherGone = new Promise(resolve => watcher.once('close', resolve));
  watcher.on('error', () => {}).resume();
  let running = true;
  const ended = new Promise<Exit>(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });
  const exited = ended.then(async exit => {
    running = false;
    watcher.end('gone\n');
    await watcherGone;
    return exit;
  });
  return {
    pid: child.pid ?? 0,
    exited,
    get running() {
      return running;
    },
    complaint,
    kill: signal => void (running && child.kill(signal)),
  };
}

function tail(child: ChildProcess): () => string {
  let text = '';
  child.on('error', error => {
    text += error.message;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-2000);
  });
  return () => text.trim();
}
