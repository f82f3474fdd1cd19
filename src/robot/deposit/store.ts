import { and, asc, desc, eq, gt, inArray, isNull, lt, or, sql } from 'drizzle-orm';
import type { IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, accountKey, splitAddress } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import {
  BOUND_LIMIT,
  deleteRows,
  findRow,
  insertRow,
  preparedFilters,
  preparedQuery,
  preparedRows,
  updateRows,
} from '../../db/prepared-statements.ts';
import { deposits } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Payment } from '../expectation/store.ts';

export type Deposit = typeof deposits.$inferSelect;

/** What a VASP has submitted, or what its own user got, is for no other VASP. */
export const isFor = (deposit: Pick<Deposit, 'vaspId'>, vaspId: string): boolean =>
  deposit.vaspId === null || deposit.vaspId === vaspId;

/**
 * D-18: the block for which it counts. A reorganisation that moved it to a later one has made it a payment to what was verified
 * meanwhile, and one that moved it to an earlier one takes nothing away.
 */
export const countedHeight = ({ firstHeight, height }: Pick<Deposit, 'firstHeight' | 'height'>): number =>
  Math.max(firstHeight, height);

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

const whole = (db: Db) => db.orm.select().from(deposits);
const p = sql.placeholder;
const isOfSymbol = and(eq(deposits.symbol, p('symbol')), isPresent);
const isOfTx = and(isOfSymbol, eq(sql`lower(${deposits.txHash})`, sql`lower(${p('txHash')})`));
const isWaiting = inArray(deposits.status, ['CONFIRMED', 'UNATTRIBUTED', 'UNEXPLAINED']);
const byTransfer = preparedQuery(db =>
  whole(db).where(
    and(
      isOfSymbol,
      eq(deposits.txHash, p('txHash')),
      eq(deposits.account, p('account')),
      sql`${deposits.index} IS ${p('index')}`,
    ),
  ),
);

type OfTx = Pick<Deposit, 'symbol' | 'txHash'>;
/** Every deposit of this transaction, in the order of its transfers. */
export const ofTx = preparedRows<OfTx, Deposit>(db => whole(db).where(isOfTx).orderBy(asc(deposits.index)));

/** Final deposits of this transaction without a verification, in the order of its transfers. */
export const waitingOfTx = preparedRows<OfTx, Deposit>(db =>
  whole(db).where(and(isOfTx, isWaiting)).orderBy(asc(deposits.index)),
);

/** Final deposits of exactly this payment that wait for their verification. */
export const waitingOf = preparedRows<Payment, Deposit>(db =>
  whole(db)
    .where(
      and(
        isOfSymbol,
        eq(deposits.account, p('account')),
        sql`${deposits.tag} IS ${p('tag')}`,
        eq(deposits.amount, p('amount')),
        eq(deposits.status, 'CONFIRMED'),
      ),
    )
    .orderBy(asc(deposits.id)),
);

/** Deposits that are not final, and those that a reorganisation removed from a block after `removedAfter`. */
export const notFinal = preparedRows<{ symbol: AssetSymbol; removedAfter: number }, Deposit>(db =>
  whole(db).where(
    and(
      isOfSymbol,
      or(eq(deposits.status, 'SEEN'), and(inArray(deposits.status, REMOVED), gt(deposits.height, p('removedAfter')))),
    ),
  ),
);

export const finalAfter = preparedRows<{ symbol: AssetSymbol; height: number }, Deposit>(db =>
  whole(db).where(and(isOfSymbol, gt(deposits.height, p('height')), or(isWaiting, eq(deposits.status, 'CREDITED')))),
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

/** D-33: every deposit on this chain becomes history. */
export function moveToPastChain(tx: Tx, symbol: AssetSymbol): void {
  tx.orm
    .update(deposits)
    .set({ isOfPastChain: true, note: sql`${deposits.note} || ' (before the chain started over)'` })
    .where(and(eq(deposits.symbol, symbol), isPresent))
    .run();
}

type OwnedQuery = Omit<DepositQuery, 'address'> & { vaspId?: string; account?: string; tag?: number };
const ofOwnerQuery = preparedFilters<OwnedQuery, Deposit[]>((db, has) =>
  whole(db)
    .where(
      and(
        has('vaspId') ? eq(deposits.vaspId, p('vaspId')) : isNull(deposits.vaspId),
        has('status') ? and(eq(deposits.status, p('status')), isPresent) : undefined,
        has('before') ? lt(deposits.id, p('before')) : undefined,
        has('account') ? eq(deposits.account, p('account')) : undefined,
        has('tag') ? eq(deposits.tag, p('tag')) : undefined,
      ),
    )
    .orderBy(desc(deposits.id))
    .limit(BOUND_LIMIT),
);

function accountIn(address: string): Pick<OwnedQuery, 'account' | 'tag'> {
  const [text, tag] = splitAddress(address);
  const account = /^0x/i.test(text) ? accountKey('ETH', text) : text;
  return tag === undefined ? { account } : { account, tag: Number(tag) };
}

/** Newest first: the VASP's own deposits, and those without a VASP. With `status`: only of the present chain. */
export function visibleTo(db: Db, vaspId: string, { address, ...query }: DepositQuery): Deposit[] {
  const asked = { ...query, ...(address === undefined ? {} : accountIn(address)) };
  return [...ofOwnerQuery(db, { ...asked, vaspId }), ...ofOwnerQuery(db, asked)]
    .sort((a, b) => b.id - a.id)
    .slice(0, query.limit);
}

export function forgetPersons(tx: Tx, vaspId: string): void {
  updateRows(tx, deposits, { vaspId }, { from: '', note: '' });
}

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, deposits, { vaspId });
