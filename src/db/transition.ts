import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { IllegalTransition, type Machine } from '../kernel/machine.ts';
import { type HistoryEntry, record } from './history.ts';
import { insertRow, updateRows } from './prepared-statements.ts';
import type { Tx } from './transaction.ts';

type HistoryMachine = HistoryEntry['machine'];
type StatusOf<T extends SQLiteTable> = T['$inferSelect'] extends { status: infer S } ? S : never;

/** A table whose `status` column holds the states of a machine. */
export interface Stateful<S extends string, E extends string, T extends SQLiteTable> {
  readonly machine: Machine<S, E, HistoryMachine>;
  readonly table: T;
  /** The property that identifies a row of `table`. */
  readonly key: keyof T['$inferSelect'] & string;
  /** The verification of a row, for its timeline. */
  readonly verificationOf: (row: T['$inferSelect']) => string | null;
  /** The only VASP that sees a row. Without it both VASPs of the verification see the row. */
  readonly vaspOf?: (row: T['$inferSelect']) => string | null;
}

/** Does not compile unless column and machine have the same states. */
export const stateful = <S extends string, E extends string, T extends SQLiteTable>(
  of: Stateful<S, E, T> & { machine: { initial: StatusOf<T> }; table: { $inferSelect: { status: S } } },
): Stateful<S, E, T> => of;

export interface Change<T extends SQLiteTable> {
  patch?: Partial<T['$inferInsert']>;
  at: number;
  cause?: string | undefined;
  detail?: unknown;
}

/**
 * Moves `row` along the arrow `event`, sets `patch` and appends the history row. Only this and `insertMoved` write a status
 * column (held by test). Throws `IllegalTransition` where the arrow is missing or another transition has moved the row.
 */
export function transition<S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferSelect'],
  event: NoInfer<E>,
  change: Change<T>,
): T['$inferSelect'] {
  const { key, table, machine } = of;
  const { from, to, patch } = arrowOf(of, row, event, change);
  const moved: Record<string, unknown> = { ...row, ...patch };
  const where = { [key]: moved[key], status: from } as Partial<T['$inferSelect']>;
  if (updateRows(tx, table, where, patch) !== 1)
    throw new IllegalTransition(machine.name, `${from} (moved meanwhile)`, event);
  recordChange(tx, of, moved, { from, event, to }, change);
  return moved;
}

/** The same for a row that is not stored yet: it is inserted in its new state. */
export function insertMoved<S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferInsert'],
  event: NoInfer<E>,
  change: Change<T>,
): T['$inferSelect'] {
  const { from, to, patch } = arrowOf(of, row, event, change);
  const moved = insertRow(tx, of.table, { ...row, ...patch });
  recordChange(tx, of, moved, { from, event, to }, change);
  return moved;
}

/** Throws `IllegalTransition`. */
function arrowOf<S extends string, E extends string, T extends SQLiteTable>(
  { machine }: Stateful<S, E, T>,
  row: T['$inferInsert'],
  event: E,
  { patch }: Change<T>,
) {
  const from = statusOf(row) as S;
  const to = machine.next(from, event);
  if (to === undefined) throw new IllegalTransition(machine.name, from, event);
  return { from, to, patch: { ...patch, status: to } as unknown as Partial<T['$inferInsert']> };
}

/** The history row of a new row in the initial state of its machine. */
export const recordBegin = <S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferInsert'],
  at: number,
  cause?: string,
  detail?: unknown,
): void => recordChange(tx, of, row, { from: null, event: 'begin', to: statusOf(row) }, { at, cause, detail });

/** The history row of an event that moves no status. */
export const recordEvent = <S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferSelect'],
  event: string,
  entry: Pick<HistoryEntry, 'at' | 'cause' | 'detail'>,
): void => recordChange(tx, of, row, { from: statusOf(row), event, to: statusOf(row) }, entry);

const statusOf = (row: Record<string, unknown>) => row.status as string;

function recordChange<T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<string, string, T>,
  row: T['$inferSelect'],
  arrow: Pick<HistoryEntry, 'from' | 'event' | 'to'>,
  { at, cause, detail }: Pick<HistoryEntry, 'at' | 'cause' | 'detail'>,
): void {
  record(tx, {
    machine: of.machine.name,
    rowKey: String((row as Record<string, unknown>)[of.key]),
    verificationUuid: of.verificationOf(row),
    vaspId: of.vaspOf?.(row) ?? null,
    ...arrow,
    at,
    cause,
    detail,
  });
}
