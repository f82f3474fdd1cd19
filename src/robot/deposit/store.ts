import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, accountKey, splitAddress } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { deposits } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Payment } from '../expectation/store.ts';

export type Deposit = typeof deposits.$inferSelect;

/** What a VASP has submitted, or what its own user got, is for no other VASP. */
export const isFor = (deposit: Pick<Deposit, 'vaspId'>, vaspId: string): boolean =>
  deposit.vaspId === null || deposit.vaspId === vaspId;

export interface DepositQuery {
  status?: Deposit['status'] | undefined;
  before?: number | undefined;
  /** As `addressText` writes it; without a tag: with any tag or none. */
  address?: string | undefined;
  limit: number;
}

const REMOVED = ['REORGANISED', 'TAKEN-BACK'] as const;
/** D-33: what was paid before the chain started over counts no more. As in the partial index: with a placeholder SQLite would plan the query again at every call. */
const isPresent = sql`${deposits.isOfPastChain} = 0`;
const isOfTx = (symbol: AssetSymbol, txHash: string) =>
  and(eq(deposits.symbol, symbol), eq(sql`lower(${deposits.txHash})`, txHash.toLowerCase()), isPresent);

function isTo(address: string) {
  const [account, tag] = splitAddress(address);
  const isEthereum = /^0x/i.test(account);
  return and(
    eq(deposits.account, isEthereum ? accountKey('ETH', account) : account),
    tag === undefined ? undefined : eq(deposits.tag, Number(tag)),
  );
}

const whole = (db: Db) => db.orm.select().from(deposits);
const p = sql.placeholder;
const byTransfer = preparedQuery(db =>
  whole(db).where(
    and(
      eq(deposits.symbol, p('symbol')),
      eq(deposits.txHash, p('txHash')),
      eq(deposits.account, p('account')),
      sql`${deposits.index} IS ${p('index')}`,
      isPresent,
    ),
  ),
);

export const insert = (tx: Tx, row: typeof deposits.$inferInsert): Deposit => insertRow(tx, deposits, row);

export const find = (
  db: Db,
  symbol: AssetSymbol,
  { txHash, index, to: { account } }: IncomingTransfer,
): Deposit | undefined => byTransfer(db).get({ symbol, txHash, index, account });

export const byId = (db: Db, id: number): Deposit | undefined => findRow(db, deposits, { id });

export function patch(tx: Tx, id: number, values: Partial<Omit<Deposit, 'id' | 'status'>>): void {
  updateRows(tx, deposits, { id }, values);
}

/** Deposits that are not final, and those that a reorganisation removed from a block after `removedAfter`. */
export const notFinal = (db: Db, symbol: AssetSymbol, removedAfter: number): Deposit[] =>
  whole(db)
    .where(
      and(
        eq(deposits.symbol, symbol),
        or(
          eq(deposits.status, 'SEEN'),
          and(inArray(deposits.status, REMOVED), gt(deposits.height, removedAfter)),
        ),
        isPresent,
      ),
    )
    .all();

export const finalAfter = (db: Db, symbol: AssetSymbol, height: number): Deposit[] =>
  whole(db)
    .where(
      and(
        eq(deposits.symbol, symbol),
        gt(deposits.height, height),
        inArray(deposits.status, ['CONFIRMED', 'UNATTRIBUTED', 'UNEXPLAINED', 'CREDITED']),
        isPresent,
      ),
    )
    .all();

/** Final deposits of this transaction without a verification, in the order of its transfers. */
export const waitingOfTx = (db: Db, symbol: AssetSymbol, txHash: string): Deposit[] =>
  whole(db)
    .where(
      and(isOfTx(symbol, txHash), inArray(deposits.status, ['CONFIRMED', 'UNATTRIBUTED', 'UNEXPLAINED'])),
    )
    .orderBy(asc(deposits.index))
    .all();

/** Every deposit of this transaction, in the order of its transfers. */
export const ofTx = (db: Db, symbol: AssetSymbol, txHash: string): Deposit[] =>
  whole(db).where(isOfTx(symbol, txHash)).orderBy(asc(deposits.index)).all();

/** Final deposits of exactly this payment that wait for their verification. */
export const waitingOf = (db: Db, { symbol, account, tag, amount }: Payment): Deposit[] =>
  whole(db)
    .where(
      and(
        eq(deposits.symbol, symbol),
        eq(deposits.account, account),
        sql`${deposits.tag} IS ${tag}`,
        eq(deposits.amount, amount),
        eq(deposits.status, 'CONFIRMED'),
        isPresent,
      ),
    )
    .orderBy(asc(deposits.id))
    .all();

/** D-33: every deposit on this chain becomes history. */
export function moveToPastChain(tx: Tx, symbol: AssetSymbol): void {
  tx.orm
    .update(deposits)
    .set({ isOfPastChain: true, note: sql`${deposits.note} || ' (before the chain started over)'` })
    .where(and(eq(deposits.symbol, symbol), isPresent))
    .run();
}

/** Newest first: the VASP's own deposits, and those without a VASP. With `status`: only of the present chain. */
export const visibleTo = (
  db: Db,
  vaspId: string,
  { limit, status, before, address }: DepositQuery,
): Deposit[] =>
  [eq(deposits.vaspId, vaspId), isNull(deposits.vaspId)]
    .flatMap(isOfOwner =>
      whole(db)
        .where(
          and(
            isOfOwner,
            status === undefined ? undefined : and(eq(deposits.status, status), isPresent),
            before === undefined ? undefined : lt(deposits.id, before),
            address === undefined ? undefined : isTo(address),
          ),
        )
        .orderBy(desc(deposits.id))
        .limit(limit)
        .all(),
    )
    .sort((a, b) => b.id - a.id)
    .slice(0, limit);

export function forgetPersons(tx: Tx, vaspId: string): void {
  updateRows(tx, deposits, { vaspId }, { from: '', note: '' });
}

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, deposits, { vaspId });
