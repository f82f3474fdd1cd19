import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/**
 * A child process that never outlives this process, not even after SIGKILL. A watcher reads from a pipe: end of file
 * means that this process has ended, a line means that the child has ended. Both are children of this process, which
 * takes their exit status: also as process 1 of a container it leaves no zombie. The child's shell waits for a line until
 * the watcher runs, then `exec`s the program, so pid and exit status are the program's. Sessions of their own shield both
 * from the terminal's Ctrl-C. The watcher also removes the folder of a child whose parent has ended.
 */
export type GuardedProcess = ReturnType<typeof spawnGuarded>;

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export const PID_FILE_TAKEN = 73;

// $1: pid file or empty. `set -C`: a pid file that exists is not overwritten.
const CHILD = `
read -r _ <&3 || exit 0
if [ -n "$1" ]; then set -C; echo $$ 2>/dev/null >"$1" || exit ${PID_FILE_TAKEN}; set +C; fi
shift
exec "$@" 3<&-
`;

// $1: pid of the child, $2: folder or empty.
const WATCHER = `
if read -r _; then exit 0; fi
kill -TERM $1
n=0
while [ $n -lt 20 ] && kill -0 $1; do sleep 0.1; n=$((n+1)); done
kill -KILL $1
[ -z "$2" ] || rm -rf "$2"
`;

export function spawnGuarded(
  command: string,
  args: string[],
  { pidFile = '', folder = '' }: { pidFile?: string | undefined; folder?: string } = {},
) {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin' };
  const child = spawn('/bin/sh', ['-c', CHILD, 'guard', pidFile, command, ...args], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env,
    detached: true,
  });
  const stderrTail = tail(child);
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'guard', String(child.pid), folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env,
    detached: true,
  });
  const watcherGone = ended(watcher);
  // A process that cannot be started, as without a free file, has no pipes.
  const toWatcher = watcher.stdin as Socket | undefined;
  const toChild = (child.stdio as ChildProcess['stdio'] | undefined)?.[3] as Socket | undefined;
  for (const pipe of [toWatcher, toChild]) pipe?.on('error', () => {});
  toChild?.end('start\n');
  let running = true;
  const exited = ended(child).then(async exit => {
    running = false;
    toWatcher?.end('gone\n');
    await watcherGone;
    return exit;
  });
  return {
    pid: child.pid ?? 0,
    /** Resolves when the child and the watcher have ended; never rejects. */
    exited,
    get running() {
      return running;
    },
    /** The end of its standard error. */
    stderrTail,
    kill: (signal: NodeJS.Signals): void => void (running && child.kill(signal)),
  };
}

const ended = (child: ChildProcess): Promise<Exit> =>
  new Promise(resolve => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.once('error', () => resolve({ code: null, signal: null }));
  });

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
