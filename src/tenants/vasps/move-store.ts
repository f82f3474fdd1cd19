import { and, eq, getTableColumns, inArray, like } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { insertLines, LINES_OF_ROW, uuidsOfVasp } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { insertRow } from '../../db/prepared-statements.ts';
import * as enclave from '../../db/schema/enclave.ts';
import * as plans from '../../db/schema/plans.ts';
import * as robot from '../../db/schema/robot.ts';
import type { StoredLine } from '../../db/schema/runtime.ts';
import * as runtime from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { wholeExchanges } from '../../db/whole-exchanges.ts';

export type RowsOfVasp = ReturnType<typeof rowsOfVasp>;

/** Everything that is stored about a VASP and its verifications, by kind. Without registration and keys. */
export function rowsOfVasp(db: Db, vaspId: string) {
  const { orm } = db;
  const { verifications, callbacks, callbackAttempts, assessments } = enclave;
  const callbackIds = orm.select({ id: callbacks.id }).from(callbacks).where(eq(callbacks.receiverVaspId, vaspId));
  const history = orm
    .select()
    .from(runtime.history)
    .where(inArray(runtime.history.verificationUuid, uuidsOfVasp(db, vaspId)))
    .orderBy(runtime.history.id)
    .all()
    // The other VASP of a verification has lines of its own.
    .map(row => ({ ...row, lines: row.lines.map(line => ((line?.vaspId ?? vaspId) === vaspId ? line : null)) }));
  return {
    verifications: orm
      .select()
      .from(verifications)
      .where(inArray(verifications.uuid, uuidsOfVasp(db, vaspId)))
      .all(),
    callbacks: orm.select().from(callbacks).where(eq(callbacks.receiverVaspId, vaspId)).all(),
    callbackAttempts: orm
      .select()
      .from(callbackAttempts)
      .where(inArray(callbackAttempts.callbackId, callbackIds))
      .all(),
    assessments: orm.select().from(assessments).where(eq(assessments.callerVaspId, vaspId)).all(),
    history,
    findings: orm.select().from(runtime.findings).where(eq(runtime.findings.vaspId, vaspId)).all(),
    exchanges: wholeExchanges(db).where(eq(runtime.exchanges.vaspId, vaspId)).all(),
    faults: orm.select().from(runtime.faults).where(eq(runtime.faults.vaspId, vaspId)).all(),
    timers: orm
      .select()
      .from(runtime.timers)
      .where(and(eq(runtime.timers.owner, vaspId), like(runtime.timers.kind, 'enclave.%')))
      .all(),
    expectations: orm.select().from(robot.expectations).where(eq(robot.expectations.vaspId, vaspId)).all(),
    deposits: orm.select().from(robot.deposits).where(eq(robot.deposits.vaspId, vaspId)).all(),
    submissions: orm.select().from(robot.submissions).where(eq(robot.submissions.vaspId, vaspId)).all(),
    transfers: orm.select().from(robot.transfers).where(eq(robot.transfers.vaspId, vaspId)).all(),
    users: orm.select().from(robot.users).where(eq(robot.users.vaspId, vaspId)).all(),
    answers: orm.select().from(robot.answers).where(eq(robot.answers.vaspId, vaspId)).all(),
    runs: orm.select().from(plans.runs).where(eq(plans.runs.vaspId, vaspId)).all(),
  };
}

/** Rows with an id of their own get a new one here. */
type Ids = Map<number, number>;
type ImportedRows = Pick<
  RowsOfVasp,
  | 'verifications'
  | 'callbacks'
  | 'callbackAttempts'
  | 'assessments'
  | 'history'
  | 'findings'
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
 * is. Throws an error of SQLite for rows that do not fit.
 */
export function importRows(tx: Tx, given: ImportedRows): void {
  const here = new Set(
    present(
      tx,
      given.verifications.map(({ uuid }) => uuid),
    ),
  );
  const isNew = (row: { verificationUuid: string | null }) => !here.has(row.verificationUuid ?? '');
  insertAll(
    tx,
    enclave.verifications,
    given.verifications.filter(({ uuid }) => !here.has(uuid)),
  );
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
  for (const row of given.submissions) tx.orm.insert(robot.submissions).values(row).onConflictDoNothing().run();
  insertAll(tx, robot.expectations, given.expectations);
  insertAll(tx, robot.answers, given.answers);
  insertAll(tx, runtime.findings, given.findings);
  const keys = { callback: callbackIds, deposit: depositIds };
  const placed = insertHistory(tx, given.history.filter(isNew), keys);
  insertAll(
    tx,
    runtime.exchanges,
    given.exchanges.map(row => ({ ...row, afterHistory: positionIn(placed, row.afterHistory) })),
  );
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

/** The rows of a history by their ids in both databases, in order. */
type PlacedRows = { before: number; here: number }[];

function insertHistory(tx: Tx, rows: ImportedRows['history'], keys: Partial<Record<string, Ids>>): PlacedRows {
  const placed: PlacedRows = [];
  for (const { id, verificationUuid, lines } of rows) {
    const own = lines.map(line => line && rekeyed(line, keys, placed));
    placed.push({ before: id, here: insertLines(tx, verificationUuid, own) });
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
