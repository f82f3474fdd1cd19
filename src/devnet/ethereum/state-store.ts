import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzipSync } from 'node:zlib';

/** Keeps the chain's last state for the node's next start. */
export interface StateStore {
  /** The file into which the node dumps its state when it ends. */
  readonly exitDump?: string;
  readonly pidFile?: string;
  /** The state is there for the next process, so that the node has to end in order. */
  readonly isKept: boolean;
  /** Length of the last saved state. */
  bytes(): number;
  /** The disk may have no room for the next state. */
  isNearlyFull(): Promise<boolean>;
  /** Files that the node can load, newest first. */
  candidates(): Promise<string[]>;
  /**
   * Unix seconds of the chain's first block. A node makes a first block at every start, and only an equal time makes it
   * an equal block. `isNew`: a new chain begins and gets a new time.
   */
  genesisTime(isNew: boolean): number;
  /** `packed`: the node's dump, gzipped. */
  save(packed: Uint8Array): Promise<void>;
  /** The chain starts over: the next start of the node finds no state. */
  startOver(): void;
  /** The node has loaded this candidate. */
  adopt(candidate: string): void;
  /** The node has refused this candidate: it is not offered again. */
  reject(candidate: string): void;
  /** Waits until no earlier node uses this state: one may still be dumping. Throws after `patienceMs`. */
  waitUntilFree(patienceMs: number): Promise<void>;
  /** Declares that no node uses this state now. */
  release(): void;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const GENESIS_WITHIN_SECONDS = 3_600;
/** A random time: two chains that begin in the same second would have the same first block. */
export const newGenesisTime = (): number => nowSeconds() - randomInt(1, GENESIS_WITHIN_SECONDS);

/** The state survives the node, not the process. `folder` is removed with the node. */
export function stateInMemory(folder: string): StateStore {
  const exitDump = join(folder, 'exit.json');
  let last: Uint8Array | undefined;
  let genesisTime = newGenesisTime();
  let isStartingOver = false;
  return {
    exitDump,
    isKept: false,
    bytes: () => last?.length ?? 0,
    isNearlyFull: async () => false,
    async candidates() {
      await mkdir(folder, { recursive: true });
      if (isStartingOver) {
        last = undefined;
        rmSync(exitDump, { force: true });
      }
      isStartingOver = false;
      const dumped = existsSync(exitDump) ? [exitDump] : [];
      if (!last) return dumped;
      const file = join(await mkdtemp(join(tmpdir(), 'robot-vasp-')), 'ethereum.json');
      await writeFile(file, await promisify(gunzip)(last)).catch(async error => {
        await rm(dirname(file), { recursive: true });
        throw error;
      });
      return [...dumped, file];
    },
    genesisTime(isNew) {
      if (isNew) genesisTime = newGenesisTime();
      return genesisTime;
    },
    async save(packed) {
      last = packed;
    },
    startOver() {
      isStartingOver = true;
    },
    adopt(file) {
      if (file !== exitDump) return rmSync(dirname(file), { recursive: true });
      last = gzipSync(readFileSync(exitDump));
      rmSync(exitDump);
    },
    reject(file) {
      if (file === exitDump) return rmSync(exitDump);
      last = undefined;
      rmSync(dirname(file), { recursive: true });
    },
    async waitUntilFree() {},
    release() {},
  };
}
