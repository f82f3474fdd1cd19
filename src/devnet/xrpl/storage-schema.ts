/**
 * A transaction's id is its ledger index and its position, so the transactions of a ledger are stored together.
 * `entry` keeps every version of a state entry by the ledger that wrote it (json NULL: deleted there), so that every
 * kept ledger can be read. `tree` holds the inner nodes of the newest state tree. `ledger_hash` outlives its ledger,
 * because the LedgerHashes entries of later ledgers need it.
 */
export const SCHEMA = `
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
CREATE TABLE IF NOT EXISTS ledger_hash (
  seq INTEGER PRIMARY KEY,
  hash BLOB NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS property (
  name TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`;

/** Positions in one ledger. */
export const POSITIONS = 2 ** 20;
export const idOf = (ledger: number, position: number): number => ledger * POSITIONS + position;
