import { existsSync, renameSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Log } from '../../kernel/log.ts';
import { openSqlite } from '../../kernel/sqlite-module.ts';
import type { Entry, EntryChange } from './entries.ts';
import { fromHex, type LedgerHeader, type NodeStore, toHex } from './hash-tree.ts';
import { affectedAccounts, type Metadata } from './metadata.ts';
import { accountId, type TransactionJson } from './signature.ts';

/** A transaction in a closed ledger. */
export interface StoredTransaction {
  readonly hash: string;
  readonly ledgerIndex: number;
  readonly position: number;
  readonly json: TransactionJson;
  readonly meta: Metadata;
}

interface HistoryQuery {
  readonly account: Buffer;
  /** The first and the last id. */
  readonly from: number;
  readonly to: number;
  readonly forward: boolean;
  readonly limit: number;
}

type LedgerRow = Omit<LedgerHeader, 'totalCoins'> & { readonly totalCoins: string };
interface TransactionRow {
  id: number;
  hash: Buffer;
  json: string;
  meta: string;
}

export type Storage = ReturnType<typeof openStorage>;

/** Opens the ledger's own SQLite file or memory. Throws if another process runs the ledger. Others may copy the file. */
export function openStorage(path: string) {
  const lock = path === ':memory:' ? undefined : lockBeside(path);
  try {
    return opened(path, lock);
  } catch (error) {
    lock?.close();
    throw error;
  }
}

function opened(path: string, lock: Db | undefined) {
  const db = openSqlite(path, { timeout: WAIT_FOR_LOCK_MS });
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = NORMAL');
  db.pragma('cache_size = -16000');
  db.exec(SCHEMA);
  const atomically = db.transaction((work: () => unknown) => work());
  return {
    ...properties(db),
    ...ledgers(db),
    ...transactions(db),
    ...waiting(db),
    ...entries(db),
    tree: treeNodes(db),
    ...history(db),
    bytes: (): number =>
      Number(db.pragma('page_count', { simple: true })) * Number(db.pragma('page_size', { simple: true })),
    /** One database transaction. `work` must not await. */
    atomically: <T>(work: () => T): T => atomically(work) as T,
    close() {
      db.close();
      lock?.close();
    },
  };
}

type Db = Database.Database;

function properties(db: Db) {
  const get = db.prepare<[string], string>('SELECT value FROM property WHERE name = ?').pluck();
  const set = db.prepare('INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)');
  return {
    property: (name: string): string | undefined => get.get(name),
    setProperty: (name: string, value: string): void => void set.run(name, value),
  };
}

function ledgers(db: Db) {
  const columns = `seq AS "index", hash, parent_hash AS parentHash, transaction_hash AS transactionHash,
    account_hash AS accountHash, total_coins AS totalCoins, close_time AS closeTime,
    parent_close_time AS parentCloseTime`;
  const byIndex = db.prepare<[number], LedgerRow>(`SELECT ${columns} FROM ledger WHERE seq = ?`);
  const byHash = db.prepare<[string], LedgerRow>(`SELECT ${columns} FROM ledger WHERE hash = ?`);
  const last = db.prepare<[], LedgerRow>(`SELECT ${columns} FROM ledger ORDER BY seq DESC LIMIT 1`);
  const insert = db.prepare(`INSERT INTO ledger VALUES (@index, @hash, @parentHash, @transactionHash,
    @accountHash, @totalCoins, @closeTime, @parentCloseTime)`);
  const header = (row: LedgerRow | undefined): LedgerHeader | undefined =>
    row && { ...row, totalCoins: BigInt(row.totalCoins) };
  return {
    header: (index: number) => header(byIndex.get(index)),
    headerByHash: (hash: string) => header(byHash.get(hash)),
    lastHeader: () => header(last.get()),
    insertHeader: (ledger: LedgerHeader): void =>
      void insert.run({ ...ledger, totalCoins: ledger.totalCoins.toString() }),
  };
}

/** A limit is a sum: SQLite would plan a query again at every call for a bound number. */
function transactions(db: Db) {
  const byHash = db.prepare<[Buffer], TransactionRow>('SELECT * FROM tx WHERE hash = ?');
  const between = db.prepare<[number, number], TransactionRow>('SELECT * FROM tx WHERE id >= ? AND id < ? ORDER BY id');
  const newest = db.prepare<[number, number], TransactionRow>(
    'SELECT * FROM tx ORDER BY id DESC LIMIT ? + 0 OFFSET ? + 0',
  );
  const insert = db.prepare('INSERT INTO tx (id, hash, json, meta) VALUES (?, ?, ?, ?)');
  const insertAccount = db.prepare('INSERT INTO account_tx (account, id) VALUES (?, ?)');
  const page = (direction: 'ASC' | 'DESC') =>
    db.prepare<[Buffer, number, number, number], TransactionRow>(
      `SELECT tx.* FROM account_tx JOIN tx USING (id)
       WHERE account = ? AND account_tx.id BETWEEN ? AND ? ORDER BY account_tx.id ${direction} LIMIT ? + 0`,
    );
  const ascending = page('ASC');
  const descending = page('DESC');
  return {
    transaction: (hash: string) => {
      const row = byHash.get(fromHex(hash));
      return row && stored(row);
    },
    transactionsOf: (index: number) => between.all(index * POSITIONS, (index + 1) * POSITIONS).map(stored),
    /** Newest first. */
    newestTransactions: (skip: number, limit: number) => newest.all(limit, skip).map(stored),
    accountHistory: ({ account, from, to, forward, limit }: HistoryQuery) =>
      (forward ? ascending : descending).all(account, from, to, limit).map(stored),
    insertTransaction: (tx: StoredTransaction, affected: Iterable<string>): void => {
      const at = idOf(tx.ledgerIndex, tx.position);
      insert.run(at, fromHex(tx.hash), JSON.stringify(tx.json), JSON.stringify(tx.meta));
      for (const address of affected) insertAccount.run(accountId(address), at);
    },
  };
}

const stored = (row: TransactionRow): StoredTransaction => ({
  hash: toHex(row.hash),
  ledgerIndex: Math.floor(row.id / POSITIONS),
  position: row.id % POSITIONS,
  json: JSON.parse(row.json),
  meta: JSON.parse(row.meta),
});

/** Transactions that were sent to the server and stand in no closed ledger yet. */
function waiting(db: Db) {
  const insert = db.prepare('INSERT OR IGNORE INTO waiting (hash, blob) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM waiting WHERE hash = ?');
  const hashes = db.prepare<[], Buffer>('SELECT hash FROM waiting').pluck();
  const blobs = db.prepare<[], Buffer>('SELECT blob FROM waiting ORDER BY rowid').pluck();
  return {
    addWaiting: (hash: string, blob: string): void => void insert.run(fromHex(hash), fromHex(blob)),
    removeWaiting: (hash: string): void => void remove.run(fromHex(hash)),
    waitingHashes: (): string[] => hashes.all().map(toHex),
    /** In the order of their arrival. */
    waitingBlobs: (): string[] => blobs.all().map(toHex),
  };
}

function entries(db: Db) {
  const at = db
    .prepare<[Buffer, number], string | null>(
      'SELECT json FROM entry WHERE key = ? AND ledger <= ? ORDER BY ledger DESC LIMIT 1',
    )
    .pluck();
  const behind = db
    .prepare<{ after: Buffer; last: Buffer; ledger: number }, Buffer>(
      `SELECT key FROM entry WHERE key > @after AND key <= @last AND json IS NOT NULL AND ledger = (
         SELECT max(ledger) FROM entry AS newest WHERE newest.key = entry.key AND newest.ledger <= @ledger)
       ORDER BY key LIMIT 1`,
    )
    .pluck();
  const put = db.prepare('INSERT OR REPLACE INTO entry (key, ledger, json) VALUES (?, ?, ?)');
  return {
    entry: (key: string, ledger: number): Entry | undefined => {
      const json = at.get(fromHex(key), ledger);
      return json ? JSON.parse(json) : undefined;
    },
    /** The first key behind `after` up to and including `last`. */
    nextKey: (after: string, last: string, ledger: number): string | undefined => {
      const key = behind.get({ after: fromHex(after), last: fromHex(last), ledger });
      return key && toHex(key);
    },
    putEntry: ({ key, after }: Pick<EntryChange, 'key' | 'after'>, ledger: number): void =>
      void put.run(fromHex(key), ledger, after ? JSON.stringify(after) : null),
  };
}

function treeNodes(db: Db): NodeStore {
  const get = db.prepare<[string], Buffer>('SELECT node FROM tree WHERE path = ?').pluck();
  const put = db.prepare('INSERT OR REPLACE INTO tree (path, node) VALUES (?, ?)');
  const remove = db.prepare('DELETE FROM tree WHERE path = ?');
  return { get: path => get.get(path), set: (path, node) => put.run(path, node), delete: path => remove.run(path) };
}

const BATCH = 1_000;

function history(db: Db) {
  const first = db.prepare<[], number>('SELECT min(seq) FROM ledger WHERE seq > 1').pluck();
  const touched = '(SELECT key FROM entry WHERE ledger BETWEEN @first AND @keep)';
  const statements = [
    'DELETE FROM ledger WHERE seq < @keep',
    'DELETE FROM tx WHERE id < @id',
    `DELETE FROM entry WHERE key IN ${touched} AND ledger < (
       SELECT max(newer.ledger) FROM entry AS newer WHERE newer.key = entry.key AND newer.ledger <= @keep)`,
    'DELETE FROM entry WHERE ledger BETWEEN @first AND @keep AND json IS NULL',
  ].map(sql => db.prepare(sql));
  const doomed = db.prepare<[number, number, number], Pick<TransactionRow, 'id' | 'meta'>>(
    'SELECT id, meta FROM tx WHERE id > ? AND id < ? ORDER BY id LIMIT ? + 0',
  );
  const removeAccount = db.prepare('DELETE FROM account_tx WHERE account = ? AND id = ?');
  /** Finds the rows by transaction, so that the cost does not grow with the length of an account's history. */
  const removeFromHistories = (end: number): void => {
    let last = -1;
    for (;;) {
      const rows = doomed.all(last, end, BATCH);
      for (const { id, meta } of rows)
        for (const address of affectedAccounts(JSON.parse(meta))) removeAccount.run(accountId(address), id);
      if (rows.length < BATCH) return;
      last = rows[BATCH - 1]!.id;
    }
  };
  return {
    firstIndex: (): number | undefined => first.get(),
    /**
     * Deletes every ledger before `keep`, with its transactions and unused versions of entries. `since` is the first
     * ledger of the history. The cost grows with the deleted part only.
     */
    forgetBefore: (keep: number, since: number): void => {
      const values = { keep, first: since, id: keep * POSITIONS };
      removeFromHistories(values.id);
      for (const statement of statements) statement.run(values);
    },
    wipe: (): void => {
      for (const table of ['ledger', 'tx', 'account_tx', 'waiting', 'entry', 'tree']) db.exec(`DELETE FROM ${table}`);
    },
  };
}

const WAIT_FOR_LOCK_MS = 2_000;
/** Codes of SQLite for a file that is no database, or a damaged one. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT|FORMAT)/;

/**
 * An open transaction, which the system ends with the process. A file with other content holds no lock, so it is made
 * anew. The error says nothing against the ledger.
 */
function lockBeside(path: string): Database.Database {
  const file = `${path}.lock`;
  try {
    return locked(file);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === 'SQLITE_BUSY') throw error;
    if (!DAMAGED.test(code ?? ''))
      throw new Error(`The lock file ${file} cannot be used (${message}): remove it.`, { cause: error });
    rmSync(file);
    return locked(file);
  }
}

function locked(file: string): Database.Database {
  const lock = openSqlite(file, { timeout: WAIT_FOR_LOCK_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The files of one database. */
const SUFFIXES = ['', '-wal', '-shm'];

/** D-33: a database that cannot be used is lost state. It is kept as `<path>.corrupt`, and a new one begins. */
export function openUsable<T>(path: string, log: Log, open: (path: string) => T): T {
  try {
    return open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error({ file: path, error: String(error) }, 'the XRP Ledger cannot use its state; a new ledger begins');
    for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.corrupt${suffix}`);
    return open(path);
  }
}

/** A database of SQLite with other content lacks tables or columns, or holds no JSON. */
const isDamage = (error: unknown): boolean => {
  const { code = '', name } = error as Error & { code?: string };
  return DAMAGED.test(code) || code === 'SQLITE_ERROR' || ['SyntaxError', 'TypeError'].includes(name);
};

/**
 * A transaction's id is its ledger index and its position, so the transactions of a ledger are stored together.
 * `entry` keeps every version of a state entry by the ledger that wrote it (json NULL: deleted there), so that every
 * kept ledger can be read. `tree` holds the inner nodes of the newest state tree.
 */
const SCHEMA = `
CREATE TABLE IF NOT EXISTS ledger (
  seq INTEGER PRIMARY KEY,
  hash TEXT NOT NULL UNIQUE,
  parent_hash TEXT NOT NULL,
  transaction_hash TEXT NOT NULL,
  account_hash TEXT NOT NULL,
  total_coins TEXT NOT NULL,
  close_time INTEGER NOT NULL,
  parent_close_time INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS tx (
  id INTEGER PRIMARY KEY,
  hash BLOB NOT NULL UNIQUE,
  json TEXT NOT NULL,
  meta TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS account_tx (
  account BLOB NOT NULL,
  id INTEGER NOT NULL,
  PRIMARY KEY (account, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS waiting (
  hash BLOB NOT NULL UNIQUE,
  blob BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS entry (
  key BLOB NOT NULL,
  ledger INTEGER NOT NULL,
  json TEXT,
  PRIMARY KEY (key, ledger)
) STRICT, WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS entry_ledger ON entry (ledger);
CREATE TABLE IF NOT EXISTS tree (
  path TEXT PRIMARY KEY,
  node BLOB NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS property (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Positions in one ledger. */
export const POSITIONS = 2 ** 20;
export const idOf = (ledger: number, position: number): number => ledger * POSITIONS + position;
