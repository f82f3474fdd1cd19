import { keptTable } from './kept-table.ts';
import type { Db } from './open.ts';
import { deleteRows, insertRow } from './prepared-statements.ts';
import { closing } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

/**
 * The one mark of a VASP that is being forgotten. It is set first, and stays. Every writer looks at it inside its
 * transaction: nothing is written, opened or revived for such a VASP. What was under way when the mark was set is waited
 * for, and then everything is deleted once.
 */
const marks = keptTable(closing, 'vaspId', 'vaspId');

export const isClosing = (db: Db, vaspId: string): boolean => marks.of(db, vaspId).length > 0;

export function close(tx: Tx, vaspId: string): void {
  if (!isClosing(tx, vaspId)) marks.change(tx, vaspId, () => insertRow(tx, closing, { vaspId }));
}

/** A VASP of this id comes from another sandbox. */
export const reopen = (tx: Tx, vaspId: string): void =>
  void marks.change(tx, vaspId, () => deleteRows(tx, closing, { vaspId }));

export const allClosing = (db: Db): string[] => marks.groups(db);
