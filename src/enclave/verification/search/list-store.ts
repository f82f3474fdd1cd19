import { and, asc, desc, eq, gte, lte, type SQL, sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { preparedQuery } from '../../../db/prepared-statements.ts';
import { verifications } from '../../../db/schema/enclave.ts';
import { idsOf, isNamed, rowsOf } from '../sides-store.ts';
import { conditionsOf, isOfWords, matching, type VerificationSearch } from './store.ts';

type Place = Pick<typeof verifications.$inferSelect, 'createdAt' | 'id'>;

/** The columns of a list: the persons' data are many times as long. */
const LISTED = {
  id: verifications.id,
  uuid: verifications.uuid,
  status: verifications.status,
  reason: verifications.reason,
  message: verifications.message,
  symbol: verifications.symbol,
  network: verifications.network,
  amount: verifications.amount,
  txHash: verifications.txHash,
  originatingVaspId: verifications.originatingVaspId,
  originatorAccountNumber: verifications.originatorAccountNumber,
  beneficiaryVaspId: verifications.beneficiaryVaspId,
  beneficiaryAccountNumber: verifications.beneficiaryAccountNumber,
  createdAt: verifications.createdAt,
  verifiedAt: verifications.verifiedAt,
  orderedAt: verifications.orderedAt,
};

const { id, uuid, createdAt, originatingVaspId, beneficiaryVaspId } = verifications;
const position = sql`(${createdAt}, ${id})`;
const listedRows = preparedQuery(db => db.orm.select(LISTED).from(verifications).where(isNamed));

/** `caller` is one of the two VASPs. `next`: where the next page begins; null: there is none. */
export function newest(db: Db, query: VerificationSearch, caller: string) {
  const { role, limit, before } = query;
  const window = isOfWords(query)
    ? matching(db, caller, query, limit + 1)
    : {
        ids: idsOf(db, { caller, role, filters: [...conditionsOf(query), behind(db, before)] }, limit + 1),
        next: null,
      };
  const ids = window.ids.slice(0, limit);
  const next = window.ids.length > limit ? ids.at(-1)! : window.next;
  return { rows: rowsOf(listedRows(db), ids), next };
}

/** The position behind the row of an id, although the row may be gone. */
function behind(db: Db, before: number | undefined): SQL | undefined {
  if (before === undefined) return undefined;
  const at =
    db.orm.select({ createdAt }).from(verifications).where(lte(id, before)).orderBy(desc(id)).limit(1).get()
      ?.createdAt ?? 0;
  return and(lte(createdAt, at), sql`${position} < (${at}, ${before})`);
}

/** The verifications before and after one in the list of the caller, which begins with the newest. */
export function neighboursOf(db: Db, { createdAt: at, id: its }: Place, caller: string) {
  const nearest = (beyond: SQL | undefined, order: typeof asc) =>
    [originatingVaspId, beneficiaryVaspId]
      .flatMap(side =>
        db.orm
          .select({ uuid, createdAt, id })
          .from(verifications)
          .where(and(eq(side, caller), beyond))
          .orderBy(order(createdAt), order(id))
          .limit(1)
          .all(),
      )
      .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const newer = nearest(and(gte(createdAt, at), sql`${position} > (${at}, ${its})`), asc);
  const older = nearest(and(lte(createdAt, at), sql`${position} < (${at}, ${its})`), desc);
  return { newer: newer[0]?.uuid ?? null, older: older.at(-1)?.uuid ?? null };
}
