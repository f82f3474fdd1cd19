import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';
import type { VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import type { Signed } from './ledgers/port.ts';
import type { Order, Withdrawal, WithdrawalState } from './withdrawals/withdrawal.ts';

/** The only SQL of the reference VASP. Amounts are units in decimal text. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS bookings (
    key TEXT PRIMARY KEY, customer TEXT NOT NULL, symbol TEXT NOT NULL, units TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS withdrawals (
    id TEXT PRIMARY KEY, state TEXT NOT NULL, uuid TEXT UNIQUE, order_json TEXT NOT NULL,
    hash TEXT, bytes TEXT, note TEXT NOT NULL DEFAULT '') STRICT;
  CREATE TABLE IF NOT EXISTS results (
    uuid TEXT PRIMARY KEY, result TEXT NOT NULL, reason TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS deposits (
    uuid TEXT PRIMARY KEY, state TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, customer TEXT,
    inquire_at INTEGER NOT NULL, inquire_until INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS named_transactions (
    uuid TEXT NOT NULL, hash TEXT NOT NULL, vout TEXT, state TEXT NOT NULL, note TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (uuid, hash)) STRICT;
  CREATE TABLE IF NOT EXISTS screenings (
    withdrawal TEXT NOT NULL, kind TEXT NOT NULL, request_id TEXT NOT NULL, PRIMARY KEY (withdrawal, kind)) STRICT;
  CREATE TABLE IF NOT EXISTS assessments (
    request_id TEXT PRIMARY KEY, uuid TEXT NOT NULL, result TEXT NOT NULL) STRICT;
`;

/** OPEN: the money is awaited. */
export type DepositState = 'OPEN' | 'NOT-VERIFIED' | 'CREDITED' | 'CANCELED';
export interface Deposit {
  readonly uuid: string;
  readonly state: DepositState;
  readonly request: VaspVerifyUserRequest;
  readonly answer: VaspVerifyUserAnswer;
  /** Id of the customer. Null: the address belongs to nobody. */
  readonly customer: string | null;
  /** Epoch ms. */
  readonly inquireAt: number;
  readonly inquireUntil: number;
}

/** A transaction that the originating VASP has named, by report or by status answer. */
export interface NamedTransaction {
  readonly uuid: string;
  readonly hash: string;
  readonly vout: string | null;
  readonly state: 'OPEN' | 'CREDITED' | 'WRONG';
  readonly note: string;
}

export interface Booking {
  /** The purpose. Each purpose is booked once. */
  readonly key: string;
  readonly customer: string;
  readonly symbol: string;
  readonly units: bigint;
}

export type Store = ReturnType<typeof openStore>;

/** `:memory:` is allowed. */
export function openStore(path: string) {
  if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
  const db = openSqlite(path);
  db.pragma('journal_mode = WAL');
  db.exec(SCHEMA);
  const statements = new Map<string, Sqlite.Statement<unknown[]>>();
  const prepared = (sql: string) => {
    const statement = statements.get(sql) ?? db.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  const get = <T>(sql: string, ...values: unknown[]) => prepared(sql).get(...values) as T;
  const all = <T>(sql: string, ...values: unknown[]) => prepared(sql).all(...values) as T[];
  const run = (sql: string, ...values: unknown[]) => prepared(sql).run(...values).changes > 0;

  return {
    /** One transaction. */
    together: <T>(work: () => T): T => db.transaction(work).immediate(),
    close: () => void db.close(),

    /** The stored value, or `first()` stored now. */
    setting(name: string, first: () => string): string {
      run('INSERT OR IGNORE INTO settings VALUES (?, ?)', name, first());
      return get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name).value;
    },
    /** The newest address on which it listened. */
    keepAddress: (url: string): boolean => run("INSERT OR REPLACE INTO settings VALUES ('url', ?)", url),
    removeAddress: (): boolean => run("DELETE FROM settings WHERE name = 'url'"),
    address: (): string | undefined =>
      get<{ value: string } | undefined>("SELECT value FROM settings WHERE name = 'url'")?.value,

    /** False: it was booked before. */
    book: ({ key, customer, symbol, units }: Booking): boolean =>
      run('INSERT OR IGNORE INTO bookings VALUES (?, ?, ?, ?)', key, customer, symbol, String(units)),
    balance: (customer: string, symbol: string): bigint =>
      all<{ units: string }>('SELECT units FROM bookings WHERE customer = ? AND symbol = ?', customer, symbol)
        .map(({ units }) => BigInt(units))
        .reduce((sum, units) => sum + units, 0n),

    addWithdrawal: (id: string, order: Order, state: WithdrawalState): boolean =>
      run(
        'INSERT INTO withdrawals (id, state, order_json) VALUES (?, ?, ?)',
        id,
        state,
        JSON.stringify(order),
      ),
    withdrawal: (id: string) => withdrawalOf(get('SELECT * FROM withdrawals WHERE id = ?', id)),
    withdrawalFor: (uuid: string) => withdrawalOf(get('SELECT * FROM withdrawals WHERE uuid = ?', uuid)),
    withdrawals: (): Withdrawal[] =>
      all<WithdrawalRow>('SELECT * FROM withdrawals ORDER BY rowid').map(row => withdrawalOf(row)!),
    moveWithdrawal: (id: string, state: WithdrawalState, note = ''): boolean =>
      run('UPDATE withdrawals SET state = ?, note = ? WHERE id = ?', state, note, id),
    openedWithdrawal: (id: string, uuid: string): boolean =>
      run("UPDATE withdrawals SET state = 'AWAITS-RESULT', uuid = ? WHERE id = ?", uuid, id),
    signedWithdrawal: (id: string, { hash, bytes }: Signed): boolean =>
      run("UPDATE withdrawals SET state = 'SIGNED', hash = ?, bytes = ? WHERE id = ?", hash, bytes, id),

    /** The first result stays. */
    addResult: (uuid: string, result: string, reason: string): boolean =>
      run('INSERT OR IGNORE INTO results VALUES (?, ?, ?)', uuid, result, reason),
    result: (uuid: string): { result: string; reason: string } | undefined =>
      get('SELECT result, reason FROM results WHERE uuid = ?', uuid),

    addDeposit: ({ uuid, state, request, answer, customer, inquireAt, inquireUntil }: Deposit): boolean =>
      run(
        'INSERT OR IGNORE INTO deposits VALUES (?, ?, ?, ?, ?, ?, ?)',
        uuid,
        state,
        JSON.stringify(request),
        JSON.stringify(answer),
        customer,
        inquireAt,
        inquireUntil,
      ),
    deposit: (uuid: string) => depositOf(get('SELECT * FROM deposits WHERE uuid = ?', uuid)),
    deposits: (): Deposit[] =>
      all<DepositRow>('SELECT * FROM deposits ORDER BY rowid').map(row => depositOf(row)!),
    /** False: it is no longer OPEN. */
    closeDeposit: (uuid: string, state: DepositState): boolean =>
      run("UPDATE deposits SET state = ? WHERE uuid = ? AND state = 'OPEN'", state, uuid),
    inquireLater: (uuid: string, at: number): boolean =>
      run('UPDATE deposits SET inquire_at = ? WHERE uuid = ?', at, uuid),

    nameTransaction: (uuid: string, hash: string, vout: string | null): boolean =>
      run(
        "INSERT OR IGNORE INTO named_transactions (uuid, hash, vout, state) VALUES (?, ?, ?, 'OPEN')",
        uuid,
        hash,
        vout,
      ),
    namedTransactions: (uuid: string): NamedTransaction[] =>
      all('SELECT * FROM named_transactions WHERE uuid = ? ORDER BY rowid', uuid),
    judgeTransaction: (uuid: string, hash: string, state: NamedTransaction['state'], note: string): boolean =>
      run(
        'UPDATE named_transactions SET state = ?, note = ? WHERE uuid = ? AND hash = ?',
        state,
        note,
        uuid,
        hash,
      ),

    /** A later result takes the place of an earlier one, but none of REGISTERED that of PROCESSED. */
    addAssessment: (requestId: string, uuid: string, result: object): boolean =>
      run(
        `INSERT INTO assessments VALUES (?, ?, ?) ON CONFLICT (request_id)
         DO UPDATE SET result = excluded.result WHERE coalesce(json_extract(assessments.result, '$.providerAKYT.status'),
           json_extract(assessments.result, '$.providerBWCO.status')) IS NOT 'PROCESSED'`,
        requestId,
        uuid,
        JSON.stringify(result),
      ),
    assessment: (requestId: string): string | undefined =>
      get<{ result: string } | undefined>('SELECT result FROM assessments WHERE request_id = ?', requestId)
        ?.result,
    /** The request of an assessment before the payment. */
    addScreening: (withdrawal: string, kind: string, requestId: string): boolean =>
      run('INSERT OR IGNORE INTO screenings VALUES (?, ?, ?)', withdrawal, kind, requestId),
    screening: (withdrawal: string, kind: string): string | undefined =>
      get<{ request_id: string } | undefined>(
        'SELECT request_id FROM screenings WHERE withdrawal = ? AND kind = ?',
        withdrawal,
        kind,
      )?.request_id,
  };
}

interface WithdrawalRow {
  id: string;
  state: WithdrawalState;
  uuid: string | null;
  order_json: string;
  hash: string | null;
  bytes: string | null;
  note: string;
}

function withdrawalOf(row: WithdrawalRow | undefined): Withdrawal | undefined {
  if (!row) return undefined;
  const { id, state, uuid, order_json, hash, bytes, note } = row;
  const signed = hash === null || bytes === null ? undefined : { hash, bytes };
  return { id, state, uuid: uuid ?? undefined, order: JSON.parse(order_json) as Order, signed, note };
}

interface DepositRow extends Omit<Deposit, 'request' | 'answer' | 'inquireAt' | 'inquireUntil'> {
  request: string;
  answer: string;
  inquire_at: number;
  inquire_until: number;
}

function depositOf(row: DepositRow | undefined): Deposit | undefined {
  if (!row) return undefined;
  const { request, answer, inquire_at: inquireAt, inquire_until: inquireUntil, ...rest } = row;
  return {
    ...rest,
    request: JSON.parse(request) as VaspVerifyUserRequest,
    answer: JSON.parse(answer) as VaspVerifyUserAnswer,
    inquireAt,
    inquireUntil,
  };
}
