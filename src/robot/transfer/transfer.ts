import { and, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import { transfers } from '../../db/schema/robot.ts';

export type Transfer = typeof transfers.$inferSelect;
export type NewTransfer = typeof transfers.$inferInsert;

export interface Wallet {
  symbol: AssetSymbol;
  account: string;
}

/** In the order of insertion. */
export const ROW_ID = sql<number>`robot_transfers.rowid`;
/** Of top-ups, and of transfers whose VASP was reset. */
export const NOBODY = '';
/** Stands in `userId`: a transaction that pays nobody and takes a sequence. */
export const FILLER = 'filler';
/** Stands in `toAccount`. */
export const FORGOTTEN = '';
export const isForgotten = ({ toAccount }: Transfer): boolean => toAccount === FORGOTTEN;
export const isFiller = ({ userId, vaspId }: Transfer): boolean => userId === FILLER && vaspId === NOBODY;

/** D-33: what was paid before the chain started over counts no more. */
export const isPresent = eq(transfers.isOfPastChain, false);
export const isOpen = inArray(transfers.status, ['PENDING', 'PROCESSING', 'WAIT-CONFIRM']);
export const isUnsigned = and(isOpen, eq(transfers.isHeld, false), isNull(transfers.txHash));
/** In no block, with a note that says why. As in the partial index. */
export const isWaiting = sql`${transfers.status} IN ('PENDING', 'PROCESSING') AND ${transfers.note} <> '' AND ${transfers.isHeld} = 0`;
export const isOver = or(inArray(transfers.status, ['CONFIRMED', 'CANCELED']), eq(transfers.isHeld, true));
