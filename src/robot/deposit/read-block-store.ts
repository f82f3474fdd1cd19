import { and, desc, eq, gt, lt, or } from 'drizzle-orm';
import type { BlockRef } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, upsertRow } from '../../db/prepared-statements.ts';
import { readBlocks } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import * as cursors from './cursor-store.ts';

const KEPT_BLOCKS = 256;

/** Newest first. */
export const of = (db: Db, symbol: AssetSymbol): BlockRef[] =>
  db.orm
    .select({ height: readBlocks.height, hash: readBlocks.hash })
    .from(readBlocks)
    .where(eq(readBlocks.symbol, symbol))
    .orderBy(desc(readBlocks.height))
    .all();

/**
 * True: the reader has read exactly this block, so it notices when a reorganisation replaces it. On the XRP Ledger no
 * reorganisation does.
 */
export function isRead(db: Db, symbol: AssetSymbol, { height, hash }: BlockRef): boolean {
  if (symbol === 'XRP') return true;
  const read = findRow(db, readBlocks, { symbol, height });
  return read ? read.hash === hash : height <= (cursors.find(db, symbol)?.height ?? -1);
}

/** After `cursor` nothing was read; `blocks` end with it. */
export function save(tx: Tx, symbol: AssetSymbol, blocks: readonly BlockRef[], cursor: BlockRef): void {
  for (const { height, hash } of blocks) upsertRow(tx, readBlocks, ['symbol', 'height'], { symbol, height, hash });
  const isNotKept = or(gt(readBlocks.height, cursor.height), lt(readBlocks.height, cursor.height - KEPT_BLOCKS));
  tx.orm
    .delete(readBlocks)
    .where(and(eq(readBlocks.symbol, symbol), isNotKept))
    .run();
}

/** D-33: the chain started over. */
export const forget = (tx: Tx, symbol: AssetSymbol) => void deleteRows(tx, readBlocks, { symbol });
