import { and, eq, getTableColumns, inArray, like } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { insertLines, LINES_OF_ROW, uuidsOfVasp } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { findRows, insertRow, isAmong } from '../../db/prepared-statements.ts';
import * as enclave from '../../db/schema/enclave.ts';
import * as plans from '../../db/schema/plans.ts';
import * as robot from '../../db/schema/robot.ts';
import type { StoredLine } from '../../db/schema/runtime.ts';
import * as runtime from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { wholeCallbacks, wholeExchanges } from '../../db/whole-exchanges.ts';

export type RowsOfVasp = ReturnType<typeof rowsOfVasp>;

/** Everything that is stored about a VASP and its verifications, by kind. Without registration and keys. */
export function rowsOfVasp(db: Db, vaspId: string) {
  const { orm } = db;
  const { verifications, callbacks, callbackAttempts, assessments } = enclave;
  const { history, timers } = runtime;
  const uuids = uuidsOfVasp(db, vaspId);
  const callbackIds = orm.select({ id: callbacks.id }).from(callbacks).where(eq(callbacks.receiverVaspId, vaspId));
  const isOfEnclave = and(eq(timers.owner, vaspId), like(timers.kind, 'enclave.%'));
  return {
    verifications: orm.select().from(verifications).where(inArray(verifications.uuid, uuids)).all(),
    callbacks: wholeCallbacks(db).where(eq(callbacks.receiverVaspId, vaspId)).all(),
    callbackAttempts: orm
      .select()
      .from(callbackAttempts)
      .where(inArray(callbackAttempts.callbackId, callbackIds))
      .all(),
    assessments: findRows(db, assessments, { callerVaspId: vaspId }),
    history: orm
      .select()
      .from(history)
      .where(inArray(history.verificationUuid, uuids))
      .orderBy(history.id)
      .all()
      // The other VASP of a verification has lines of its own.
      .map(row => ({ ...row, lines: row.lines.map(line => ((line?.vaspId ?? vaspId) === vaspId ? line : null)) })),
    findings: findRows(db, runtime.findings, { vaspId }),
    exchanges: wholeExchanges(db).where(eq(runtime.exchanges.vaspId, vaspId)).all(),
    faults: findRows(db, runtime.faults, { vaspId }),
    timers: orm.select().from(timers).where(isOfEnclave).all(),
    expectations: findRows(db, robot.expectations, { vaspId }),
    deposits: findRows(db, robot.deposits, { vaspId }),
    submissions: findRows(db, robot.submissions, { vaspId }),
    transfers: findRows(db, robot.transfers, { vaspId }),
    users: findRows(db, robot.users, { vaspId }),
    answers: findRows(db, robot.answers, { vaspId }),
    runs: findRows(db, plans.runs, { vaspId }),
  };
}

/** Rows with an id of their own get a new one here. */
type Ids = Map<number, number>;

/**
 * Inserts the rows of a VASP from another database. Its money stays there: deposits and transfers are history here, as on
 * a chain that started over (D-33). A verification that is here already, because its other VASP came before, stays as it
 * is. Throws an error of SQLite for rows that do not fit.
 */
export function importRows(tx: Tx, given: RowsOfVasp): void {
  const add = (table: SQLiteTable, rows: readonly object[]) => insertAll(tx, table, rows);
  const here = present(tx, given.verifications);
  const isNew = (row: { verificationUuid: string | null }) => !here.has(row.verificationUuid ?? '');
  const ofPastChain = (rows: readonly object[]) => rows.map(row => ({ ...row, isOfPastChain: true }));
  const newVerifications = given.verifications.filter(({ uuid }) => !here.has(uuid));
  add(enclave.verifications, newVerifications);
  const callbackIds = add(enclave.callbacks, given.callbacks);
  const attempts = given.callbackAttempts.map(row => ({ ...row, callbackId: callbackIds.get(row.callbackId)! }));
  add(enclave.callbackAttempts, attempts);
  add(enclave.assessments, given.assessments);
  const depositIds = add(robot.deposits, ofPastChain(given.deposits));
  add(robot.transfers, ofPastChain(given.transfers));
  // Another VASP may have submitted the same bytes to the chain of this cell.
  for (const row of given.submissions) tx.orm.insert(robot.submissions).values(row).onConflictDoNothing().run();
  add(robot.expectations, given.expectations);
  add(robot.answers, given.answers);
  add(runtime.findings, given.findings);
  const placed = insertHistory(tx, given.history.filter(isNew), { callback: callbackIds, deposit: depositIds });
  const placedExchange = (row: RowsOfVasp['exchanges'][number]) => ({
    ...row,
    afterHistory: positionIn(placed, row.afterHistory),
  });
  add(runtime.exchanges, given.exchanges.map(placedExchange));
}

/** The uuids of those that are here already. */
function present(tx: Tx, given: readonly { uuid: string }[]): Set<string> {
  const { uuid } = enclave.verifications;
  const isGiven = isAmong(uuid, JSON.stringify(given.map(each => each.uuid)));
  return new Set(
    tx.orm
      .select({ uuid })
      .from(enclave.verifications)
      .where(isGiven)
      .all()
      .map(each => each.uuid),
  );
}

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

/** The rows of a history by their ids in both databases, in order. */
type PlacedRows = { before: number; here: number }[];

function insertHistory(tx: Tx, rows: RowsOfVasp['history'], keys: Partial<Record<string, Ids>>): PlacedRows {
  const placed: PlacedRows = [];
  for (const { id, ...row } of rows) {
    const lines = row.lines.map(line => line && rekeyed(line, keys, placed));
    placed.push({ before: id, here: insertLines(tx, { ...row, lines }) });
  }
  return placed;
}

/** Rows that a line names have another key here, and the line that was the newest when a timer began another position. */
function rekeyed(line: StoredLine, keys: Partial<Record<string, Ids>>, placed: PlacedRows): StoredLine {
  const rowKey = keys[line.machine]?.get(Number(line.rowKey));
  const { began } = (line.detail ?? {}) as { began?: number };
  return {
    ...line,
    ...(rowKey === undefined ? {} : { rowKey: String(rowKey) }),
    ...(began === undefined ? {} : { detail: { ...(line.detail as object), began: positionIn(placed, began) } }),
  };
}

/** What followed a line of the history follows the same line here. */
function positionIn(placed: PlacedRows, position: number): number {
  const row = Math.floor(position / LINES_OF_ROW);
  let [low, high] = [0, placed.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (placed[middle]!.before <= row) low = middle + 1;
    else high = middle;
  }
  const found = placed[low - 1];
  if (found?.before === row) return position + (found.here - row) * LINES_OF_ROW;
  return (found ? found.here + 1 : (placed[0]?.here ?? 1)) * LINES_OF_ROW - 1;
}
