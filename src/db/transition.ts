import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { IllegalTransition, type Machine } from '../kernel/machine.ts';
import { record } from './history.ts';
import { updateRows } from './prepared-statements.ts';
import type { Tx } from './transaction.ts';

/** A table whose `status` column follows a machine. */
export interface Stateful<S extends string, E extends string, T extends SQLiteTable> {
  readonly machine: Machine<S, E>;
  readonly table: T;
  /** The property (of rows of `table`) that identifies a row. */
  readonly key: keyof T['$inferSelect'] & string;
  /** The verification that a row belongs to, for its timeline. */
  readonly verificationOf: (row: T['$inferSelect']) => string | null;
  /** The VASP whose affair a row is alone; without it that of both VASPs of the verification. */
  readonly vaspOf?: (row: T['$inferSelect']) => string;
}

export const stateful = <S extends string, E extends string, T extends SQLiteTable>(of: Stateful<S, E, T>) =>
  of;

/**
 * The only writer of a status column (held by test): moves `row` along the arrow `event`, sets `patch` with it and
 * appends the history row. Throws `IllegalTransition` where the arrow is missing or the row has moved meanwhile.
 */
export function transition<S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferSelect'],
  event: NoInfer<E>,
  change: { patch?: Partial<T['$inferInsert']>; at: number; cause: string; detail?: unknown },
): T['$inferSelect'] {
  const values = row as Record<string, unknown>;
  const from = values.status as S;
  const to = of.machine.next(from, event);
  if (to === undefined) throw new IllegalTransition(of.machine.name, from, event);
  const patch = { ...change.patch, status: to };
  const where = { [of.key]: values[of.key], status: from } as Partial<T['$inferSelect']>;
  if (updateRows(tx, of.table, where, patch) !== 1)
    throw new IllegalTransition(of.machine.name, `${from} (moved meanwhile)`, event);
  record(tx, {
    machine: of.machine.name,
    rowKey: String(values[of.key]),
    verificationUuid: of.verificationOf({ ...values, ...patch }),
    vaspId: of.vaspOf?.(row) ?? null,
    from,
    event,
    to,
    at: change.at,
    cause: change.cause,
    detail: change.detail,
  });
  return { ...values, ...patch };
}

/** The history row of a row that was just inserted in its machine's initial state. */
export function begin<S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferSelect'],
  at: number,
  cause: string,
  detail?: unknown,
): void {
  const values = row as Record<string, unknown>;
  record(tx, {
    machine: of.machine.name,
    rowKey: String(values[of.key]),
    verificationUuid: of.verificationOf(values),
    vaspId: of.vaspOf?.(row) ?? null,
    from: null,
    event: 'begin',
    to: values.status as string,
    at,
    cause,
    detail,
  });
}

/** The history row of an event that moves no status. */
export function recordEvent<S extends string, E extends string, T extends SQLiteTable>(
  tx: Tx,
  of: Stateful<S, E, T>,
  row: T['$inferSelect'],
  event: string,
  { at, cause, detail }: { at: number; cause: string; detail?: unknown },
): void {
  const values = row as Record<string, unknown>;
  const status = values.status as string;
  record(tx, {
    machine: of.machine.name,
    rowKey: String(values[of.key]),
    verificationUuid: of.verificationOf(values),
    vaspId: of.vaspOf?.(row) ?? null,
    from: status,
    event,
    to: status,
    at,
    cause,
    detail,
  });
}
