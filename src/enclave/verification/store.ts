import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  lt,
  lte,
  ne,
  not,
  or,
  type SQL,
  type SQLWrapper,
  sql,
} from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import type { Result } from '../../contract/reasons.ts';
import type { ListQuery } from '../../contract/requests.ts';
import { parseDay } from '../../contract/time.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationMachine } from './machine.ts';

export type Verification = typeof verifications.$inferSelect;
export type NewVerification = typeof verifications.$inferInsert;
/** From `after` on, created at `before` or earlier. */
export interface FinalRange {
  after: Omit<FinalRow, 'uuid'>;
  before: number;
  limit: number;
}
type FinalRow = Pick<Verification, 'id' | 'uuid' | 'createdAt'>;
export type VerificationStore = ReturnType<typeof verificationStore>;

const DAY_MS = 86_400_000;
const CASELESS_SYMBOLS = ASSET_SYMBOLS.filter(symbol => ASSETS[symbol].addressIgnoresCase);

/** The SQL of verifications. */
export function verificationStore(db: Db) {
  const byUuid = db.orm
    .select()
    .from(verifications)
    .where(eq(verifications.uuid, sql.placeholder('uuid')))
    .prepare();

  const p = sql.placeholder;
  const inRange = and(
    lte(verifications.createdAt, p('before')),
    gte(verifications.createdAt, p('createdAt')),
    sql`(${verifications.createdAt}, ${verifications.id}) > (${p('createdAt')}, ${p('id')})`,
    ne(verifications.status, verificationMachine.initial),
  );
  const finalOf = (whose: SQL | undefined) =>
    db.orm
      .select({ id: verifications.id, uuid: verifications.uuid, createdAt: verifications.createdAt })
      .from(verifications)
      .where(and(whose, inRange))
      .orderBy(asc(verifications.createdAt), asc(verifications.id))
      .limit(p('limit'))
      .prepare();
  const finalSent = finalOf(eq(verifications.originatingVaspId, p('vaspId')));
  const finalReceived = finalOf(
    and(
      eq(verifications.beneficiaryVaspId, p('vaspId')),
      eq(verifications.originatingVaspId, p('residentVaspId')),
    ),
  );
  const removeOne = db.orm
    .delete(verifications)
    .where(eq(verifications.uuid, p('uuid')))
    .prepare();

  return {
    insert: (tx: Tx, row: NewVerification): Verification => insertRow(tx, verifications, row),
    find: (uuid: string): Verification | undefined => byUuid.get({ uuid }),
    patch(tx: Tx, id: number, values: Partial<Omit<Verification, 'id' | 'status'>>) {
      updateRows(tx, verifications, { id }, values);
    },
    /** OPEN, or VERIFIED and not credited. */
    unpaidOn: (symbol: AssetSymbol): Verification[] =>
      db.orm
        .select()
        .from(verifications)
        .where(
          and(
            inArray(verifications.status, ['OPEN', 'VERIFIED']),
            eq(verifications.symbol, symbol),
            eq(verifications.isCredited, false),
          ),
        )
        .all(),
    /** D-04: newest first; `caller` is one of the two VASPs. */
    page(query: ListQuery, caller: string): { count: number; rows: Verification[] } {
      const where = and(...conditions(query, caller));
      const total = db.orm.select({ count: count() }).from(verifications).where(where).get()!.count;
      const rows = db.orm
        .select()
        .from(verifications)
        .where(where)
        .orderBy(desc(verifications.createdAt), desc(verifications.id))
        .limit(query.rpp)
        .offset((query.page - 1) * query.rpp)
        .all();
      return { count: total, rows };
    },
    /** Newest first; `caller` is one of the two VASPs. */
    newest: (query: VerificationSearch, caller: string): Verification[] =>
      db.orm
        .select()
        .from(verifications)
        .where(and(...searched(query, caller)))
        .orderBy(desc(verifications.id))
        .limit(query.limit)
        .all(),
    /** As a subquery. */
    uuidsOf: (tx: Tx, vaspId: string) =>
      tx.orm.select({ uuid: verifications.uuid }).from(verifications).where(isPartyTo(vaspId)),
    /** One verification, as a subquery. */
    uuidOf: (tx: Tx, uuid: string) =>
      tx.orm.select({ uuid: verifications.uuid }).from(verifications).where(eq(verifications.uuid, uuid)),
    removeOne: (_tx: Tx, uuid: string) => void removeOne.run({ uuid }),
    /** Oldest first: sent by `vaspId`, and sent to it by `residentVaspId`. */
    final: (vaspId: string, residentVaspId: string, { after, before, limit }: FinalRange): FinalRow[] =>
      [
        finalSent.all({ vaspId, before, ...after, limit }),
        finalReceived.all({ vaspId, residentVaspId, before, ...after, limit }),
      ]
        .flat()
        .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id)
        .slice(0, limit),
    removeOf(tx: Tx, vaspId: string) {
      tx.orm.delete(verifications).where(isPartyTo(vaspId)).run();
    },
  };
}

const isPartyTo = (vaspId: string) =>
  or(eq(verifications.originatingVaspId, vaspId), eq(verifications.beneficiaryVaspId, vaspId));

/** What a person looks for. `words`: all of them, with the accounts (as keys) of whoever is called so. */
export interface VerificationSearch {
  words: readonly { text: string; accounts: readonly string[] }[];
  result?: Result | undefined;
  reason?: string | undefined;
  symbol?: string | undefined;
  role?: 'originating' | 'beneficiary' | undefined;
  status?: 'OPEN' | 'COMPLETED' | undefined;
  before?: number | undefined;
  limit: number;
}

function searched(query: VerificationSearch, caller: string): (SQL | undefined)[] {
  const { id, status, reason, symbol, originatingVaspId, beneficiaryVaspId } = verifications;
  const isOpen = eq(status, verificationMachine.initial);
  return [
    query.role === 'originating'
      ? eq(originatingVaspId, caller)
      : query.role === 'beneficiary'
        ? eq(beneficiaryVaspId, caller)
        : isPartyTo(caller),
    query.status === undefined ? undefined : query.status === 'OPEN' ? isOpen : not(isOpen),
    query.result === undefined ? undefined : eq(status, query.result),
    query.reason === undefined ? undefined : eq(reason, query.reason),
    query.symbol === undefined ? undefined : eq(symbol, query.symbol),
    query.before === undefined ? undefined : lt(id, query.before),
    ...query.words.map(isFound),
  ];
}

function isFound({ text, accounts }: VerificationSearch['words'][number]): SQL | undefined {
  const { uuid, txHash, originatorAccountKey, beneficiaryAccountKey } = verifications;
  const word = text.replace(/[A-Z]/g, letter => letter.toLowerCase());
  const at = (column: SQLWrapper) => sql`instr(lower(${column}), ${word})`;
  const isNamed = (ivms101: SQLWrapper) =>
    sql`EXISTS (SELECT 1 FROM json_tree(${ivms101}) AS member WHERE member.key IN ${NAME_MEMBERS} AND ${at(sql`member.atom`)} > 0)`;
  return or(
    sql`${at(uuid)} = 1`,
    ...[txHash, originatorAccountKey, beneficiaryAccountKey].map(column => sql`${at(column)} > 0`),
    inArray(originatorAccountKey, accounts),
    inArray(beneficiaryAccountKey, accounts),
    isNamed(verifications.ivms101Originator),
    isNamed(verifications.ivms101Beneficiary),
  );
}
const NAME_MEMBERS = ['primaryIdentifier', 'secondaryIdentifier', 'legalPersonName'];

function conditions(query: ListQuery, caller: string): (SQL | undefined)[] {
  const { originatingVaspId, beneficiaryVaspId } = verifications;
  const sends = eq(originatingVaspId, caller);
  const receives = eq(beneficiaryVaspId, caller);
  const opposite = query.oppositeVaspId;
  return [
    query.actionType === 'SEND' ? sends : query.actionType === 'RECEIVE' ? receives : or(sends, receives),
    gte(verifications.createdAt, parseDay(query.fromDate)!),
    query.toDate === undefined ? undefined : lt(verifications.createdAt, parseDay(query.toDate)! + DAY_MS),
    query.symbol === undefined ? undefined : eq(verifications.symbol, query.symbol),
    query.network === undefined ? undefined : eq(verifications.network, query.network),
    query.txHash === undefined
      ? undefined
      : eq(sql`lower(${verifications.txHash})`, query.txHash.toLowerCase()),
    query.result === undefined ? undefined : eq(verifications.status, query.result),
    opposite === undefined
      ? undefined
      : or(and(sends, eq(beneficiaryVaspId, opposite)), and(receives, eq(originatingVaspId, opposite))),
    ofAccount(verifications.originatorAccountKey, query.originatorAccountNumber),
    ofAccount(verifications.beneficiaryAccountKey, query.beneficiaryAccountNumber),
  ];
}

/** Addresses compare as their chain compares them (D-04): keys are folded where case does not matter. */
function ofAccount(key: SQLiteColumn, accountNumber: string | undefined): SQL | undefined {
  if (accountNumber === undefined) return undefined;
  const folded = and(inArray(verifications.symbol, CASELESS_SYMBOLS), eq(key, accountNumber.toLowerCase()));
  return or(eq(key, accountNumber), folded);
}
