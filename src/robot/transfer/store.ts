import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  not,
  or,
  sql,
} from 'drizzle-orm';
import type { SelectedFields } from 'drizzle-orm/sqlite-core';
import type { Chain, Fee, SignedTransfer } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import {
  BOUND_LIMIT,
  findRow,
  findRows,
  insertRow,
  isAmong,
  preparedFilters,
  preparedQuery,
  preparedRows,
  updateRows,
} from '../../db/prepared-statements.ts';
import { transferAttempts, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { grouped } from '../../kernel/members.ts';
import type { RobotDeps } from '../deps.ts';

export type Transfer = typeof transfers.$inferSelect;
export type NewTransfer = typeof transfers.$inferInsert;

export interface Wallet {
  symbol: AssetSymbol;
  account: string;
}
/** A wallet with its chain, and what it takes to pay from it. */
export interface OpenWallet extends Wallet {
  chain: Chain;
  deps: RobotDeps;
}

/** Stands in `vaspId`: of fillers and top-ups, and of transfers whose VASP was reset. */
export const NOBODY = '';
/** Stands in `toAccount`. */
export const FORGOTTEN = '';
export const isOver = ({ status }: Transfer): boolean => status === 'CONFIRMED' || status === 'CANCELED';
export const isForgotten = ({ toAccount }: Transfer): boolean => toAccount === FORGOTTEN;

export type Attempt = typeof transferAttempts.$inferSelect;

/** A transfer with the signed transaction that counts. */
export type SentTransfer = ReturnType<typeof overBefore>[number];
export interface LivingAttempt extends Attempt {
  transfer: Transfer;
}

type TransferId = Pick<Transfer, 'verificationUuid'>;

/** D-33: what was paid before the chain started over counts no more. */
export const isPresent = eq(transfers.isOfPastChain, false);
export const isOpen = inArray(transfers.status, ['PENDING', 'PROCESSING', 'WAIT-CONFIRM']);

const isAttemptOf = ({ symbol, account }: Wallet) =>
  and(eq(transfers.symbol, symbol), eq(transfers.account, account), isPresent);

const ofAllQuery = preparedQuery(db =>
  db.orm
    .select()
    .from(transferAttempts)
    .where(isAmong(transferAttempts.verificationUuid, sql.placeholder('uuids')))
    .orderBy(asc(transferAttempts.id)),
);

const withTransfers = <C extends SelectedFields>(db: Db, columns: C) =>
  db.orm
    .select(columns)
    .from(transferAttempts)
    .innerJoin(transfers, eq(transfers.verificationUuid, transferAttempts.verificationUuid));

/** Oldest first. */
export const attemptsOf = (db: Db, verificationUuid: string): Attempt[] =>
  findRows(db, transferAttempts, { verificationUuid }, 'id');

/** For each transfer its attempts, oldest first. */
export function attemptsOfAll(db: Db, transfers: readonly TransferId[]): Attempt[][] {
  const uuids = transfers.map(transfer => transfer.verificationUuid);
  const attempts = ofAllQuery(db).all({ uuids: JSON.stringify(uuids) });
  const found = grouped(attempts, ({ verificationUuid }) => verificationUuid);
  return uuids.map(uuid => found.get(uuid) ?? []);
}

/** Confirmed or canceled ones, signed before the attempt `before`, newest first. */
export const overBefore = (db: Db, symbol: AssetSymbol, before: number, limit: number) =>
  withTransfers(db, {
    transfer: getTableColumns(transfers),
    attemptId: transferAttempts.id,
    sequence: transferAttempts.sequence,
    hash: transferAttempts.hash,
  })
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
    .all();

/**
 * Transactions with a sequence from `first` on that may still get into a block, in the order of sequences. What was signed
 * with an earlier sequence of its transfer may not: another transaction had it.
 */
export function livingAttempts(db: Db, wallet: Wallet, first: number): LivingAttempt[] {
  const signed = withTransfers(db, { transfer: transfers, ...getTableColumns(transferAttempts) })
    .where(
      and(
        gte(transferAttempts.sequence, first),
        isAttemptOf(wallet),
        or(isOpen, and(eq(transfers.status, 'CONFIRMED'), ne(transfers.toAccount, FORGOTTEN))),
      ),
    )
    .orderBy(asc(transferAttempts.sequence))
    .all();
  const counting = signed.filter(({ hash, transfer }) => hash === transfer.txHash);
  const sequences = new Map(counting.map(({ verificationUuid, sequence }) => [verificationUuid, sequence]));
  return signed.filter(({ verificationUuid, sequence }) => sequences.get(verificationUuid) === sequence);
}

/** Everything that was signed with a sequence, oldest first. */
export const attemptsAt = (db: Db, wallet: Wallet, sequence: number): Attempt[] =>
  withTransfers(db, getTableColumns(transferAttempts))
    .where(and(eq(transferAttempts.sequence, sequence), isAttemptOf(wallet)))
    .orderBy(asc(transferAttempts.id))
    .all();

export interface NewAttempt {
  sequence: number;
  fee: Fee;
  signed: SignedTransfer;
  /** Block up to which the sequence was free. */
  freeUpTo?: number | undefined;
}

export function addAttempt(
  tx: Tx,
  { verificationUuid }: TransferId,
  { sequence, fee, signed, freeUpTo }: NewAttempt,
  signedAt: number,
): void {
  const { hash, bytes, validity } = signed;
  insertRow(tx, transferAttempts, {
    verificationUuid,
    sequence,
    hash,
    bytes,
    fee,
    signedAfter: validity?.signedAfter ?? freeUpTo ?? null,
    lastLedgerSequence: validity?.lastLedgerSequence ?? null,
    signedAt,
  });
  updateRows(tx, transfers, { verificationUuid }, { txHash: hash });
}

export function saveAnswer(tx: Tx, { id }: Attempt, answer: Pick<Attempt, 'rejection' | 'isAccepted'>): void {
  updateRows(tx, transferAttempts, { id }, answer);
}

/** No transaction in a block up to this one has its sequence. */
export function saveSearched(tx: Tx, { id }: Attempt, upTo: number): void {
  updateRows(tx, transferAttempts, { id }, { signedAfter: upTo });
}

/** The blocks after this height were replaced. */
export function forgetAfter(tx: Tx, symbol: AssetSymbol, height: number): void {
  const open = tx.orm
    .select({ uuid: transfers.verificationUuid })
    .from(transfers)
    .where(and(eq(transfers.symbol, symbol), isOpen));
  tx.orm
    .update(transferAttempts)
    .set({ signedAfter: height })
    .where(
      and(
        inArray(transferAttempts.verificationUuid, open),
        gt(transferAttempts.signedAfter, height),
        isNull(transferAttempts.lastLedgerSequence),
      ),
    )
    .run();
}

const MAX_UNSENT = 1_000;
const isUnsigned = and(isOpen, eq(transfers.isHeld, false), isNull(transfers.txHash));

const p = sql.placeholder;
const isOfWallet = and(eq(transfers.symbol, p('symbol')), eq(transfers.account, p('account')));
const whole = (db: Db) => db.orm.select().from(transfers);
const byUuids = preparedQuery(db => whole(db).where(isAmong(transfers.verificationUuid, p('uuids'))));

/** Signed, and not final. */
export const underWay = preparedRows<Wallet, Transfer>(db =>
  whole(db)
    .where(and(isOfWallet, isOpen, isNotNull(transfers.txHash)))
    .orderBy(asc(transfers.createdAt)),
);

/** Transfers without a living signed transaction: oldest first. */
export const unsigned = preparedRows<Wallet & { limit: number }, Transfer>(db =>
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
  unsigned(db, { ...wallet, limit: MAX_UNSENT }).map(({ amount }) => amount);

/** Of the wallet, and not held. */
export const hasOpen = (db: Db, wallet: Wallet): boolean => hasUnsigned(db, wallet) || underWay(db, wallet).length > 0;

export const hasUnsigned = (db: Db, wallet: Wallet): boolean => unsigned(db, { ...wallet, limit: 1 }).length > 0;

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
