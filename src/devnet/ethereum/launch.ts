import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonRpc, jsonRpc } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';

/**
 * A child process that never outlives this process, not even after SIGKILL. A watcher reads from a pipe: end of file
 * means that this process has ended, a line means that the child has ended. Both are children of this process, which
 * takes their exit status: also as process 1 of a container it leaves no zombie. The child's shell waits for a line until
 * the watcher runs, then `exec`s the program, so pid and exit status are the program's. Sessions of their own shield both
 * from the terminal's Ctrl-C. The watcher also removes the folder of a child whose parent has ended.
 */
export type GuardedProcess = ReturnType<typeof spawnGuarded>;

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const PID_FILE_TAKEN = 73;

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

/** The accounts of this well-known phrase are the node's faucet. The robot uses another phrase. */
const PUBLIC_MNEMONIC = 'test test test test test test test test test test test junk';
const BALANCE_ETHER = '1000000000';
/** Number of states kept for reorganisations. Without it the node grew by 170 kB with every block. */
const STATES_KEPT = '128';
/** The base fee rises when a block has more than half of it. Transactions of strangers do not reach that. */
const BLOCK_GAS = 300_000_000;
const READY_WITHIN_MS = 20_000;
/**
 * The node passes every method and checks no origin, so that no web page may find it. On Linux every address that begins
 * with 127 is this machine: one of sixteen million.
 */
export const HOST =
  process.platform === 'linux' ? `127.${[0, 0, 0].map(() => randomInt(1, 255)).join('.')}` : '127.0.0.1';

interface LaunchOptions {
  port: number;
  chainId: number;
  /** 0: a block at once for every transaction. */
  blockTimeSeconds: number;
  held: boolean;
  faucetMnemonic: string | undefined;
  /** Unix seconds of the first block. */
  genesisTime: number;
  /** Folder that the node makes for states of reorganised blocks; its default is in the user's home. */
  cachePath: string;
  loadState?: string;
  dumpState?: string;
  pidFile?: string;
  /** The process runs; it does not answer yet. */
  onSpawned?: (() => void) | undefined;
}

/** The options that are equal for every restart of the node. */
export type NodeSettings = Omit<LaunchOptions, 'genesisTime' | 'loadState'>;

export class PortTaken extends Error {}
/** Another node has taken the state since it was free. */
export class StateTaken extends Error {}
export class StateRefused extends Error {}

/**
 * Starts the node and waits until it answers. Throws `PortTaken`, `StateTaken`, `StateRefused`, or an error with its
 * output.
 */
export async function launch(options: LaunchOptions, rpc: JsonRpc): Promise<GuardedProcess> {
  // Another node on this port would answer in place of ours.
  if (!(await isFree(options.port))) throw new PortTaken(`port ${options.port} is taken`);
  const binary = anvilBinary();
  const node = spawnGuarded(binary, argumentsOf(options), { pidFile: options.pidFile, folder: options.cachePath });
  options.onSpawned?.();
  const end = performance.now() + READY_WITHIN_MS;
  while (performance.now() < end) {
    if (!node.running) throw failure(options, binary, node.stderrTail(), (await node.exited).code);
    const chainId = await rpc.call<string>('eth_chainId').catch(() => undefined);
    if (Number(chainId) === options.chainId && node.running) {
      await rpc.call('evm_setBlockGasLimit', BLOCK_GAS);
      return node;
    }
    await delay(5);
  }
  node.kill('SIGKILL');
  throw new Error(`the Ethereum node did not answer within ${READY_WITHIN_MS} ms: ${node.stderrTail()}`);
}

function argumentsOf(options: LaunchOptions): string[] {
  const { faucetMnemonic = PUBLIC_MNEMONIC, blockTimeSeconds, loadState, dumpState } = options;
  const args = ['--quiet', '--no-cors', '--host', HOST, '--port', String(options.port)];
  args.push('--chain-id', String(options.chainId), '--timestamp', String(options.genesisTime));
  args.push('--mnemonic', faucetMnemonic, '--balance', BALANCE_ETHER, '--prune-history', STATES_KEPT);
  args.push('--cache-path', options.cachePath);
  if (options.held) args.push('--no-mining');
  else if (blockTimeSeconds > 0) args.push('--block-time', String(blockTimeSeconds));
  if (loadState) args.push('--load-state', loadState);
  if (dumpState) args.push('--dump-state', dumpState);
  return args;
}

function failure(options: LaunchOptions, binary: string, stderr: string, code: number | null): Error {
  const why = whyNotRun(binary, code, stderr);
  if (why) return new Error(why);
  if (/address already in use/i.test(stderr)) return new PortTaken(`port ${options.port} is taken`);
  if (code === PID_FILE_TAKEN) return new StateTaken('another node is starting on the same state');
  if (options.loadState && /load-state|state/i.test(stderr)) return new StateRefused(stderr);
  return new Error(`the Ethereum node ended at its start (${code}): ${stderr}`);
}

/** Any free port; somebody else may take it before it is used. */
export const freePort = async (): Promise<number> => (await boundTo(0)) ?? 0;

const isFree = async (port: number): Promise<boolean> => (await boundTo(port)) !== undefined;

async function boundTo(port: number): Promise<number | undefined> {
  const server = createServer();
  const isBound = await new Promise<boolean>(resolve => {
    server.once('error', () => resolve(false)).listen(port, HOST, () => resolve(true));
  });
  if (!isBound) return undefined;
  const address = server.address();
  await new Promise(resolve => server.close(resolve));
  return typeof address === 'object' && address ? address.port : undefined;
}

const SYSTEMS: Record<string, string> = { linux: 'linux', darwin: 'darwin' };
const CPUS: Record<string, string> = { x64: 'amd64', arm64: 'arm64' };
const OTHERWISE = 'or set ETH_RPC_URL to a node of your own';

/**
 * Path of the node's program, of the optional package for this system. Throws an error that names the package and the
 * command that helps.
 */
export function anvilBinary(
  { platform, arch }: Pick<NodeJS.Process, 'platform' | 'arch'> = process,
  resolve: (id: string) => string = createRequire(import.meta.url).resolve,
): string {
  const [system, cpu] = [SYSTEMS[platform], CPUS[arch]];
  if (!system || !cpu) throw new Error(`there is no embedded Ethereum node for ${platform}-${arch}: set ETH_RPC_URL`);
  const name = `@foundry-rs/anvil-${system}-${cpu}`;
  let binary: string;
  try {
    binary = join(dirname(resolve(`${name}/package.json`)), 'bin', 'anvil');
  } catch (cause) {
    throw new Error(
      `the optional package ${name} is not installed: run "npm install --include=optional", ${OTHERWISE}`,
      { cause },
    );
  }
  try {
    accessSync(binary, constants.X_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'EACCES'
        ? `the program of ${name} is not executable: run "chmod +x '${binary}'", ${OTHERWISE}`
        : `the program of ${name} is missing (${code}): run "npm install --force ${name}", ${OTHERWISE}`,
      { cause: error },
    );
  }
  return binary;
}

/** The system cannot run the program: a sentence about it. Undefined: the program ended for another reason. */
function whyNotRun(binary: string, code: number | null, stderr: string): string | undefined {
  const [, wanted] = /GLIBC_([\d.]+)['\u2019]? not found/.exec(stderr) ?? [];
  if (wanted)
    return `${binary} needs glibc ${wanted} or newer, such as that of Debian 12 and Ubuntu 22.04: use a newer system or the image of robot-vasp, ${OTHERWISE}`;
  // The shell's codes for a program that cannot be run, and for one whose loader is missing.
  if (code === 126 || code === 127)
    return `this system cannot run ${binary}, which needs glibc: use the image of robot-vasp, ${OTHERWISE}`;
  return undefined;
}

/** A node that ends twice within this time is restarted after a pause. */
const SHORT_LIFE_MS = 5_000;
const PAUSE_MS = 500;

export interface Running {
  readonly node: GuardedProcess;
  /** Stops what was started with the node; the node may have ended already. */
  cleanUp(): Promise<void>;
}

/** Restarts the node whenever it ends by itself. Throws when the first start fails. */
export async function keepRunning(start: () => Promise<Running>, log: Log) {
  const stopping = new AbortController();
  const events = new EventEmitter<{ exit: [Exit]; restart: [] }>();
  const pause = () => sleep(PAUSE_MS, stopping.signal);
  let current = await start();

  const restarted = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        current = await start();
        events.emit('restart');
        return;
      } catch (error) {
        log.error({ error: String(error) }, 'the Ethereum node could not be restarted');
        await pause();
      }
    }
  };
  const watch = async () => {
    let shortLives = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const exit = await current.node.exited;
      await current.cleanUp();
      if (stopping.signal.aborted) return;
      log.warn({ ...exit, stderr: current.node.stderrTail() }, 'the Ethereum node ended and is restarted');
      events.emit('exit', exit);
      shortLives = performance.now() - since < SHORT_LIFE_MS ? shortLives + 1 : 0;
      if (shortLives > 1) await pause();
      await restarted();
    }
  };
  const watching = watch();

  return {
    get node() {
      return current.node;
    },
    /** `exit`: an end that nobody asked for. */
    events,
    /** Ends the restarts; `end` ends the node. */
    async stop(end: (node: GuardedProcess) => Promise<void>): Promise<void> {
      stopping.abort();
      await current.cleanUp();
      await end(current.node);
      await watching;
      // A restart may have begun just before `stopping` was set.
      await current.cleanUp();
      await end(current.node);
    },
  };
}

/** False: the signal has ended the wait. */
export const sleep = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal }).catch(() => false);

const EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 7_000;
const FAILURES = 2;
/** Longest time for the node to save its state. */
const SAVED_WITHIN_MS = 12_000;

/** Ends a node that has stopped answering; it saves its state first, if it still can. Returns a function that stops it. */
export function watchdog(url: string, node: GuardedProcess, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const rpc = jsonRpc(url, ANSWER_WITHIN_MS);
  const run = async () => {
    let failures = 0;
    while (node.running && (await sleep(EVERY_MS, stop.signal))) {
      do failures = (await answers(rpc)) ? 0 : failures + 1;
      while (failures === 1 && !stop.signal.aborted);
      if (failures < FAILURES || stop.signal.aborted) continue;
      log.error({ pid: node.pid }, 'the Ethereum node does not answer and is replaced');
      node.kill('SIGTERM');
      // A stopped process gets the signal when it goes on.
      node.kill('SIGCONT');
      await Promise.race([node.exited, sleep(SAVED_WITHIN_MS, stop.signal)]);
      if (!stop.signal.aborted) node.kill('SIGKILL');
      return;
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
    await rpc.close();
  };
}

/** Reads the head and the state, which another call may hold. */
const answers = (rpc: ReturnType<typeof jsonRpc>): Promise<boolean> =>
  Promise.all([
    rpc.call('eth_getBlockByNumber', 'latest', false),
    rpc.call('eth_getBalance', `0x${'00'.repeat(20)}`, 'latest'),
  ]).then(
    () => true,
    () => false,
  );
