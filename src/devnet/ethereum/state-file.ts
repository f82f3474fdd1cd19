import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { copyFileSync, existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { mkdir, rename, statfs, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { journalFile } from './journal.ts';

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
