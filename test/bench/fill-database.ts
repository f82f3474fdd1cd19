import { readFileSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { secretBox } from '../../src/kernel/secrets.ts';

export interface Amounts {
  verifications: number;
  vasps: number;
  exchanges: number;
  timers: number;
}

const AT_ONCE = 50_000;
const SPREAD_MS = 90 * 86_400_000;

/** Copies the few verifications of a database, with everything about them, until there are very many. The program is stopped. */
export function fillDatabase(path: string, amounts: Amounts, vaspId: string): void {
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -400000');
  try {
    keepOriginals(db, vaspId);
    for (let from = 0; from < amounts.verifications; from += AT_ONCE)
      db.transaction(() => {
        numbers(db, from, Math.min(from + AT_ONCE, amounts.verifications));
        copyVerifications(db, amounts, vaspId);
      })();
    addBalance(db, amounts.verifications, vaspId);
    db.transaction(() => addVasps(db, amounts.vasps, vaspId, path))();
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

/** The uuid of the verification of a number. */
export const uuidOf = (n: number): string => `${hex((n * 2_654_435_761) % 2 ** 32, 8)}-0000-4000-8000-${hex(n, 12)}`;
const hex = (n: number, length: number): string => n.toString(16).padStart(length, '0');

function numbers(db: Sqlite.Database, from: number, to: number): void {
  db.exec('DELETE FROM temp.numbers');
  db.prepare(
    `INSERT INTO temp.numbers
     SELECT value, printf('%08x-0000-4000-8000-%012x', (value * 2654435761) & 4294967295, value), value % ?
     FROM generate_series`.replace(
      'generate_series',
      '(WITH RECURSIVE n(value) AS (SELECT ? UNION ALL SELECT value + 1 FROM n WHERE value + 1 < ?) SELECT value FROM n)',
    ),
  ).run(originals(db), from, to);
}

const originals = (db: Sqlite.Database): number =>
  (db.prepare('SELECT count(*) AS n FROM temp.originals').get() as { n: number }).n;

function keepOriginals(db: Sqlite.Database, vaspId: string): void {
  db.exec(`CREATE TEMP TABLE numbers (n INTEGER PRIMARY KEY, uuid TEXT, original INTEGER)`);
  db.exec('CREATE TEMP TABLE originals (k INTEGER PRIMARY KEY, uuid TEXT UNIQUE)');
  db.prepare(
    `INSERT INTO temp.originals SELECT row_number() OVER (ORDER BY id) - 1, uuid FROM enclave_verifications
     WHERE originating_vasp_id = ?`,
  ).run(vaspId);
  for (const [table, column] of Object.entries(TABLES))
    db.exec(
      `CREATE TEMP TABLE of_${table} AS SELECT * FROM main.${table}
       WHERE ${column} IN (SELECT uuid FROM temp.originals);
       CREATE INDEX temp.by_${table} ON of_${table} (${column})`,
    );
}

/** Table -> the column of the verification. */
const TABLES = {
  enclave_verifications: 'uuid',
  enclave_callbacks: 'verification_uuid',
  runtime_history: 'verification_uuid',
  runtime_exchanges: 'verification_uuid',
  // A status query.
  runtime_timers: 'key',
  robot_expectations: 'verification_uuid',
};

function copyVerifications(db: Sqlite.Database, amounts: Amounts, vaspId: string): void {
  const at = `${Date.now() - SPREAD_MS} + numbers.n * ${Math.floor(SPREAD_MS / amounts.verifications)}`;
  const address = `printf('0x%040x', numbers.n)`;
  copy(db, 'enclave_verifications', {
    created_at: at,
    originator_account_number: address,
    originator_account_key: address,
  });
  copy(db, 'enclave_callbacks', { created_at: at });
  copy(db, 'runtime_history', {});
  const last = (most: number) => `numbers.n >= ${amounts.verifications - most}`;
  copy(db, 'runtime_exchanges', { at }, last(amounts.exchanges / 2));
  copy(
    db,
    'runtime_timers',
    { key: 'numbers.uuid', due_at: `${Date.now() + SPREAD_MS} + numbers.n` },
    last(amounts.timers),
  );
  copy(db, 'robot_expectations', { created_at: at });
  db.prepare(
    `INSERT INTO robot_deposits (status, symbol, tx_hash, "index", from_account, account, amount, height, block_hash, note,
       verification_uuid, vasp_id, at, after_history)
     SELECT iif(n % 20, 'CREDITED', 'UNATTRIBUTED'), 'ETH', printf('0x%064x', n), 0, printf('0x%040x', n), printf('0x%040x', 170), '0.5', 0,
       printf('0x%064x', n), '', iif(n % 20, uuid, NULL), ?, ${at}, 0 FROM temp.numbers AS numbers WHERE n % 10 = 0`,
  ).run(vaspId);
  db.prepare(
    `INSERT INTO robot_transfers (verification_uuid, status, vasp_id, user_id, symbol, account, wallet_index, to_account,
       amount, omit_tx_report, is_held, tx_hash, created_at)
     SELECT uuid, 'CONFIRMED', ?, 'taylor-robbins', 'ETH', printf('0x%040x', 170), 0, printf('0x%040x', 187), '0.1', 0, 0, printf('0x%064x', n), ${at}
     FROM temp.numbers AS numbers WHERE n % 10 = 1`,
  ).run(vaspId);
}

/** Of the deposits and transfers of `copyVerifications`: a twentieth is credited with 0.5, a tenth pays 0.1. */
function addBalance(db: Sqlite.Database, verifications: number, vaspId: string): void {
  const [credited, paidOut] = [(verifications / 20) * 0.5, verifications / 100];
  db.prepare(
    `INSERT INTO robot_balances (vasp_id, symbol, account, tag, credited, paid_out)
     VALUES (?, 'ETH', printf('0x%040x', 170), -1, ?, ?)`,
  ).run(vaspId, String(credited), String(paidOut));
}

function copy(db: Sqlite.Database, table: keyof typeof TABLES, changed: Record<string, string>, only = '1') {
  const columns = (db.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
  const column = TABLES[table];
  const all: Record<string, string> = { [column]: 'numbers.uuid', ...changed };
  const copied = columns.filter(name => name !== 'id');
  const values = copied.map(name => all[name] ?? `original."${name}"`);
  db.exec(
    `INSERT INTO main.${table} (${copied.map(name => `"${name}"`)}) SELECT ${values}
     FROM temp.numbers AS numbers JOIN temp.originals AS it ON it.k = numbers.original
     JOIN temp.of_${table} AS original ON original.${column} = it.uuid
     WHERE ${only}`,
  );
}

/** Addresses are encrypted as the program does it: at its start it would seal them, and write the whole file anew. */
function addVasps(db: Sqlite.Database, count: number, vaspId: string, path: string): void {
  const box = secretBox([readFileSync(path.replace(/\.sqlite$/, '.data-key'), 'utf8').trim()]);
  db.function('sealed', id => box.seal('{}', `${id} endpoints`));
  const names = (db.pragma('table_info(enclave_vasps)') as { name: string }[]).map(({ name }) => name);
  const changed: Record<string, string> = {
    vasp_id: `CAST(8000000000000000000 + value AS TEXT)`,
    name: `'VASP ' || value`,
    endpoints: 'sealed(CAST(8000000000000000000 + value AS TEXT))',
    authorization_token: 'NULL',
    provider_keys: 'NULL',
    api_key_hash: `printf('%064x', value)`,
  };
  db.prepare(
    `WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?)
     INSERT INTO enclave_vasps (${names.join(', ')})
     SELECT ${names.map(name => changed[name] ?? `vasp.${name}`)} FROM n, enclave_vasps AS vasp WHERE vasp.vasp_id = ?`,
  ).run(count, vaspId);
}
