import type { Db } from './open.ts';
import { deleteRows, findRow, findRows } from './prepared-statements.ts';
import { closing } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

/**
 * The one mark of a VASP that is being forgotten. It is set first, and stays. Every writer looks at it inside its
 * transaction: nothing is written, opened or revived for such a VASP. What was under way when the mark was set is waited
 * for, and then everything is deleted once.
 */
export const isClosing = (db: Db, vaspId: string): boolean => findRow(db, closing, { vaspId }) !== undefined;

export const close = (tx: Tx, vaspId: string): void =>
  void tx.orm.insert(closing).values({ vaspId }).onConflictDoNothing().run();

/** A VASP of this id comes from another sandbox. */
export const reopen = (tx: Tx, vaspId: string): void => void deleteRows(tx, closing, { vaspId });

export const allClosing = (db: Db): string[] => findRows(db, closing, {}).map(({ vaspId }) => vaspId);
