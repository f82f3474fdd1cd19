import { and, asc, desc, eq, getTableColumns, gt, gte, inArray, isNull, lt, ne, or, sql } from 'drizzle-orm';
import type { SelectedFields } from 'drizzle-orm/sqlite-core';
import type { Fee, SignedTransfer } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { findRows, insertRow, isAmong, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { transferAttempts, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { FORGOTTEN, type Transfer, type Wallet } from './transfer.ts';

export type Attempt = typeof transferAttempts.$inferSelect;

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

type TransferId = Pick<Transfer, 'verificationUuid'>;

/** D-33: what was paid before the chain started over counts no more. */
export const isPresent = eq(transfers.isOfPastChain, false);
export const isOpen = inArray(transfers.status, ['PENDING', 'PROCESSING', 'WAIT-CONFIRM']);

const isOfWallet = ({ symbol, account }: Wallet) =>
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
export const of = (db: Db, verificationUuid: string): Attempt[] =>
  findRows(db, transferAttempts, { verificationUuid }, 'id');

/** For each transfer its attempts, oldest first. */
export function ofAll(db: Db, transfers: readonly TransferId[]): Attempt[][] {
  const uuids = transfers.map(transfer => transfer.verificationUuid);
  const found = new Map<string, Attempt[]>(uuids.map(uuid => [uuid, []]));
  for (const attempt of ofAllQuery(db).all({ uuids: JSON.stringify(uuids) }))
    found.get(attempt.verificationUuid)!.push(attempt);
  return uuids.map(uuid => found.get(uuid)!);
}

/** Confirmed or canceled ones, signed before the attempt `before`, newest first. */
export const overBefore = (db: Db, symbol: AssetSymbol, before: number, limit: number): SentTransfer[] =>
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
export function living(db: Db, wallet: Wallet, first: number): LivingAttempt[] {
  const signed = withTransfers(db, { transfer: transfers, ...getTableColumns(transferAttempts) })
    .where(
      and(
        gte(transferAttempts.sequence, first),
        isOfWallet(wallet),
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
export const at = (db: Db, wallet: Wallet, sequence: number): Attempt[] =>
  withTransfers(db, getTableColumns(transferAttempts))
    .where(and(eq(transferAttempts.sequence, sequence), isOfWallet(wallet)))
    .orderBy(asc(transferAttempts.id))
    .all();

export interface NewAttempt {
  sequence: number;
  fee: Fee;
  signed: SignedTransfer;
  /** Block up to which the sequence was free. */
  freeUpTo?: number | undefined;
}

export function add(
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
