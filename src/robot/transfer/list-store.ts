import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, preparedFilters } from '../../db/prepared-statements.ts';
import { transfers } from '../../db/schema/robot.ts';
import type { Transfer } from './transfer.ts';

/** In the order of insertion. */
const ROW_ID = sql<number>`robot_transfers.rowid`;
/** In no block, with a note that says why. As in the partial index. */
const isWaiting = sql`${transfers.status} IN ('PENDING', 'PROCESSING') AND ${transfers.note} <> '' AND ${transfers.isHeld} = 0`;

export interface TransferQuery {
  verificationUuid?: string | undefined;
  status?: Transfer['status'] | undefined;
  before?: number | undefined;
  limit: number;
}

const p = sql.placeholder;
const ofVaspQuery = preparedFilters<TransferQuery & { vaspId: string }, (Transfer & { id: number })[]>((db, has) =>
  db.orm
    .select({ ...getTableColumns(transfers), id: ROW_ID })
    .from(transfers)
    .where(
      and(
        eq(transfers.vaspId, p('vaspId')),
        has('verificationUuid') ? eq(transfers.verificationUuid, p('verificationUuid')) : undefined,
        has('status') ? eq(transfers.status, p('status')) : undefined,
        has('before') ? lt(ROW_ID, p('before')) : undefined,
      ),
    )
    .orderBy(desc(ROW_ID))
    .limit(BOUND_LIMIT),
);

/** Newest first. `id` counts them. */
export const ofVasp = (db: Db, vaspId: string, query: TransferQuery): (Transfer & { id: number })[] =>
  ofVaspQuery(db, { ...query, vaspId });

/** Transfers to a VASP that wait, newest first. */
export const waitingOf = (db: Db, vaspId: string, limit: number): Transfer[] =>
  db.orm
    .select()
    .from(transfers)
    .where(and(eq(transfers.vaspId, vaspId), isWaiting))
    .orderBy(desc(ROW_ID))
    .limit(limit)
    .all();
