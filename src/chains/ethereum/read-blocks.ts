import type { BlockRef } from '../port.ts';

const REMEMBERED_BLOCKS = 256;

/** The last blocks that were read, without gaps: a reorganisation is followed back to the newest one that stands. */
export type ReadBlocks = ReturnType<typeof createReadBlocks>;

export function createReadBlocks() {
  const hashes = new Map<number, string>();
  const has = ({ height, hash }: BlockRef) => hashes.get(height) === hash;

  function add({ height, hash }: BlockRef): void {
    hashes.set(height, hash);
    hashes.delete(height - REMEMBERED_BLOCKS - 1);
  }

  return {
    /** Begins again with the stored blocks, unless this block is remembered. */
    continueAfter(cursor: BlockRef, stored: () => readonly BlockRef[]): void {
      if (has(cursor)) return;
      hashes.clear();
      for (const block of stored()) if (block.height < cursor.height) hashes.set(block.height, block.hash);
      add(cursor);
    },
    add,
    /** A reorganisation replaced every block after this one. */
    goBackTo(block: BlockRef): void {
      const isRemembered = has(block);
      for (const height of hashes.keys()) if (!isRemembered || height > block.height) hashes.delete(height);
      add(block);
    },
    /** True: exactly this block is remembered. */
    has,
    /** Newest first. */
    before(height: number): BlockRef[] {
      const blocks: BlockRef[] = [];
      for (let each = height - 1; hashes.has(each); each--) blocks.push({ height: each, hash: hashes.get(each)! });
      return blocks;
    },
  };
}
