import type Database from 'better-sqlite3';
import { add } from '../../../src/kernel/decimal.ts';

type Row = Record<'vaspId' | 'symbol' | 'account' | 'kind' | 'amount', string> & { tag: number | null };
export type Sums = Record<string, string>;

/** The amounts of all deposits and transfers that count in a balance, added up. Keys name the balance and the kind. */
export const addedUp = (db: Database.Database): Sums =>
  summed(
    db
      .prepare(
        `SELECT vasp_id AS vaspId, symbol, account, tag, 'credited' AS kind, amount FROM robot_deposits
         WHERE status = 'CREDITED' AND is_of_past_chain = 0
         UNION ALL
         SELECT vasp_id, symbol, account, tag, iif(status = 'CONFIRMED', 'paid out', 'reserved'), amount
         FROM robot_transfers WHERE status <> 'CANCELED' AND is_of_past_chain = 0`,
      )
      .all() as Row[],
  );

/** The running balances under the same keys, without those of 0. */
export const running = (db: Database.Database): Sums =>
  summed(
    ['credited', 'reserved', 'paid_out'].flatMap(
      column =>
        db
          .prepare(
            `SELECT vasp_id AS vaspId, symbol, account, nullif(tag, -1) AS tag,
               replace('${column}', '_', ' ') AS kind, ${column} AS amount
             FROM robot_balances WHERE ${column} <> '0'`,
          )
          .all() as Row[],
    ),
  );

function summed(rows: Row[]): Sums {
  const sums: Sums = {};
  for (const { vaspId, symbol, account, tag, kind, amount } of rows) {
    const key = `${vaspId} ${symbol} ${account} ${tag} ${kind}`;
    sums[key] = add(sums[key] ?? '0', amount);
  }
  return sums;
}
