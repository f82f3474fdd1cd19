import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A child process that never outlives this process, not even after SIGKILL. A watcher reads from a pipe: end of file
 * means that this process has ended, a line means that the child has ended. The shell `exec`s the child, so pid and
 * exit status are the child's. A session of its own shields it from the terminal's Ctrl-C. The watcher also removes the
 * folder of a child whose parent has ended.
 */
export interface GuardedProcess {
  readonly pid: number;
  /** Resolves when the child and the watcher have ended; never rejects. */
  readonly exited: Promise<Exit>;
  readonly running: boolean;
  /** The end of its standard error. */
  stderrTail(): string;
  kill(signal: NodeJS.Signals): void;
}

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const PID_FILE_TAKEN = 73;

// $1: pid file or empty, $2: folder or empty. `set -C`: a pid file that exists is not overwritten.
const SHELL = `
if [ -n "$1" ]; then set -C; echo $$ 2>/dev/null >"$1" || exit ${PID_FILE_TAKEN}; set +C; fi
folder=$2
shift 2
(
  if read -r _ <&3; then exit 0; fi
  kill -TERM $$
  n=0
  while [ $n -lt 20 ] && kill -0 $$; do sleep 0.1; n=$((n+1)); done
  kill -KILL $$
  [ -z "$folder" ] || rm -rf "$folder"
) </dev/null >/dev/null 2>&1 &
exec 3<&-
exec "$@"
`;

export interface Guarded {
  pidFile?: string | undefined;
  /** Of the child alone. */
  folder?: string;
}

export function spawnGuarded(
  command: string,
  args: string[],
  { pidFile = '', folder = '' }: Guarded = {},
): GuardedProcess {
  const child = spawn('/bin/sh', ['-c', SHELL, 'guard', pidFile, folder, command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
    detached: true,
  });
  const stderrTail = tail(child);
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
    stderrTail,
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
