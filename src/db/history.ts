import { and, asc, eq, gte, inArray, isNull, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { CallerId, Own } from '../contract/tenancy.ts';
import type { HistoryLine } from './history-lines.ts';
import type { Db } from './open.ts';
import { packedPhrase } from './packed-text.ts';
import { addRow, lastIdOf, onceForDb, preparedQuery } from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';
import { history } from './schema/runtime.ts';
import { collected, storeCollected, type Tx } from './transaction.ts';
import { columnsWithUuid, idOfVerification, idsOfVerifications, verificationOf } from './verification-ids.ts';

/** One line of the history: a change of status (`from`, `to`), or an event without one. */
export interface HistoryEntry {
  machine: HistoryLine[0];
  rowKey: string;
  verificationUuid: string | null;
  /** The only VASP that sees the line. Without it both VASPs of the verification see it. */
  vaspId?: string | null;
  from: string | null;
  event: string;
  to: string | null;
  at: number;
  cause: string;
  detail?: unknown;
}

/** A line as it is read. Later lines have greater ids. */
export interface HistoryRow extends Required<HistoryEntry> {
  id: number;
  vaspId: string | null;
}

/** The id of a line is the id of its row times this, plus its place in the row. */
export const LINES_PER_ROW = 1_000;
const ROWS_AT_ONCE = 100;
const LINES = Symbol('history');

/** Lines of one verification and one part of a transaction become one row. */
export function record(tx: Tx, entry: HistoryEntry): void {
  collected<HistoryEntry[]>(
    tx,
    LINES,
    () => [],
    entries => storeEntries(tx, entries),
  ).push(entry);
}

function storeEntries(tx: Tx, entries: readonly HistoryEntry[]): void {
  const rows = new Map<unknown, HistoryEntry[]>();
  for (const entry of entries) {
    const key = entry.verificationUuid ?? entry;
    const row = rows.get(key);
    if (row) row.push(entry);
    else rows.set(key, [entry]);
  }
  for (const row of rows.values()) {
    const { verificationUuid, verificationId } = verificationOf(tx, row[0]!.verificationUuid);
    for (let from = 0; from < row.length; from += LINES_PER_ROW) {
      const lines = row.slice(from, from + LINES_PER_ROW).map(packed);
      addRow(tx, history, { verificationUuid, verificationId, lines });
    }
  }
}

const packed = (entry: HistoryEntry): HistoryLine => [
  entry.machine,
  entry.rowKey === entry.verificationUuid ? null : entry.rowKey,
  entry.vaspId ?? null,
  entry.from,
  entry.event,
  entry.to,
  entry.at,
  entry.cause,
  entry.detail ?? null,
];

const unpacked = ({ id, verificationUuid, lines }: typeof history.$inferSelect): HistoryRow[] =>
  lines.map(([machine, rowKey, vaspId, from, event, to, at, cause, detail], place) => ({
    id: id * LINES_PER_ROW + place,
    machine,
    rowKey: rowKey ?? verificationUuid!,
    verificationUuid,
    vaspId,
    from,
    event,
    to,
    at,
    cause,
    detail,
  }));

/** Lines that are stored later have greater ids. */
export const newestHistory = (db: Db): number => lastIdOf(db, history) * LINES_PER_ROW + LINES_PER_ROW - 1;

const linesOfVerification = onceForDb(db =>
  preparedQuery(
    db.orm
      .select(columnsWithUuid(history))
      .from(history)
      .where(eq(history.verificationId, idOfVerification(db, sql.placeholder('verificationUuid'))))
      .orderBy(asc(history.id)),
  ),
);

export const historyOf = (db: Db, verificationUuid: Own<string>): HistoryRow[] =>
  unguardedHistoryOf(db, verificationUuid);

/** For work that no VASP asks for. */
export const unguardedHistoryOf = (db: Db, verificationUuid: string): HistoryRow[] =>
  linesOfVerification(db).all({ verificationUuid }).flatMap(unpacked);

/** Records an event once per verification, although it may be repeated after a crash. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): void {
  const { verificationUuid, machine, event } = entry;
  const isRecorded = unguardedHistoryOf(tx, verificationUuid).some(
    line => line.machine === machine && line.event === event,
  );
  if (!isRecorded) record(tx, entry);
}

export interface HistoryQuery {
  /** Only lines with a greater id. */
  after: number;
  /** One of the VASPs of the verification. Lines without a verification are for every VASP. */
  vaspId: CallerId;
  /** Lines that only these VASPs see are included. */
  own: readonly string[];
  verificationUuid?: string | undefined;
  machines?: readonly HistoryRow['machine'][] | undefined;
  limit: number;
}

/** A line of a verification of the caller, or without a verification. */
export type OwnHistoryRow = HistoryRow & { verificationUuid: Own<string> | null };

/** Oldest first. */
export function historyAfter(db: Db, query: HistoryQuery): OwnHistoryRow[] {
  const { after, own, machines, limit } = query;
  const found: HistoryRow[] = [];
  for (let from = Math.floor(after / LINES_PER_ROW); found.length < limit; ) {
    const rows = rowsFrom(db, from, query);
    const lines = rows
      .flatMap(unpacked)
      .filter(({ id }) => id > after)
      .filter(({ vaspId }) => vaspId === null || own.includes(vaspId))
      .filter(({ machine }) => machines?.includes(machine) ?? true);
    found.push(...lines);
    if (rows.length < ROWS_AT_ONCE) break;
    from = rows.at(-1)!.id + 1;
  }
  return found.slice(0, limit) as OwnHistoryRow[];
}

const isWithoutVerification = and(isNull(history.verificationId), isNull(history.verificationUuid));

const rowsFrom = (db: Db, from: number, { vaspId, verificationUuid, machines }: HistoryQuery) =>
  db.orm
    .select(columnsWithUuid(history))
    .from(history)
    .leftJoin(verifications, eq(verifications.id, history.verificationId))
    .where(
      and(
        gte(history.id, from),
        verificationUuid === undefined
          ? or(
              isWithoutVerification,
              eq(verifications.originatingVaspId, vaspId),
              eq(verifications.beneficiaryVaspId, vaspId),
            )
          : eq(history.verificationId, idOfVerification(db, verificationUuid)),
        machines && or(...machines.map(hasLineOf)),
      ),
    )
    .orderBy(asc(history.id))
    .limit(ROWS_AT_ONCE)
    .all();

/** Older rows are not packed. */
function hasLineOf(machine: HistoryRow['machine']): SQL {
  const start = `["${machine}",`;
  return sql`(instr(${history.lines}, ${packedPhrase(start)}) > 0 OR instr(${history.lines}, ${start}) > 0)`;
}

const lineHas = (place: number, value: string) =>
  sql`json_extract(unpacked(${history.lines}), ${`$[0][${place}]`}) = ${value}`;

/** Moves the earlier lines of a row, written without a verification, into the history of its verification. */
export function attributeHistory(
  tx: Tx,
  machine: HistoryRow['machine'],
  rowKey: string,
  verificationUuid: string,
): void {
  storeCollected(tx, LINES);
  tx.orm
    .update(history)
    .set(verificationOf(tx, verificationUuid))
    .where(and(isWithoutVerification, lineHas(0, machine), lineHas(1, rowKey)))
    .run();
}

/** `verificationUuids`: a subquery. */
export function deleteHistory(tx: Tx, verificationUuids: SQLWrapper): void {
  storeCollected(tx, LINES);
  const ids = idsOfVerifications(tx, verificationUuids);
  tx.orm.delete(history).where(inArray(history.verificationId, ids)).run();
}

/** Deletes the lines of a VASP without a verification. */
export function deleteOwnHistory(tx: Tx, vaspId: string): void {
  storeCollected(tx, LINES);
  tx.orm
    .delete(history)
    .where(and(isWithoutVerification, lineHas(2, vaspId)))
    .run();
}
