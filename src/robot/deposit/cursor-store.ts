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
export function cursorStore(db: Db) {
  const cursor = preparedQuery(
    db.orm
      .select()
      .from(cursors)
      .where(eq(cursors.symbol, sql.placeholder('symbol'))),
  );
  return {
    cursor: (symbol: AssetSymbol): StoredCursor | null => cursor.get({ symbol }) ?? null,
    saveCursor(tx: Tx, symbol: AssetSymbol, { height, hash, genesis }: Cursor) {
      upsertRow(tx, cursors, ['symbol'], { symbol, height, hash, genesis, stopReason: null });
    },
    saveRecheckFrom(tx: Tx, symbol: AssetSymbol, recheckFrom: number | null) {
      updateRows(tx, cursors, { symbol }, { recheckFrom });
    },
    stopAt(tx: Tx, symbol: AssetSymbol, stopReason: string) {
      updateRows(tx, cursors, { symbol }, { stopReason });
    },
  };
}
