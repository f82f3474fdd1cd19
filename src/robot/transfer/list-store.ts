import { and, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
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

/** Newest first. `id` counts them. */
export const ofVasp = (db: Db, vaspId: string, query: TransferQuery): (Transfer & { id: number })[] =>
  db.orm
    .select({ ...getTableColumns(transfers), id: ROW_ID })
    .from(transfers)
    .where(
      and(
        eq(transfers.vaspId, vaspId),
        query.verificationUuid === undefined ? undefined : eq(transfers.verificationUuid, query.verificationUuid),
        query.status === undefined ? undefined : eq(transfers.status, query.status),
        query.before === undefined ? undefined : lt(ROW_ID, query.before),
      ),
    )
    .orderBy(desc(ROW_ID))
    .limit(query.limit)
    .all();

/** Transfers to a VASP that wait, newest first. */
export const waitingOf = (db: Db, vaspId: string, limit: number): Transfer[] =>
  db.orm
    .select()
    .from(transfers)
    .where(and(eq(transfers.vaspId, vaspId), isWaiting))
    .orderBy(desc(ROW_ID))
    .limit(limit)
    .all();
