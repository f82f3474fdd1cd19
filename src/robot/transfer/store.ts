import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  sql,
} from 'drizzle-orm';
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
import { transferAttempts, transfers, wallets } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { type Attempt, attemptStore } from './attempt-store.ts';

export type Transfer = typeof transfers.$inferSelect;
export type { Attempt };
export type TransferStore = ReturnType<typeof transferStore>;

export interface Wallet {
  symbol: AssetSymbol;
  account: string;
}

/** A transfer with the signed transaction that counts. */
export interface SentTransfer {
  transfer: Transfer;
  attemptId: number;
  sequence: number;
  hash: string;
}

export interface LivingAttempt extends Attempt {
  transfer: Transfer;
}

export interface TransferQuery {
  verificationUuid?: string | undefined;
  status?: Transfer['status'] | undefined;
  before?: number | undefined;
  limit: number;
}

/** In the order of insertion. */
const ROW_ID = sql<number>`robot_transfers.rowid`;
/** Of top-ups, and of transfers whose VASP was reset. */
export const NOBODY = '';
/** Stands in `userId`: a transaction that pays nobody and takes a sequence. */
export const FILLER = 'filler';
/** Stands in `toAccount`. */
const FORGOTTEN = '';
export const isForgotten = ({ toAccount }: Transfer): boolean => toAccount === FORGOTTEN;
const MOST_UNSENT = 1_000;
/** D-33: what was paid before the chain started over counts no more. */
const isPresent = eq(transfers.isOfPastChain, false);
const isUnfinished = inArray(transfers.status, ['PENDING', 'PROCESSING', 'WAIT-CONFIRM']);
const isUnsigned = and(isUnfinished, eq(transfers.isHeld, false), isNull(transfers.txHash));
/** In no block, with a note that says why. As in the partial index. */
const isWaiting = sql`${transfers.status} IN ('PENDING', 'PROCESSING') AND ${transfers.note} <> '' AND ${transfers.isHeld} = 0`;
const isOver = or(inArray(transfers.status, ['CONFIRMED', 'CANCELED']), eq(transfers.isHeld, true));

/** The SQL of transfers, of their signed transactions and of the wallets' numbers. */
export function transferStore(db: Db) {
  const p = sql.placeholder;
  const isOfWallet = and(eq(transfers.symbol, p('symbol')), eq(transfers.account, p('account')));

  const whole = () => db.orm.select().from(transfers);
  const byUuid = preparedQuery(whole().where(eq(transfers.verificationUuid, p('uuid'))));
  const byUuids = preparedQuery(whole().where(isAmong(transfers.verificationUuid, p('uuids'))));
  const unfinished = preparedQuery(
    whole()
      .where(and(isOfWallet, isUnfinished, isNotNull(transfers.txHash)))
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
    insert: (tx: Tx, row: typeof transfers.$inferInsert): Transfer => insertRow(tx, transfers, row),
    patch(tx: Tx, uuid: string, values: Partial<Omit<Transfer, 'status' | 'verificationUuid'>>) {
      updateRows(tx, transfers, { verificationUuid: uuid }, values);
    },
    ...attemptStore(db),
    /** Signed, and not final. */
    unfinished: ({ symbol, account }: Wallet): Transfer[] => unfinished.all({ symbol, account }),
    /** Confirmed or canceled ones, signed before the attempt `before`, newest first. */
    overBefore: (symbol: AssetSymbol, before: number, limit: number): SentTransfer[] =>
      db.orm
        .select({
          transfer: getTableColumns(transfers),
          attemptId: transferAttempts.id,
          sequence: transferAttempts.sequence,
          hash: transferAttempts.hash,
        })
        .from(transferAttempts)
        .innerJoin(transfers, eq(transfers.verificationUuid, transferAttempts.verificationUuid))
        .where(
          and(
            lt(transferAttempts.id, before),
            eq(transfers.symbol, symbol),
            inArray(transfers.status, ['CONFIRMED', 'CANCELED']),
            eq(transfers.txHash, transferAttempts.hash),
            isPresent,
          ),
        )
        .orderBy(desc(transferAttempts.id))
        .limit(limit)
        .all(),
    /** All that are not final, held ones included. */
    openOn: (symbol: AssetSymbol): Transfer[] =>
      db.orm
        .select()
        .from(transfers)
        .where(and(eq(transfers.symbol, symbol), isUnfinished))
        .all(),
    /** D-33: every transfer on this chain becomes history, and its wallets begin anew. */
    moveToPastChain(tx: Tx, symbol: AssetSymbol) {
      tx.orm
        .update(transfers)
        .set({ isOfPastChain: true })
        .where(and(eq(transfers.symbol, symbol), isPresent))
        .run();
      tx.orm.delete(wallets).where(eq(wallets.symbol, symbol)).run();
    },
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
            isUnfinished,
          ),
        )
        .get() !== undefined,
    /** Transactions with a sequence from `first` on that may still get into a block, in the order of sequences. */
    livingAttempts: ({ symbol, account }: Wallet, first: number): LivingAttempt[] =>
      db.orm
        .select({ transfer: transfers, ...getTableColumns(transferAttempts) })
        .from(transferAttempts)
        .innerJoin(transfers, eq(transfers.verificationUuid, transferAttempts.verificationUuid))
        .where(
          and(
            gte(transferAttempts.sequence, first),
            eq(transfers.symbol, symbol),
            eq(transfers.account, account),
            isPresent,
            or(isUnfinished, and(eq(transfers.status, 'CONFIRMED'), ne(transfers.toAccount, FORGOTTEN))),
          ),
        )
        .orderBy(asc(transferAttempts.sequence))
        .all(),
    /** Everything that was signed with a sequence, oldest first. */
    attemptsAt: ({ symbol, account }: Wallet, sequence: number): Attempt[] =>
      db.orm
        .select(getTableColumns(transferAttempts))
        .from(transferAttempts)
        .innerJoin(transfers, eq(transfers.verificationUuid, transferAttempts.verificationUuid))
        .where(
          and(
            eq(transferAttempts.sequence, sequence),
            eq(transfers.symbol, symbol),
            eq(transfers.account, account),
            isPresent,
          ),
        )
        .orderBy(asc(transferAttempts.id))
        .all(),
    insertFiller: (
      tx: Tx,
      row: Pick<Transfer, 'verificationUuid' | 'status' | 'symbol' | 'account' | 'walletIndex' | 'createdAt'>,
    ): Transfer =>
      insertRow(tx, transfers, {
        ...row,
        vaspId: NOBODY,
        userId: FILLER,
        tag: null,
        toAccount: row.account,
        toTag: null,
        amount: '0',
        omitTxReport: true,
        isHeld: false,
      }),
    /** D-31: amounts that the treasury still has to send. */
    unsentFrom: (wallet: Wallet): string[] =>
      unsigned.all({ ...wallet, limit: MOST_UNSENT }).map(({ amount }) => amount),
    /** Transfers without a living signed transaction: oldest first. */
    unsigned: ({ symbol, account }: Wallet, limit: number): Transfer[] =>
      unsigned.all({ symbol, account, limit }),
    /** Newest first. `id` counts them. */
    ofVasp: (vaspId: string, query: TransferQuery): (Transfer & { id: number })[] =>
      db.orm
        .select({ ...getTableColumns(transfers), id: ROW_ID })
        .from(transfers)
        .where(
          and(
            eq(transfers.vaspId, vaspId),
            query.verificationUuid === undefined
              ? undefined
              : eq(transfers.verificationUuid, query.verificationUuid),
            query.status === undefined ? undefined : eq(transfers.status, query.status),
            query.before === undefined ? undefined : lt(ROW_ID, query.before),
          ),
        )
        .orderBy(desc(ROW_ID))
        .limit(query.limit)
        .all(),
    /** Transfers to a VASP that wait, newest first. */
    waitingOf: (vaspId: string, limit: number): Transfer[] =>
      whole()
        .where(and(eq(transfers.vaspId, vaspId), isWaiting))
        .orderBy(desc(ROW_ID))
        .limit(limit)
        .all(),
    nextSequence: ({ symbol, account }: Wallet): number =>
      db.orm
        .select()
        .from(wallets)
        .where(and(eq(wallets.symbol, symbol), eq(wallets.account, account)))
        .get()?.nextSequence ?? 0,
    saveNextSequence(tx: Tx, { symbol, account }: Wallet, nextSequence: number) {
      upsertRow(tx, wallets, ['symbol', 'account'], { symbol, account, nextSequence });
    },
    /** Removes the accounts of persons. A transfer under way keeps them until it is final. */
    forgetPersons(tx: Tx, vaspId: string) {
      const over = and(eq(transfers.vaspId, vaspId), isOver);
      const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(over);
      tx.orm
        .update(transferAttempts)
        .set({ bytes: '' })
        .where(inArray(transferAttempts.verificationUuid, uuids))
        .run();
      tx.orm
        .update(transfers)
        .set({ toAccount: FORGOTTEN, toTag: null, userId: '', note: '' })
        .where(over)
        .run();
    },
    /** Transfers under way go on, but without a VASP: they count in no later balance. */
    removeOf(tx: Tx, vaspId: string) {
      const over = and(inArray(transfers.vaspId, [vaspId, NOBODY]), isOver);
      const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(over);
      tx.orm.delete(transferAttempts).where(inArray(transferAttempts.verificationUuid, uuids)).run();
      tx.orm.delete(transfers).where(over).run();
      tx.orm.update(transfers).set({ vaspId: NOBODY }).where(eq(transfers.vaspId, vaspId)).run();
    },
  };
}
