import type { Db } from '../../db/open.ts';
import { onceForDb } from '../../db/prepared-statements.ts';
import { onUndo, type Tx } from '../../db/transaction.ts';
import { countOf } from './sides-store.ts';

/**
 * How many verifications a VASP has ordered: it sends them, or the resident VASP sends them to it. A quota asks before each
 * one, so they are counted once, and then with each that comes. After a removal they are counted again.
 */
const counts = onceForDb(db => {
  const ordered = new Map<string, number>();
  onUndo(db, () => ordered.clear());
  return ordered;
});

export function countOrdered(db: Db, caller: string, residentVaspId: string): number {
  const known = counts(db).get(caller);
  if (known !== undefined) return known;
  const sent = countOf(db, { caller, role: 'originating', filters: [] });
  const fromResident = countOf(db, { caller, role: 'beneficiary', counterparty: residentVaspId, filters: [] });
  counts(db).set(caller, sent + fromResident);
  return sent + fromResident;
}

/** A verification that the VASP has ordered is stored. */
export function countOne(tx: Tx, vaspId: string): void {
  const known = counts(tx).get(vaspId);
  if (known !== undefined) counts(tx).set(vaspId, known + 1);
}

export const forgetCounts = (tx: Tx): void => counts(tx).clear();
