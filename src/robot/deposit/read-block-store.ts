import { and, desc, eq, gt, lt, or } from 'drizzle-orm';
import type { BlockRef } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { upsertRow } from '../../db/prepared-statements.ts';
import { readBlocks } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type ReadBlockStore = ReturnType<typeof readBlockStore>;

const KEPT_BLOCKS = 256;

/** The SQL of the blocks that were read. */
export function readBlockStore(db: Db) {
  return {
    /** Newest first. */
    of: (symbol: AssetSymbol): BlockRef[] =>
      db.orm
        .select({ height: readBlocks.height, hash: readBlocks.hash })
        .from(readBlocks)
        .where(eq(readBlocks.symbol, symbol))
        .orderBy(desc(readBlocks.height))
        .all(),
    /** After `cursor` nothing was read; `blocks` end with it. */
    save(tx: Tx, symbol: AssetSymbol, blocks: readonly BlockRef[], cursor: BlockRef) {
      for (const { height, hash } of blocks)
        upsertRow(tx, readBlocks, ['symbol', 'height'], { symbol, height, hash });
      const isNotKept = or(
        gt(readBlocks.height, cursor.height),
        lt(readBlocks.height, cursor.height - KEPT_BLOCKS),
      );
      tx.orm
        .delete(readBlocks)
        .where(and(eq(readBlocks.symbol, symbol), isNotKept))
        .run();
    },
    /** D-33: the chain started over. */
    forget: (tx: Tx, symbol: AssetSymbol) =>
      void tx.orm.delete(readBlocks).where(eq(readBlocks.symbol, symbol)).run(),
  };
}
