import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, readFile, rename, rm, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseJson } from '../../kernel/json.ts';
import { type JsonRpc, RpcUnreachable } from '../../kernel/json-rpc.ts';
import { oneAtATime } from '../../kernel/turns.ts';
import { sends } from './methods.ts';
import { allMined, ifRefused, poolKeeper, type Sent, sendAgain, waiting } from './pool.ts';

/** What was sent, or the code of a contract that the faucet has set for its next one. */
type Entry = Sent | { code: unknown[] };
type Call = { method: string; params?: unknown };

/**
 * What the node has acknowledged since its last saved state, in a file beside it: a line is written before the answer is
 * given. The first line names a block of the state to which the others belong. After its start the node gets them again. The
 * number of a transaction keeps it from being executed twice.
 */
export type Journal = ReturnType<typeof journalFile>;

function journalFile(path: string) {
  const next = oneAtATime();
  const pool = poolKeeper();
  let count = 0;

  const read = async (): Promise<unknown[]> => {
    const lines = (await readFile(path, 'utf8').catch(ifMissing)).split('\n').map(line => parseJson(line));
    return lines.filter(line => line !== undefined);
  };
  async function clear(): Promise<void> {
    await rm(path, { force: true });
    count = 0;
  }
  async function replace(base: string, entries: readonly unknown[]): Promise<void> {
    await writeFile(`${path}.new`, [{ base }, ...entries].map(lineOf).join(''));
    await rename(`${path}.new`, path);
    count = entries.length;
  }

  return {
    path,
    /** Resolves when what the call has sent would survive the end of the node. */
    async add({ method, params }: Call, answer: unknown, rpc: JsonRpc): Promise<void> {
      const entry = await entryOf(method, Array.isArray(params) ? params : [], answer, rpc);
      if (!entry) return;
      await next(async () => {
        await appendFile(path, lineOf(entry));
        count += 1;
        if ('hash' in entry) await pool.ensureTaken(rpc, entry).catch(ifUnreachable);
      });
    },
    /**
     * Called before the state is dumped. The returned function is called when it is saved with this block: it removes
     * what the state has. Transactions that wait in the pool are in no state.
     */
    async dumping(rpc: JsonRpc): Promise<(base: string) => Promise<void>> {
      const before = count;
      const waits = new Set((await next(() => waiting(rpc))).map(({ hash }) => hash));
      return base =>
        next(async () => {
          const entries = (await read()).slice(1) as Entry[];
          const isLeft = (entry: Entry, i: number) => i >= before || ('hash' in entry && waits.has(entry.hash));
          await replace(base, entries.filter(isLeft));
        });
    },
    /** Gives the node what its state lacks. False: these are not the lines of its state. */
    async replay(rpc: JsonRpc): Promise<boolean> {
      const [first, ...entries] = await read();
      const { base } = (first ?? {}) as { base?: string };
      const isOfState = base !== undefined && (await rpc.call('eth_getBlockByHash', base, false)) !== null;
      if (!isOfState) {
        await clear();
        return false;
      }
      count = entries.length;
      const mined = allMined(rpc);
      for (const entry of entries as Entry[]) {
        if ('code' in entry) {
          await mined();
          await rpc.call('anvil_setCode', ...entry.code).catch(ifRefused);
        } else {
          await sendAgain(rpc, entry.raw);
          await pool.ensureTaken(rpc, entry);
        }
      }
      await mined();
      return true;
    },
    /** See `poolKeeper`. A state that is saved meanwhile would take the others for mined. */
    drop: (rpc: JsonRpc, hash: string): Promise<boolean> => next(() => pool.drop(rpc, hash)),
    waitAgain: (rpc: JsonRpc): Promise<void> => next(() => pool.waitAgain(rpc)),
    /** A new chain has nothing to repeat. */
    clear,
  };
}

const lineOf = (value: unknown): string => `${JSON.stringify(value)}\n`;

async function entryOf(
  method: string,
  params: readonly unknown[],
  answer: unknown,
  rpc: JsonRpc,
): Promise<Entry | undefined> {
  if (method === 'anvil_setCode') return { code: [...params] };
  if (!sends(method)) return undefined;
  const hash = typeof answer === 'string' ? answer : (answer as { transactionHash: string }).transactionHash;
  const raw = method.startsWith('eth_sendRaw')
    ? (params[0] as string)
    : await rpc.call<string | null>('eth_getRawTransactionByHash', hash);
  return raw === null ? undefined : { hash, raw };
}

function ifMissing(error: NodeJS.ErrnoException): string {
  if (error.code === 'ENOENT') return '';
  throw error;
}

/** The next node gets it from the journal. */
function ifUnreachable(error: unknown): void {
  if (!(error instanceof RpcUnreachable)) throw error;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const GENESIS_WITHIN_SECONDS = 3_600;

/** Keeps the chain's last state for the node's next start. */
export type StateStore = ReturnType<typeof stateFile>;

/**
 * The chain's state on disk. `<path>` is replaced as a whole, and there is one at every moment: a backup may read it while
 * the node runs. The former file stays as `<path>.previous`. The node dumps to `<path>.exit` when it ends: the newest
 * state, but perhaps torn. The next start uses the first of the three that the node accepts. `<path>.journal` has what came after the
 * state, `<path>.genesis` the time of the chain's first block. `isKept`: the state is there for the next process, so that the node has to end in
 * order, and nothing may be sent that cannot be saved.
 */
export function stateFile(path: string, { isKept = true } = {}) {
  const exitDump = `${path}.exit`;
  const previous = `${path}.previous`;
  const pidFile = `${path}.pid`;
  let isStartingOver = false;
  const bytes = (): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return {
    exitDump,
    pidFile,
    journal: journalFile(`${path}.journal`),
    isKept,
    bytes,
    /** The disk may have no room for the next state. */
    isNearlyFull: async (): Promise<boolean> => (await freeBytes(path)) < STATES_FREE * bytes() + LEAST_FREE_BYTES,
    /** Files that the node can load, newest first. */
    async candidates(): Promise<string[]> {
      await mkdir(dirname(path), { recursive: true });
      if (isStartingOver) for (const file of [exitDump, path, previous]) rmSync(file, { force: true });
      isStartingOver = false;
      return [exitDump, path, previous].filter(existsSync);
    },
    genesisTime: (isNew: boolean) => genesisTime(`${path}.genesis`, isNew),
    /** `packed`: the node's dump, gzipped. */
    async save(packed: Uint8Array): Promise<void> {
      const state = await promisify(gunzip)(packed);
      // On a full disk the former state makes room for the newest one.
      await writeWhole(`${path}.new`, state).catch(() => {
        rmSync(previous, { force: true });
        return writeWhole(`${path}.new`, state);
      });
      keepAs(previous, path);
      await rename(`${path}.new`, path);
    },
    /** The next start of the node finds no state. */
    startOver(): void {
      isStartingOver = true;
    },
    /** The node has loaded this candidate. */
    adopt(candidate: string): void {
      if (candidate !== exitDump || !existsSync(exitDump)) return;
      keepAs(previous, path);
      renameSync(exitDump, path);
    },
    /** The node has refused this candidate: it is not offered again. */
    reject: (candidate: string): void => renameSync(candidate, `${path}.corrupt`),
    /** Waits until no earlier node uses this state: one may still be dumping. Throws after `patienceMs`. */
    async waitUntilFree(patienceMs: number): Promise<void> {
      const end = performance.now() + patienceMs;
      for (let holder = holderOf(pidFile, exitDump); holder; holder = holderOf(pidFile, exitDump)) {
        if (performance.now() > end) throw new Error(`${path} is in use by ${holder}`);
        await delay(20);
      }
      rmSync(pidFile, { force: true });
    },
    /** Declares that no node uses this state now. */
    release(): void {
      if (!holderOf(pidFile, exitDump)) rmSync(pidFile, { force: true });
    },
  };
}

/**
 * Unix seconds of the chain's first block. A node makes a first block at every start, and only an equal time makes it an
 * equal block. A new chain gets a random time: two that begin in the same second would have the same one.
 */
function genesisTime(file: string, isNew: boolean): number {
  const time = isNew || !existsSync(file) ? Number.NaN : Number(readFileSync(file, 'utf8'));
  if (Number.isSafeInteger(time) && time > 0) return time;
  const begun = nowSeconds() - randomInt(1, GENESIS_WITHIN_SECONDS);
  writeFileSync(file, String(begun));
  return begun;
}

/** A state is written beside the last one, and may be larger. */
const STATES_FREE = 2;
const LEAST_FREE_BYTES = 1024 * 1024;

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize;
}

/** Yarn's Plug'n'Play has no `sync` of a file handle. */
const writeWhole = (file: string, content: Uint8Array): Promise<void> =>
  writeFile(file, content, { flush: true }).catch(error => {
    rmSync(file, { force: true });
    throw error;
  });

/** A second name of the file, if there is one. Some file systems know no second names: then it is a copy. */
function keepAs(name: string, path: string): void {
  if (!existsSync(path)) return;
  rmSync(name, { force: true });
  try {
    linkSync(path, name);
  } catch {
    copyFileSync(path, name);
  }
}

/** A pid file is created, and then written. */
const WRITTEN_WITHIN_MS = 500;

/** The running process of the pid file. A pid that now belongs to another program does not count. */
function holderOf(pidFile: string, argument: string): string | undefined {
  try {
    const content = readFileSync(pidFile, 'utf8');
    if (content === '' && Date.now() - statSync(pidFile).mtimeMs < WRITTEN_WITHIN_MS) return 'a new process';
    const pid = Number(content);
    return Number.isInteger(pid) && pid > 1 && commandLine(pid).includes(argument) ? `process ${pid}` : undefined;
  } catch {
    return undefined;
  }
}

const commandLine = (pid: number): string =>
  process.platform === 'linux'
    ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    : execFileSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
