import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/** Where the chain's last state is kept for the node's next start. */
export interface StateStore {
  /** The file into which the node dumps its state when it ends. */
  readonly exitDump?: string;
  readonly pidFile?: string;
  /** Files that a start may load, newest first. */
  candidates(): Promise<string[]>;
  /**
   * Unix seconds of the chain's first block. A node makes a first block of its own at every start; only the same time
   * makes it the same block. `isNew`: a chain begins, with a time of its own.
   */
  genesisTime(isNew: boolean): number;
  /** `packed`: the gzip that the node's dump consists of. */
  save(packed: Uint8Array): Promise<void>;
  /** The node runs on this candidate. */
  adopt(candidate: string): void;
  /** The node refused this candidate; it is not offered again. */
  reject(candidate: string): void;
  /** Waits until no earlier node uses this state (it may still be dumping). Throws when one stays. */
  waitUntilFree(patienceMs: number): Promise<void>;
  /** No node uses this state now. */
  release(): void;
}

export const nowSeconds = (): number => Math.floor(Date.now() / 1000);

const GENESIS_WITHIN_SECONDS = 3_600;
/** Chains that begin in the same second would be one chain: a reader tells them apart by their first block. */
export const newGenesisTime = (): number => nowSeconds() - randomInt(1, GENESIS_WITHIN_SECONDS);

/** Survives the node, not the process. */
export function stateInMemory(): StateStore {
  let last: Uint8Array | undefined;
  let genesisTime = newGenesisTime();
  return {
    async candidates() {
      if (!last) return [];
      const file = join(await mkdtemp(join(tmpdir(), 'robot-vasp-')), 'ethereum.json');
      await writeFile(file, await promisify(gunzip)(last)).catch(async error => {
        await rm(dirname(file), { recursive: true });
        throw error;
      });
      return [file];
    },
    genesisTime(isNew) {
      if (isNew) genesisTime = newGenesisTime();
      return genesisTime;
    },
    async save(packed) {
      last = packed;
    },
    adopt: file => rmSync(dirname(file), { recursive: true }),
    reject(file) {
      last = undefined;
      rmSync(dirname(file), { recursive: true });
    },
    async waitUntilFree() {},
    release() {},
  };
}
