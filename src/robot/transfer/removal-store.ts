import { and, eq, inArray, not, or } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { updateRows } from '../../db/prepared-statements.ts';
import { transferAttempts, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { isPresent } from './attempt-store.ts';
import { FORGOTTEN, NOBODY } from './transfer.ts';

/** It moves no more. */
const isAtRest = or(inArray(transfers.status, ['CONFIRMED', 'CANCELED']), eq(transfers.isHeld, true));

/** D-33: every transfer on this chain becomes history. */
export function moveToPastChain(tx: Tx, symbol: AssetSymbol): void {
  tx.orm
    .update(transfers)
    .set({ isOfPastChain: true })
    .where(and(eq(transfers.symbol, symbol), isPresent))
    .run();
}

/** It is neither final nor held. */
export const hasUnderWay = (db: Db, vaspId: string): boolean =>
  db.orm
    .select({ uuid: transfers.verificationUuid })
    .from(transfers)
    .where(and(eq(transfers.vaspId, vaspId), not(isAtRest!)))
    .get() !== undefined;

/** Removes the accounts of persons. A transfer under way keeps them until it is final. */
export function forgetPersons(tx: Tx, vaspId: string): void {
  const over = and(eq(transfers.vaspId, vaspId), isAtRest);
  const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(over);
  tx.orm.update(transferAttempts).set({ bytes: '' }).where(inArray(transferAttempts.verificationUuid, uuids)).run();
  tx.orm.update(transfers).set({ toAccount: FORGOTTEN, toTag: null, userId: '', note: '' }).where(over).run();
}

/** Transfers under way go on, but without a VASP: they count in no later balance. */
export function removeOf(tx: Tx, vaspId: string): void {
  const over = and(inArray(transfers.vaspId, [vaspId, NOBODY]), isAtRest);
  const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(over);
  tx.orm.delete(transferAttempts).where(inArray(transferAttempts.verificationUuid, uuids)).run();
  tx.orm.delete(transfers).where(over).run();
  updateRows(tx, transfers, { vaspId }, { vaspId: NOBODY });
}
