import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  or,
  sql,
} from 'drizzle-orm';
import type { SignedTransfer } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { transferAttempts, transfers, wallets } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { atAddress } from '../balance/at-address.ts';

export type Transfer = typeof transfers.$inferSelect;
export type Attempt = typeof transferAttempts.$inferSelect;
export type TransferStore = ReturnType<typeof transferStore>;

export interface Wallet {
  symbol: AssetSymbol;
  account: string;
}

export interface TransferQuery {
  verificationUuid?: string | undefined;
  status?: string | undefined;
  before?: number | undefined;
  limit: number;
}

/** In the order of insertion. */
const ROW_ID = sql<number>`robot_transfers.rowid`;
const UNFINISHED = ['PENDING', 'PROCESSING', 'WAIT-CONFIRM'];
const NOBODY = '';
/** Nothing is signed, and it says why. */
const WAITS = [
  inArray(transfers.status, UNFINISHED),
  eq(transfers.isHeld, false),
  isNull(transfers.txHash),
  ne(transfers.note, ''),
];

/** The SQL of transfers, of their signed transactions and of the wallets' numbers. */
export function transferStore(db: Db) {
  const attempts = db.orm
    .select()
    .from(transferAttempts)
    .where(eq(transferAttempts.verificationUuid, sql.placeholder('uuid')))
    .orderBy(asc(transferAttempts.id))
    .prepare();
  const byUuid = db.orm
    .select()
    .from(transfers)
    .where(eq(transfers.verificationUuid, sql.placeholder('uuid')))
    .prepare();
  const reserved = db.orm
    .select({ amount: transfers.amount })
    .from(transfers)
    .where(and(atAddress(transfers), ne(transfers.status, 'CANCELED')))
    .prepare();
  const ofWallet = ({ symbol, account }: Wallet) =>
    and(eq(transfers.symbol, symbol), eq(transfers.account, account));

  return {
    find: (uuid: string): Transfer | undefined => byUuid.get({ uuid }),
    insert(tx: Tx, row: typeof transfers.$inferInsert): Transfer {
      insertRow(tx, transfers, row);
      return byUuid.get({ uuid: row.verificationUuid })!;
    },
    patch(tx: Tx, uuid: string, values: Partial<Omit<Transfer, 'status' | 'verificationUuid'>>) {
      updateRows(tx, transfers, { verificationUuid: uuid }, values);
    },
    attemptsOf: (uuid: string): Attempt[] => attempts.all({ uuid }),
    addAttempt(
      tx: Tx,
      transfer: Transfer,
      sequence: number,
      fee: object,
      signed: SignedTransfer,
      signedAt: number,
    ) {
      const { hash, bytes, validity } = signed;
      const { verificationUuid } = transfer;
      insertRow(tx, transferAttempts, {
        verificationUuid,
        sequence,
        hash,
        bytes,
        fee: JSON.stringify(fee),
        signedAfter: validity?.signedAfter ?? null,
        lastLedgerSequence: validity?.lastLedgerSequence ?? null,
        signedAt,
      });
      updateRows(tx, transfers, { verificationUuid }, { txHash: hash });
    },
    reject(tx: Tx, hash: string, rejection: string | null) {
      updateRows(tx, transferAttempts, { hash }, { rejection });
    },
    /** Signed, and neither final nor given up. */
    unfinished: (wallet: Wallet): Transfer[] =>
      db.orm
        .select()
        .from(transfers)
        .where(and(ofWallet(wallet), inArray(transfers.status, UNFINISHED), isNotNull(transfers.txHash)))
        .orderBy(asc(transfers.createdAt))
        .all(),
    /** Nothing is signed for them, or nothing that lives: oldest first. */
    unsigned: (wallet: Wallet, limit: number): Transfer[] =>
      db.orm
        .select()
        .from(transfers)
        .where(
          and(
            ofWallet(wallet),
            inArray(transfers.status, UNFINISHED),
            eq(transfers.isHeld, false),
            isNull(transfers.txHash),
          ),
        )
        .orderBy(asc(transfers.createdAt))
        .limit(limit)
        .all(),
    /** What is paid out or reserved of a VASP's balance, as decimal texts. */
    reservedAmounts: (vaspId: string, symbol: AssetSymbol, account: string, tag: number | null): string[] =>
      reserved.all({ vaspId, symbol, account, tag }).map(row => row.amount),
    paidFrom: (wallet: Wallet): string[] =>
      db.orm
        .select({ amount: transfers.amount })
        .from(transfers)
        .where(and(ofWallet(wallet), eq(transfers.status, 'CONFIRMED')))
        .all()
        .map(row => row.amount),
    /** Why those that are not signed are not sent, as far as they say. */
    waitingToBeSent: (symbol: AssetSymbol): string[] =>
      db.orm
        .selectDistinct({ note: transfers.note })
        .from(transfers)
        .where(and(eq(transfers.symbol, symbol), ...WAITS))
        .all()
        .map(row => row.note),
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
    /** Those to a VASP that cannot be sent, newest first. */
    waitingOf: (vaspId: string, limit: number): Transfer[] =>
      db.orm
        .select()
        .from(transfers)
        .where(and(eq(transfers.vaspId, vaspId), ...WAITS))
        .orderBy(desc(ROW_ID))
        .limit(limit)
        .all(),
    /** All that was ever to be paid to a VASP, but for what was given up. */
    amountsOf: (vaspId: string) =>
      db.orm
        .select({
          symbol: transfers.symbol,
          account: transfers.account,
          tag: transfers.tag,
          amount: transfers.amount,
          status: transfers.status,
        })
        .from(transfers)
        .where(and(eq(transfers.vaspId, vaspId), ne(transfers.status, 'CANCELED')))
        .all(),
    nextSequence: ({ symbol, account }: Wallet): number =>
      db.orm
        .select()
        .from(wallets)
        .where(and(eq(wallets.symbol, symbol), eq(wallets.account, account)))
        .get()?.nextSequence ?? 0,
    saveNextSequence(tx: Tx, { symbol, account }: Wallet, nextSequence: number) {
      tx.orm
        .insert(wallets)
        .values({ symbol, account, nextSequence: nextSequence })
        .onConflictDoUpdate({
          target: [wallets.symbol, wallets.account],
          set: { nextSequence: nextSequence },
        })
        .run();
    },
    /** What is under way goes on, but as nobody's: it burdens no later balance. */
    removeOf(tx: Tx, vaspId: string) {
      const isOver = or(inArray(transfers.status, ['CONFIRMED', 'CANCELED']), eq(transfers.isHeld, true));
      const over = and(inArray(transfers.vaspId, [vaspId, NOBODY]), isOver);
      const uuids = tx.orm.select({ uuid: transfers.verificationUuid }).from(transfers).where(over);
      tx.orm.delete(transferAttempts).where(inArray(transferAttempts.verificationUuid, uuids)).run();
      tx.orm.delete(transfers).where(over).run();
      tx.orm.update(transfers).set({ vaspId: NOBODY }).where(eq(transfers.vaspId, vaspId)).run();
    },
  };
}
