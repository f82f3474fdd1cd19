import { and, asc, eq, isNotNull, isNull, ne, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import {
  BOUND_LIMIT,
  insertRow,
  isAmong,
  preparedQuery,
  updateRows,
  upsertRow,
} from '../../db/prepared-statements.ts';
import { transfers, wallets } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { attemptStore, isOpen } from './attempt-store.ts';
import { transferListStore } from './list-store.ts';
import { removalStore } from './removal-store.ts';
import { FILLER, type NewTransfer, NOBODY, type Transfer, type Wallet } from './transfer.ts';

export type TransferStore = ReturnType<typeof transferStore>;

const MOST_UNSENT = 1_000;
const isUnsigned = and(isOpen, eq(transfers.isHeld, false), isNull(transfers.txHash));

/** The SQL of transfers, of their signed transactions and of the wallets' numbers. */
export function transferStore(db: Db) {
  const p = sql.placeholder;
  const isOfWallet = and(eq(transfers.symbol, p('symbol')), eq(transfers.account, p('account')));

  const whole = () => db.orm.select().from(transfers);
  const byUuid = preparedQuery(whole().where(eq(transfers.verificationUuid, p('uuid'))));
  const byUuids = preparedQuery(whole().where(isAmong(transfers.verificationUuid, p('uuids'))));
  const underWay = preparedQuery(
    whole()
      .where(and(isOfWallet, isOpen, isNotNull(transfers.txHash)))
      .orderBy(asc(transfers.createdAt)),
  );
  const unsigned = preparedQuery(
    whole().where(and(isOfWallet, isUnsigned)).orderBy(asc(transfers.createdAt)).limit(BOUND_LIMIT),
  );

  return {
    find: (uuid: string): Transfer | undefined => byUuid.get({ uuid }),
    findAll: (uuids: readonly string[]): Transfer[] => byUuids.all({ uuids: JSON.stringify(uuids) }),
    /** As they are stored now. */
    current: (all: readonly Transfer[]): Map<string, Transfer> => {
      const uuids = JSON.stringify(all.map(({ verificationUuid }) => verificationUuid));
      return new Map(byUuids.all({ uuids }).map(transfer => [transfer.verificationUuid, transfer]));
    },
    insert: (tx: Tx, row: NewTransfer): Transfer => insertRow(tx, transfers, row),
    patch(tx: Tx, uuid: string, values: Partial<Omit<Transfer, 'status' | 'verificationUuid'>>) {
      updateRows(tx, transfers, { verificationUuid: uuid }, values);
    },
    ...attemptStore(db),
    ...transferListStore(db),
    ...removalStore,
    /** Signed, and not final. */
    underWay: ({ symbol, account }: Wallet): Transfer[] => underWay.all({ symbol, account }),
    /** All that are not final, held ones included. */
    openOn: (symbol: AssetSymbol): Transfer[] =>
      whole()
        .where(and(eq(transfers.symbol, symbol), isOpen))
        .all(),
    /** D-31: a payment of the treasury to this account that is not final. */
    topUpUnderWay: ({ symbol, account }: Wallet): boolean =>
      db.orm
        .select({ uuid: transfers.verificationUuid })
        .from(transfers)
        .where(
          and(
            eq(transfers.symbol, symbol),
            eq(transfers.vaspId, NOBODY),
            eq(transfers.toAccount, account),
            ne(transfers.userId, FILLER),
            isOpen,
          ),
        )
        .get() !== undefined,
    /** D-31: amounts that the treasury still has to send. */
    unsentFrom: (wallet: Wallet): string[] =>
      unsigned.all({ ...wallet, limit: MOST_UNSENT }).map(({ amount }) => amount),
    hasUnsigned: ({ symbol, account }: Wallet): boolean =>
      unsigned.get({ symbol, account, limit: 1 }) !== undefined,
    /** Transfers without a living signed transaction: oldest first. */
    unsigned: ({ symbol, account }: Wallet, limit: number): Transfer[] =>
      unsigned.all({ symbol, account, limit }),
    nextSequence: ({ symbol, account }: Wallet): number =>
      db.orm
        .select()
        .from(wallets)
        .where(and(eq(wallets.symbol, symbol), eq(wallets.account, account)))
        .get()?.nextSequence ?? 0,
    saveNextSequence(tx: Tx, { symbol, account }: Wallet, nextSequence: number) {
      upsertRow(tx, wallets, ['symbol', 'account'], { symbol, account, nextSequence });
    },
  };
}
