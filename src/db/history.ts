import { and, asc, eq, getTableColumns, gte, inArray, isNull, like, min, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import type { CallerId, Scoped } from '../contract/tenancy.ts';
import type { Db } from './open.ts';
import { findRows, lastIdOf, onceForDb, preparedQuery } from './prepared-statements.ts';
import { verifications } from './schema/enclave.ts';
import { transfers } from './schema/robot.ts';
import { type HistoryMachine, history, type StoredLine, type TimerKind, USUAL_REASONS } from './schema/runtime.ts';
import { beforeCommit, onUndo, type Tx } from './transaction.ts';

/** One line of the history: a change of status (`from`, `to`), or an event without one. */
export interface HistoryEntry {
  machine: HistoryMachine;
  rowKey: string;
  verificationUuid: string | null;
  /** The only VASP that sees the line. Without it both VASPs of the verification see it. */
  vaspId?: string | null;
  from: string | null;
  event: string;
  to: string | null;
  at: number;
  /** Default: the sentence of the event. */
  cause?: string | undefined;
  detail?: unknown;
}

/** A line as it is read. Later lines have greater ids. */
export interface HistoryRow extends Required<HistoryEntry> {
  id: number;
  vaspId: string | null;
  cause: string;
}

type Row = typeof history.$inferSelect;

const firstRow = preparedQuery(db =>
  db.orm
    .select({ id: min(history.id) })
    .from(history)
    .where(eq(history.verificationUuid, sql.placeholder('verificationUuid'))),
);

/** The id of a line: that of its row, and its place there. */
export const LINES_OF_ROW = 256;

/** A VASP may repeat a call for ever. A verification keeps its first rows and its newest. */
const FIRST_KEPT = 100;
const MAX_KEPT = 2_000;
const BATCH_SIZE = 100;

const insertRow = onceForDb(({ sqlite }) =>
  sqlite.prepare<unknown[], { id: number; count: number }>(
    `INSERT INTO runtime_history (verification_uuid, at, lines) VALUES (?, ?, ?) RETURNING id,
      (SELECT count(*) FROM runtime_history AS kept WHERE kept.verification_uuid = runtime_history.verification_uuid) AS count`,
  ),
);
/** What was decided about a fault stays decided. */
const removeOldRows = onceForDb(({ sqlite }) =>
  sqlite.prepare(`DELETE FROM runtime_history WHERE id IN (
    SELECT id FROM runtime_history WHERE verification_uuid = ? AND lines NOT LIKE '%"machine":"fault"%'
    ORDER BY id LIMIT ${BATCH_SIZE} OFFSET ${FIRST_KEPT})`),
);

/** The lines of the open transaction, and the newest stored row. Undefined: it is not known. */
const open = onceForDb(db => {
  const state = { lines: [] as HistoryEntry[], newest: undefined as number | undefined };
  beforeCommit(db, () => storeOpen(db));
  onUndo(db, () => {
    state.lines = [];
    state.newest = undefined;
  });
  return state;
});

/** The line is stored with the others of its verification at the end of the transaction. */
export const record = (tx: Tx, entry: HistoryEntry): void => void open(tx).lines.push(entry);

function storeOpen(db: Db): void {
  const state = open(db);
  if (state.lines.length === 0) return;
  const rows = rowsFrom(state.lines);
  state.lines = [];
  for (const row of rows) {
    const { verificationUuid, at } = row.at(-1)!;
    insertLines(db, { verificationUuid, at, lines: row.map(line => toStored(line, at)) });
  }
}

function rowsFrom(lines: readonly HistoryEntry[]): HistoryEntry[][] {
  const rows: HistoryEntry[][] = [];
  const unfilled = new Map<string, HistoryEntry[]>();
  for (const line of lines) {
    const { verificationUuid } = line;
    const row = verificationUuid === null ? undefined : unfilled.get(verificationUuid);
    if (row && row.length < LINES_OF_ROW) row.push(line);
    else {
      rows.push([line]);
      if (verificationUuid !== null) unfilled.set(verificationUuid, rows.at(-1)!);
    }
  }
  return rows;
}

/** Returns the id of the row. */
export function insertLines(db: Db, { verificationUuid, at, lines }: Omit<Row, 'id'>): number {
  const { id, count } = insertRow(db).get(verificationUuid, at, JSON.stringify(lines))!;
  if (count > MAX_KEPT) removeOldRows(db).run(verificationUuid);
  open(db).newest = id;
  return id;
}

/** JSON leaves out what is undefined. */
const toStored = (entry: HistoryEntry, rowAt: number): StoredLine => ({
  machine: entry.machine,
  rowKey: entry.rowKey === entry.verificationUuid ? undefined : entry.rowKey,
  vaspId: entry.vaspId ?? undefined,
  from: entry.from ?? undefined,
  event: entry.event,
  to: entry.to ?? undefined,
  at: entry.at === rowAt ? undefined : entry.at,
  cause: entry.cause,
  detail: entry.detail ?? undefined,
});

/** Of events that say the same each time: the history keeps their values, and the sentence is made where it is read. */
const SENTENCES: Readonly<Record<string, (line: StoredLine) => string>> = {
  'verification begin': () => 'user verification requested',
  'verification verified': () => 'the beneficiary VASP answered VERIFIED',
  'callback begin': ({ detail }) => `${(detail as { callbackType: string }).callbackType} is queued`,
  'callback delivered': () => 'answered with 200',
};
const sentenceOf = (line: StoredLine): string =>
  line.machine === 'timer'
    ? USUAL_REASONS[line.rowKey as TimerKind]
    : (SENTENCES[`${line.machine} ${line.event}`]?.(line) ?? line.event);

const linesOf = ({ id, verificationUuid, at, lines }: Row): HistoryRow[] =>
  lines.flatMap((line, place) => {
    if (line === null) return [];
    const own = { id: id * LINES_OF_ROW + place, verificationUuid, rowKey: verificationUuid!, at };
    return { ...own, vaspId: null, from: null, to: null, detail: null, cause: sentenceOf(line), ...line };
  });

/** Lines that are stored later have greater ids. */
export function newestHistory(db: Db): number {
  const state = open(db);
  state.newest ??= lastIdOf(db, history);
  return (state.newest + 1) * LINES_OF_ROW - 1;
}

/** Newest first: the lines before an id that every VASP sees, and those that only one of `vaspIds` sees. */
export const historyOf = (
  db: Db,
  verificationUuid: Scoped<string>,
  { vaspIds, before, limit }: { vaspIds: readonly string[]; before: number; limit: number },
): HistoryRow[] =>
  unguardedHistoryOf(db, verificationUuid)
    .filter(({ id, vaspId }) => id < before && isSeenBy(vaspIds, vaspId))
    .reverse()
    .slice(0, limit);

const isSeenBy = (vaspIds: readonly string[], vaspId: string | null): boolean =>
  vaspId === null || vaspIds.includes(vaspId);

/** For work that no VASP asks for. */
export const unguardedHistoryOf = (db: Db, verificationUuid: string): HistoryRow[] =>
  findRows(db, history, { verificationUuid }, 'id').flatMap(linesOf);

/** Like `unguardedHistoryOf`, with the lines of the open transaction. Nothing is stored of a verification that begins in it. */
function allLinesOf(db: Db, verificationUuid: string): HistoryEntry[] {
  const lines = open(db).lines.filter(line => line.verificationUuid === verificationUuid);
  const [first] = lines;
  const isNew = first?.machine === 'verification' && first.event === 'begin';
  return isNew ? lines : [...unguardedHistoryOf(db, verificationUuid), ...lines];
}

/** What was recorded first about a row of a verification. For work that no VASP asks for. */
export const firstLineOf = (
  db: Db,
  { verificationUuid, machine, rowKey }: Pick<HistoryEntry, 'machine' | 'rowKey'> & { verificationUuid: string },
): HistoryEntry | undefined =>
  allLinesOf(db, verificationUuid).find(line => line.machine === machine && line.rowKey === rowKey);

/** The position of the first line of a verification. */
export const beginningOf = (db: Db, verificationUuid: string): number =>
  (firstRow(db).get({ verificationUuid })?.id ?? 0) * LINES_OF_ROW;

/** Records an event once per verification, although it may be repeated after a crash. False: it was recorded before. */
export function recordOnce(tx: Tx, entry: HistoryEntry & { verificationUuid: string }): boolean {
  const isSame = ({ machine, event }: HistoryEntry) => machine === entry.machine && event === entry.event;
  if (allLinesOf(tx, entry.verificationUuid).some(isSame)) return false;
  record(tx, entry);
  return true;
}

interface HistoryQuery {
  after: number;
  /** One of the VASPs of the verification. */
  vaspId: CallerId;
  /** It sees lines of no verification and no VASP, too. */
  seesUnclaimed: boolean;
  /** Lines that only these VASPs see are included. */
  own: readonly string[];
  verificationUuid?: string | undefined;
  machines?: readonly HistoryMachine[] | undefined;
  /** Of rows. */
  limit: number;
}

/** A line of a verification of the caller, or without a verification. */
export type ScopedHistoryRow = HistoryRow & { verificationUuid: Scoped<string> | null };

const isWithoutVerification = isNull(history.verificationUuid);

/** Oldest first. `next`: all up to this position was read, and more may follow; null: nothing more is stored. */
export function historyAfter(
  db: Db,
  { after, vaspId, seesUnclaimed, own, verificationUuid, machines, limit }: HistoryQuery,
): { lines: ScopedHistoryRow[]; next: number | null } {
  const rows = db.orm
    .select(getTableColumns(history))
    .from(history)
    .leftJoin(verifications, eq(verifications.uuid, history.verificationUuid))
    .where(
      and(
        gte(history.id, rowAfter(after)),
        verificationUuid === undefined
          ? or(
              isWithoutVerification,
              eq(verifications.originatingVaspId, vaspId),
              eq(verifications.beneficiaryVaspId, vaspId),
            )
          : eq(history.verificationUuid, verificationUuid),
        machines && or(...machines.map(machine => like(history.lines, `%"machine":"${machine}"%`))),
      ),
    )
    .orderBy(asc(history.id))
    .limit(limit)
    .all();
  const lines = rows
    .flatMap(linesOf)
    .filter(
      line =>
        line.id > after &&
        isSeenBy(own, line.vaspId) &&
        (seesUnclaimed || line.verificationUuid !== null || line.vaspId !== null) &&
        (machines === undefined || machines.includes(line.machine)),
    );
  const isLast = rows.length < limit;
  return { lines: lines as ScopedHistoryRow[], next: isLast ? null : (rows.at(-1)!.id + 1) * LINES_OF_ROW - 1 };
}

/** Of the only line of a row without a verification. */
const member = (name: keyof StoredLine) => sql`${history.lines} ->> ${sql.raw(`'$[0].${name}'`)}`;

const rowAfter = (position: number): number => Math.floor((position + 1) / LINES_OF_ROW);

/** Moves the lines of a row, written without a verification after a position, into the history of its verification. */
export function attributeHistory(
  tx: Tx,
  { machine, rowKey }: Pick<HistoryEntry, 'machine' | 'rowKey'>,
  verificationUuid: string,
  after: number,
): void {
  storeOpen(tx);
  const isOfRow = and(eq(member('machine'), machine), eq(member('rowKey'), rowKey));
  tx.orm
    .update(history)
    .set({ verificationUuid })
    .where(and(isWithoutVerification, gte(history.id, rowAfter(after)), isOfRow))
    .run();
}

function deleteWhere(tx: Tx, condition: SQL | undefined): void {
  storeOpen(tx);
  tx.orm.delete(history).where(condition).run();
}

/** As in the partial index. */
const isOfRuns = sql`${history.lines} ->> '$[0].machine' = 'run'`;

export const deleteRunHistory = (tx: Tx, runId: string): void =>
  deleteWhere(tx, and(isWithoutVerification, isOfRuns, eq(member('rowKey'), runId)));

export const deleteHistory = (tx: Tx, verificationUuids: readonly string[]): void =>
  deleteWhere(tx, inArray(history.verificationUuid, verificationUuids));

/** Deletes the lines about the transfers to a VASP, whose verifications are gone. */
export function deleteTransferHistory(tx: Tx, vaspId: string): void {
  const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(eq(transfers.vaspId, vaspId));
  deleteWhere(tx, inArray(history.verificationUuid, uuids));
}

/** Deletes the lines of a VASP without a verification. */
export const deleteOwnHistory = (tx: Tx, vaspId: string): void =>
  deleteWhere(tx, and(isWithoutVerification, eq(member('vaspId'), vaspId)));

/** For rows that name a verification by its uuid. */

/** Uuids of the verifications that a VASP has sent or received, as a subquery. */
export const uuidsOfVasp = ({ orm }: Pick<Db, 'orm'>, vaspId: string) =>
  orm
    .select({ uuid: verifications.uuid })
    .from(verifications)
    .where(or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId)));

/** The row names none, or one that is not stored. */
export const isOfNoVerification = (uuid: SQLiteColumn): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM ${verifications} WHERE ${verifications.uuid} = ${uuid})`;
