import { and, asc, eq, gt, inArray, lte, sql } from 'drizzle-orm';
import type { Db } from '../../../../../db/open.ts';
import {
  BOUND_LIMIT,
  insertRow,
  lastIdOf,
  preparedQuery,
  updateRows,
} from '../../../../../db/prepared-statements.ts';
import {
  searchChanges,
  searchEntries,
  searchProgress,
  searchTexts,
  verifications,
} from '../../../../../db/schema/enclave.ts';
import type { Tx } from '../../../../../db/transaction.ts';
import { namesIn, type Searched, textsOf } from '../words.ts';

export type SearchIndexStore = ReturnType<typeof searchIndexStore>;
type Row = Searched & { id: number; originatingVaspId: string; beneficiaryVaspId: string };

function memoized(read: (stored: string) => string): (stored: string) => string {
  const results = new Map<string, string>();
  return stored => {
    const result = results.get(stored) ?? read(stored);
    results.set(stored, result);
    return result;
  };
}

/** The SQL that fills the index of the searches. */
export function searchIndexStore(db: Db) {
  const p = sql.placeholder;
  const progress = preparedQuery(db.orm.select({ upTo: searchProgress.upTo }).from(searchProgress));
  const oneChange = preparedQuery(db.orm.select().from(searchChanges));
  const textId = preparedQuery(
    db.orm
      .select({ id: searchTexts.id })
      .from(searchTexts)
      .where(and(eq(searchTexts.vaspId, p('vaspId')), eq(searchTexts.text, p('text')))),
  );
  const addEntries = preparedQuery(
    db.orm
      .insert(searchEntries)
      .select(sql`SELECT value ->> 0, value ->> 1 FROM json_each(${p('entries')}) WHERE true`)
      .onConflictDoNothing(),
  );
  const { id, originatingVaspId, beneficiaryVaspId } = verifications;
  const { originatorAccountKey, beneficiaryAccountKey, amount, txHash } = verifications;
  // Most verifications have the persons of another one, so they stay as they are stored.
  const ivms101Originator = sql<string>`${verifications.ivms101Originator}`;
  const ivms101Beneficiary = sql<string>`${verifications.ivms101Beneficiary}`;
  const searched = () =>
    db.orm
      .select({
        id,
        originatingVaspId,
        beneficiaryVaspId,
        originatorAccountKey,
        beneficiaryAccountKey,
        amount,
        txHash,
        ivms101Originator,
        ivms101Beneficiary,
      })
      .from(verifications);
  const rowsAfter = preparedQuery(
    searched()
      .where(gt(id, p('upTo')))
      .orderBy(asc(id))
      .limit(BOUND_LIMIT),
  );
  const changes = preparedQuery(db.orm.select().from(searchChanges).limit(BOUND_LIMIT));
  const upTo = () => progress.get()?.upTo ?? 0;

  return {
    upTo,
    isComplete: () => lastIdOf(db, verifications) <= upTo() && oneChange.get() === undefined,
    /** Oldest first. */
    changed: (limit: number): Row[] => {
      const ids = changes.all({ limit }).map(({ verificationId }) => verificationId);
      return ids.length === 0 ? [] : searched().where(inArray(id, ids)).all();
    },
    /** Without entries, oldest first. */
    next: (limit: number): Row[] => rowsAfter.all({ upTo: upTo(), limit }),
    add(tx: Tx, rows: readonly Row[], residentVaspId: string) {
      const ids = new Map<string, number>();
      const idOf = (vaspId: string, text: string): number => {
        const key = `${vaspId} ${text}`;
        const stored =
          ids.get(key) ?? (textId.get({ vaspId, text }) ?? insertRow(tx, searchTexts, { vaspId, text })).id;
        ids.set(key, stored);
        return stored;
      };
      const namesOf = memoized(namesIn);
      const entries = rows.flatMap(row => {
        const texts = textsOf(row, namesOf);
        const parties = new Set([row.originatingVaspId, row.beneficiaryVaspId]);
        parties.delete(residentVaspId);
        return [...parties].flatMap(vaspId => texts.map(text => [idOf(vaspId, text), row.id]));
      });
      addEntries.run({ entries: JSON.stringify(entries) });
    },
    finishChanges: (tx: Tx, last: number) =>
      void tx.orm.delete(searchChanges).where(lte(searchChanges.verificationId, last)).run(),
    saveUpTo: (tx: Tx, last: number) => void updateRows(tx, searchProgress, { id: 1 }, { upTo: last }),
  };
}
