import { getTableColumns, inArray } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { insertRow } from '../../db/prepared-statements.ts';
import * as enclave from '../../db/schema/enclave.ts';
import { expectations } from '../../db/schema/expectations.ts';
import * as robot from '../../db/schema/robot.ts';
import * as runtime from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RowsOfVasp } from './export-store.ts';

/** Rows with an id of their own get a new one here. */
type Ids = Map<number, number>;
type ImportedRows = Pick<
  RowsOfVasp,
  | 'verifications'
  | 'callbacks'
  | 'callbackAttempts'
  | 'assessments'
  | 'history'
  | 'remarks'
  | 'exchanges'
  | 'expectations'
  | 'deposits'
  | 'submissions'
  | 'transfers'
  | 'answers'
>;

/**
 * Inserts the rows of a VASP from another database. Its money stays there: deposits and transfers are history here, as on
 * a chain that started over (D-33). A verification that is here already, because its other VASP came before, stays as it
 * is. Returns the verifications that it has inserted. Throws an error of SQLite for rows that do not fit.
 */
export function importRows(tx: Tx, given: ImportedRows): ImportedRows['verifications'] {
  const here = new Set(
    present(
      tx,
      given.verifications.map(({ uuid }) => uuid),
    ),
  );
  const isNew = (row: { verificationUuid: string | null }) => !here.has(row.verificationUuid ?? '');
  const verifications = given.verifications.filter(({ uuid }) => !here.has(uuid));
  insertAll(tx, enclave.verifications, verifications);
  const callbackIds = insertAll(tx, enclave.callbacks, given.callbacks);
  insertAll(
    tx,
    enclave.callbackAttempts,
    given.callbackAttempts.map(row => ({ ...row, callbackId: callbackIds.get(row.callbackId)! })),
  );
  insertAll(tx, enclave.assessments, given.assessments);
  const depositIds = insertAll(
    tx,
    robot.deposits,
    given.deposits.map(row => ({ ...row, isOfPastChain: true })),
  );
  insertAll(
    tx,
    robot.transfers,
    given.transfers.map(row => ({ ...row, isOfPastChain: true })),
  );
  // Another VASP may have submitted the same bytes to the chain of this cell.
  for (const row of given.submissions)
    tx.orm.insert(robot.submissions).values(row).onConflictDoNothing().run();
  insertAll(tx, expectations, given.expectations);
  insertAll(tx, robot.answers, given.answers);
  insertAll(tx, runtime.remarks, given.remarks);
  const keys = { callback: callbackIds, deposit: depositIds };
  const historyIds = insertAll(
    tx,
    runtime.history,
    given.history.filter(isNew).map(row => ({ ...row, rowKey: rekeyed(row, keys) })),
  );
  const position = positions(historyIds);
  insertAll(
    tx,
    runtime.exchanges,
    given.exchanges.map(row => ({ ...row, afterHistory: position(row.afterHistory) })),
  );
  return verifications;
}

const present = (tx: Tx, uuids: readonly string[]): string[] =>
  Array.from({ length: Math.ceil(uuids.length / 1_000) }, (_, page) =>
    tx.orm
      .select({ uuid: enclave.verifications.uuid })
      .from(enclave.verifications)
      .where(inArray(enclave.verifications.uuid, uuids.slice(page * 1_000, (page + 1) * 1_000)))
      .all(),
  ).flatMap(rows => rows.map(({ uuid }) => uuid));

/** Returns the new ids by the ids before. Unknown columns are refused. */
function insertAll<T extends SQLiteTable>(tx: Tx, table: T, rows: readonly object[]): Ids {
  const ids: Ids = new Map();
  const columns = getTableColumns(table);
  for (const row of rows) {
    const { id, ...others } = row as { id?: number };
    const unknown = Object.keys(others).find(name => !(name in columns));
    if (unknown !== undefined) throw new TypeError(`the column ${unknown} is unknown`);
    const inserted = insertRow(tx, table, others as T['$inferInsert']) as { id?: number };
    if (id !== undefined) ids.set(id, inserted.id!);
  }
  return ids;
}

function rekeyed(
  { machine, rowKey }: { machine: string; rowKey: string },
  keys: Partial<Record<string, Ids>>,
): string {
  return String(keys[machine]?.get(Number(rowKey)) ?? rowKey);
}

/** An exchange began after a line of the history, which has another id here. */
function positions(ids: Ids): (position: number) => number {
  const before = [...ids.keys()].sort((a, b) => a - b);
  return position => {
    const line = before.findLast(id => id <= position);
    return line === undefined ? (ids.get(before[0] ?? 0) ?? 0) - 1 : ids.get(line)!;
  };
}
