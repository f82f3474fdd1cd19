import type { Cursor } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { findRow, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { cursors } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

/** `recheckFrom`: after a reorganisation, deposits after this height are still to be looked up. */
export type StoredCursor = Cursor & { stopReason: string | null; recheckFrom: number | null };

/** How far each chain was read. */
export const find = (db: Db, symbol: AssetSymbol): StoredCursor | null => findRow(db, cursors, { symbol }) ?? null;

/** D-33: the chain starts over, or did. What it says counts only when it is resumed. */
export const isStopped = (db: Db, symbol: AssetSymbol): boolean => find(db, symbol)?.stopReason != null;

export function save(tx: Tx, symbol: AssetSymbol, { height, hash, genesis }: Cursor): void {
  upsertRow(tx, cursors, ['symbol'], { symbol, height, hash, genesis, stopReason: null });
}

export function saveRecheckFrom(tx: Tx, symbol: AssetSymbol, recheckFrom: number | null): void {
  updateRows(tx, cursors, { symbol }, { recheckFrom });
}

export function stopAt(tx: Tx, symbol: AssetSymbol, stopReason: string): void {
  updateRows(tx, cursors, { symbol }, { stopReason });
}
