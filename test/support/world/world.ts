import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/app/config/config.ts';
import { type Client, client, type Info, type RobotUser } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { type Running, serve } from '../../../src/main.ts';
import type { Wallet } from '../chains/wallets.ts';
import { watchAnswers } from '../http/document-check.ts';
import { type TestedVasp, testedVasp } from '../vasp/tested-vasp.ts';
import { askingMembers } from './asking-members.ts';
import { type ExternalChains, startChainProcesses } from './external-chains.ts';
import { type SplitPrograms, splitPrograms } from './split-programs.ts';

export interface WorldOptions {
  /** The database and the ledgers in a temporary folder, so that `restart` finds them again. */
  file?: boolean;
  /** Configuration on top of the defaults of a world. */
  env?: Record<string, string>;
  /** By default the machine's clock stands still. */
  clock?: Clock;
  /** The configured endpoints; by default all four. */
  endpoints?: (keyof TestedVasp['endpoints'])[];
  /** Instead of the embedded chains. They are closed with the world. */
  chains?: ExternalChains;
  /** Enclave and robot in two programs. */
  isSplit?: boolean;
}

/** `WORLD=url`: every world on a node and a ledger that run as processes of their own. */
export const BY_URL = process.env.WORLD === 'url';
/** Every world with its enclave and its robot in two programs. */
const SPLIT = process.env.WORLD === 'split';

/**
 * The whole program behind a real server, both embedded ledgers, the tested VASP as a real server. The machine's
 * clock stands still: nothing happens later by itself, only what `advance` moves to.
 */
export interface World {
  readonly url: string;
  readonly routes: Running['app']['routes'];
  readonly api: Client;
  readonly vasp: TestedVasp;
  readonly vaspId: string;
  readonly robotVaspId: string;
  readonly info: Info;
  user(id: string): RobotUser;
  /** Another VASP's view of the server. */
  as(apiKey: string): Client;
  /** At the end the calls that it got are held against the API document, as those of `vasp` are. */
  hold(vasp: TestedVasp): void;
  advance(duration: string): ReturnType<Client['advance']>;
  /** Both chains are read, everything due has run. */
  idle(): Promise<unknown>;
  /** Funded, and open as long as the world. */
  wallet(symbol: AssetSymbol): Promise<Wallet>;
  /** An amount that no other verification of this world has, in the shortest form. */
  amount(): string;
  /** Of a split world. */
  readonly split?: SplitPrograms | undefined;
  /** The program ends as by SIGTERM and starts again on the same files and the same port. */
  restart(whileStopped?: (folder: string) => unknown): Promise<void>;
  close(): Promise<void>;
}

const QUICK = { LOG_LEVEL: 'silent', XRPL_CLOSE_INTERVAL: '50ms', CHAIN_RETRY_INTERVAL: '100ms' };

export async function createWorld(options: WorldOptions = {}): Promise<World> {
  const folder = options.file ? await mkdtemp(join(tmpdir(), 'robot-vasp-world-')) : undefined;
  const vasp = await testedVasp();
  const given = options.chains ?? (BY_URL ? await startChainProcesses() : undefined);
  const now = Date.now();
  const clock = options.clock ?? { now: () => now };
  const env = environmentOf(options, vasp, given?.env);
  const databaseOf = (name: string) => (folder === undefined ? ':memory:' : join(folder, name));
  const others = { clock, log: silentLog };
  const split = (options.isSplit ?? SPLIT) ? await splitPrograms(env, databaseOf, others) : undefined;
  const running: Programs = split ?? (await oneProgram(env, databaseOf('robot.sqlite'), others));
  const { url } = running.robot;
  const watch = running.send ? { send: running.send, end: async () => {} } : watchAnswers(url, options.env);
  const api = client(url, { send: watch.send });
  const { members, closeWallets } = await askingMembers({ url, api, vasp }, given);
  const held = [vasp];
  return {
    ...members,
    routes: running.robot.app.routes,
    split,
    as: apiKey => client(url, { apiKey, send: watch.send }),
    hold: other => void held.push(other),
    advance: api.advance,
    async restart(whileStopped) {
      await closeWallets();
      await running.restart(() => whileStopped?.(folder ?? ''));
    },
    async close() {
      await closeWallets();
      await running.stop();
      await vasp.close();
      await given?.close();
      if (folder) await rm(folder, { recursive: true });
      await watch.end(held);
    },
  };
}

interface Programs {
  robot: Running;
  /** Default: every request goes to the one program. */
  send?: SplitPrograms['send'];
  restart(whileStopped: () => unknown): Promise<void>;
  stop(): Promise<void>;
}

async function oneProgram(
  env: Record<string, string>,
  databasePath: string,
  others: Parameters<typeof serve>[1],
): Promise<Programs> {
  const start = async (port: number) => {
    const running = await serve(loadConfig({ DATABASE_PATH: databasePath, ...env, PORT: String(port) }), others);
    await running.app.ready();
    return running;
  };
  let robot = await start(0);
  const { url } = robot;
  return {
    get robot() {
      return robot;
    },
    async restart(whileStopped) {
      await robot.stop();
      await whileStopped();
      robot = await start(Number(new URL(url).port));
    },
    stop: () => robot.stop(),
  };
}

const environmentOf = (
  options: WorldOptions,
  vasp: TestedVasp,
  chains: Record<string, string> = {},
): Record<string, string> => ({ ...QUICK, ...vaspEnvironment(vasp, options), ...chains, ...options.env });

/** The names that the tested VASP's real enclave uses. */
export function vaspEnvironment(
  { endpoints }: TestedVasp,
  { endpoints: wanted }: Pick<WorldOptions, 'endpoints'> = {},
): Record<string, string> {
  const names = {
    verifyUser: 'VEGA_VERIFICATION_API_PATH',
    verifyAccount: 'VEGA_VERIFICATION_ACCOUNT_API_PATH',
    transactionStatus: 'VEGA_VERIFICATION_TRANSACTION_API_PATH',
    callback: 'VEGA_VERIFICATION_CALLBACK_API_PATH',
  } as const;
  const operations = wanted ?? (Object.keys(names) as (keyof typeof names)[]);
  return Object.fromEntries(operations.map(operation => [names[operation], endpoints[operation]]));
}
