import { eq, sql } from 'drizzle-orm';
import type { Cursor } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { preparedQuery, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { cursors } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

/** `recheckFrom`: after a reorganisation, deposits after this height are still to be looked up. */
export type StoredCursor = Cursor & { stopReason: string | null; recheckFrom: number | null };

/** How far each chain was read. */
const cursor = preparedQuery(db =>
  db.orm
    .select()
    .from(cursors)
    .where(eq(cursors.symbol, sql.placeholder('symbol'))),
);

export const find = (db: Db, symbol: AssetSymbol): StoredCursor | null => cursor(db).get({ symbol }) ?? null;

export function save(tx: Tx, symbol: AssetSymbol, { height, hash, genesis }: Cursor): void {
  upsertRow(tx, cursors, ['symbol'], { symbol, height, hash, genesis, stopReason: null });
}

export function saveRecheckFrom(tx: Tx, symbol: AssetSymbol, recheckFrom: number | null): void {
  updateRows(tx, cursors, { symbol }, { recheckFrom });
}

export function stopAt(tx: Tx, symbol: AssetSymbol, stopReason: string): void {
  updateRows(tx, cursors, { symbol }, { stopReason });
}
