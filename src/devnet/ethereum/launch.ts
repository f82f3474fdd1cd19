import { randomInt } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRpc } from '../../kernel/json-rpc.ts';
import { type GuardedProcess, PID_FILE_TAKEN, spawnGuarded } from './guarded-process.ts';

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
