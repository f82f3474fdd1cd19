import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, findRow, insertRow, isAmong, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { isOpen } from './attempt-store.ts';
import type { NewTransfer, Transfer, Wallet } from './transfer.ts';

const MAX_UNSENT = 1_000;
const isUnsigned = and(isOpen, eq(transfers.isHeld, false), isNull(transfers.txHash));

const p = sql.placeholder;
const isOfWallet = and(eq(transfers.symbol, p('symbol')), eq(transfers.account, p('account')));
const whole = (db: Db) => db.orm.select().from(transfers);
const byUuids = preparedQuery(db => whole(db).where(isAmong(transfers.verificationUuid, p('uuids'))));
const underWayQuery = preparedQuery(db =>
  whole(db)
    .where(and(isOfWallet, isOpen, isNotNull(transfers.txHash)))
    .orderBy(asc(transfers.createdAt)),
);

const unsignedQuery = preparedQuery(db =>
  whole(db).where(and(isOfWallet, isUnsigned)).orderBy(asc(transfers.createdAt)).limit(BOUND_LIMIT),
);

export const find = (db: Db, verificationUuid: string): Transfer | undefined =>
  findRow(db, transfers, { verificationUuid });

export const findAll = (db: Db, uuids: readonly string[]): Transfer[] =>
  byUuids(db).all({ uuids: JSON.stringify(uuids) });

/** As they are stored now. */
export function current(db: Db, all: readonly Transfer[]): Map<string, Transfer> {
  const uuids = all.map(({ verificationUuid }) => verificationUuid);
  return new Map(findAll(db, uuids).map(transfer => [transfer.verificationUuid, transfer]));
}

export const insert = (tx: Tx, row: NewTransfer): Transfer => insertRow(tx, transfers, row);

export function patch(tx: Tx, uuid: string, values: Partial<Omit<Transfer, 'status' | 'verificationUuid'>>): void {
  updateRows(tx, transfers, { verificationUuid: uuid }, values);
}

/** Signed, and not final. */
export const underWay = (db: Db, { symbol, account }: Wallet): Transfer[] => underWayQuery(db).all({ symbol, account });

/** All that are not final, held ones included. */
export const openOn = (db: Db, symbol: AssetSymbol): Transfer[] =>
  whole(db)
    .where(and(eq(transfers.symbol, symbol), isOpen))
    .all();

/** D-31: a payment of the treasury to this account that is not final. */
export const topUpUnderWay = (db: Db, { symbol, account }: Wallet): boolean =>
  db.orm
    .select({ uuid: transfers.verificationUuid })
    .from(transfers)
    .where(and(eq(transfers.symbol, symbol), eq(transfers.kind, 'top-up'), eq(transfers.toAccount, account), isOpen))
    .get() !== undefined;

/** D-31: amounts that the treasury still has to send. */
export const unsentFrom = (db: Db, wallet: Wallet): string[] =>
  unsignedQuery(db)
    .all({ ...wallet, limit: MAX_UNSENT })
    .map(({ amount }) => amount);

/** Of the wallet, and not held. */
export const hasOpen = (db: Db, wallet: Wallet): boolean => hasUnsigned(db, wallet) || underWay(db, wallet).length > 0;

export const hasUnsigned = (db: Db, { symbol, account }: Wallet): boolean =>
  unsignedQuery(db).get({ symbol, account, limit: 1 }) !== undefined;

/** Transfers without a living signed transaction: oldest first. */
export const unsigned = (db: Db, { symbol, account }: Wallet, limit: number): Transfer[] =>
  unsignedQuery(db).all({ symbol, account, limit });
