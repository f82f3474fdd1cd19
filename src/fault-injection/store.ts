import { firstLineOf } from '../db/history.ts';
import { keptTable } from '../db/kept-table.ts';
import type { Db } from '../db/open.ts';
import { deleteRows, insertRow, updateRows } from '../db/prepared-statements.ts';
import { faults } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';
import type { FaultEvent } from './port.ts';

export type FaultRow = typeof faults.$inferSelect;
export type NewFault = Pick<
  FaultRow,
  'vaspId' | 'target' | 'verificationUuid' | 'mode' | 'parameters' | 'times' | 'createdAt'
>;

const kept = keptTable(faults, 'vaspId', 'id');

/** Oldest first, used-up faults too: they have decided on events that may come again. */
export const allOf = (db: Db, vaspId: string): readonly FaultRow[] => kept.of(db, vaspId);

export const isActive = ({ times, used }: FaultRow): boolean => times === null || used < times;

/** Oldest first. */
export const activeOf = (db: Db, vaspId: string): FaultRow[] => allOf(db, vaspId).filter(isActive);

/** The oldest active fault that covers the event. */
export const matching = (db: Db, { vaspId, targets, verificationUuid, except }: FaultEvent): FaultRow | undefined =>
  activeOf(db, vaspId).find(
    row =>
      targets.some(target => target === row.target) &&
      !except?.some(mode => mode === row.mode) &&
      (row.verificationUuid === null || row.verificationUuid === verificationUuid),
  );

export const insert = (tx: Tx, fault: NewFault): FaultRow =>
  kept.change(tx, fault.vaspId, () => insertRow(tx, faults, fault));

export const countUse = (tx: Tx, { vaspId, id, used }: FaultRow) =>
  kept.change(tx, vaspId, () => updateRows(tx, faults, { id }, { used: used + 1 }));

export const remove = (tx: Tx, { vaspId, id }: FaultRow) =>
  kept.change(tx, vaspId, () => deleteRows(tx, faults, { id }));

export const removeOf = (tx: Tx, vaspId: string) => kept.change(tx, vaspId, () => deleteRows(tx, faults, { vaspId }));

/** The recorded decision on an event. */
export const recordedOn = (db: Db, verificationUuid: string, name: string) =>
  firstLineOf(db, { verificationUuid, machine: 'fault', rowKey: name });
