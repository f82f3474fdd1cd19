import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { expect, test } from 'vitest';
import { actAs } from '../../src/contract/tenancy.ts';
import { addDecimalFunctions, addFormerText } from '../../src/db/former-text.ts';
import { newestHistory, unguardedHistoryOf } from '../../src/db/history.ts';
import { openDb, openFile } from '../../src/db/open.ts';
import { insertRow } from '../../src/db/prepared-statements.ts';
import { exchanges } from '../../src/db/schema/runtime.ts';
import { write } from '../../src/db/transaction.ts';
import * as callbackLists from '../../src/enclave/callbacks/list-store.ts';
import * as verificationRemoval from '../../src/enclave/verification/removal-store.ts';
import * as verificationLists from '../../src/enclave/verification/search-store.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { exchangeStore } from '../../src/sandbox/exchanges/store.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';

const at = scratchDatabase();

/** A database with the migrations before the one of this name. */
function databaseBefore(name: string, path: string): Sqlite.Database {
  const folder = join(dirname(path), 'drizzle');
  cpSync('drizzle', folder, { recursive: true });
  const journal = join(folder, 'meta', '_journal.json');
  const { entries, ...rest } = JSON.parse(readFileSync(journal, 'utf8'));
  const first = entries.findIndex(({ tag }: { tag: string }) => tag.endsWith(`_${name}`));
  writeFileSync(journal, JSON.stringify({ ...rest, entries: entries.slice(0, first) }));
  const old = openFile(path);
  addFormerText(old);
  addDecimalFunctions(old);
  migrate(drizzle(old), { migrationsFolder: folder });
  return old;
}

const NAMED = '{"legalPerson":{"name":{"nameIdentifier":[{"legalPersonName":"Tested VASP"}]}}}';

/** With the uuid `v`. `vasps`: the columns of the names of both VASPs. */
function addVerification(
  old: Sqlite.Database,
  vasps: object = { ivms101_originating_vasp: NAMED, ivms101_beneficiary_vasp: '{}' },
  originator: object = { accountNumber: ['x'] },
): void {
  const verification = {
    uuid: 'v',
    status: 'OPEN',
    key_type: 'PerVasp',
    required_beneficiary_info: '',
    symbol: 'ETH',
    amount: '1',
    is_exceeding_threshold: 0,
    trade_price: '1',
    trade_currency: 'KRW',
    trade_iso_datetime: '',
    originating_vasp_id: 'a',
    originator_account_number: '0x1',
    originator_account_key: '0x1',
    beneficiary_vasp_id: 'b',
    beneficiary_account_number: '0x2',
    beneficiary_account_key: '0x2',
    payload_version: '1',
    ivms101_originator: JSON.stringify(originator),
    ivms101_beneficiary: '{"accountNumber":["y"]}',
    created_at: 5,
    ...vasps,
  };
  const names = Object.keys(verification);
  old
    .prepare(`INSERT INTO enclave_verifications (${names}) VALUES (${names.map(() => '?')})`)
    .run(...Object.values(verification));
}

test('the lines of an older history keep their order, and exchanges their place among them', () => {
  const path = at('upgrade.sqlite');
  const old = databaseBefore('write-less', path);
  addVerification(old);
  const insert = old.prepare(
    `INSERT INTO runtime_history (machine, row_key, verification_uuid, vasp_id, from_state, event, to_state, at, cause, detail)
     VALUES (?, ?, 'v', ?, ?, ?, ?, 5, 'because', ?)`,
  );
  insert.run('judge', 'v', null, null, 'judged', 'DENIED', '{"user":"taylor"}');
  insert.run('timer', 'robot.deposit.inquire', 'a', null, 'fired', null, '{"began":1}');
  insert.run('callback', '7', 'a', 'PENDING', 'delivered', 'DELIVERED', null);
  old.exec(
    `INSERT INTO runtime_exchanges (vasp_id, direction, operation, method, url, duration_ms, at, after_history)
     VALUES ('a', 'IN', 'o', 'GET', '/', 0, 5, 2)`,
  );
  old.close();

  const db = openDb(path);
  const lines = unguardedHistoryOf(db, 'v');
  expect(lines.map(({ id: _, ...line }) => line)).toEqual([
    {
      machine: 'judge',
      rowKey: 'v',
      vaspId: null,
      from: null,
      event: 'judged',
      to: 'DENIED',
      detail: { user: 'taylor' },
      ...COMMON,
    },
    {
      machine: 'timer',
      rowKey: 'robot.deposit.inquire',
      vaspId: 'a',
      from: null,
      event: 'fired',
      to: null,
      detail: { began: 1_999 },
      ...COMMON,
    },
    {
      machine: 'callback',
      rowKey: '7',
      vaspId: 'a',
      from: 'PENDING',
      event: 'delivered',
      to: 'DELIVERED',
      detail: null,
      ...COMMON,
    },
  ]);
  const ids = lines.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  const { afterHistory } = db.orm.select().from(exchanges).get()!;
  expect([ids[1]! < afterHistory, afterHistory < ids[2]!, ids[2]! <= newestHistory(db)]).toEqual([
    true,
    true,
    true,
  ]);
  db.close();
});

const COMMON = { verificationUuid: 'v', at: 5, cause: 'because' };

test('the rows of an older verification are found by its uuid', () => {
  const path = at('ids.sqlite');
  const old = databaseBefore('verification-ids', path);
  addVerification(old);
  old.exec(
    `INSERT INTO runtime_history (verification_uuid, lines)
     VALUES ('v', '[["judge",null,null,null,"judged","DENIED",5,"because",null]]');
     INSERT INTO enclave_callbacks (verification_uuid, receiver_vasp_id, callback_type, occasion, data, status, created_at)
     VALUES ('v', 'a', 'VERIFICATION_RESULT', '1', '{}', 'PENDING', 5);
     INSERT INTO runtime_exchanges (vasp_id, direction, operation, method, url, verification_uuid, duration_ms, at)
     VALUES ('a', 'IN', 'o', 'GET', '/', 'v', 0, 5), ('a', 'IN', 'o', 'GET', '/', 'unknown', 0, 5)`,
  );
  old.close();

  const db = openDb(path);
  const found = (verificationUuid: string) => ({
    history: unguardedHistoryOf(db, verificationUuid).length,
    callbacks: callbackLists.page(db, 'a', { verificationUuid, limit: 9 }).length,
    exchanges: exchangeStore(db).listOf(actAs('a'), { verificationUuid, limit: 9 }).rows.length,
  });
  expect(found('v')).toEqual({ history: 1, callbacks: 1, exchanges: 1 });
  expect(verifications.find(db, 'v')).toMatchObject({ originatingVaspName: 'Tested VASP' });
  expect(found('unknown')).toEqual({ history: 0, callbacks: 0, exchanges: 1 });
  const exchange = { vaspId: 'a', direction: 'IN', operation: 'o', method: 'GET', url: '/' } as const;
  write(db, tx => insertRow(tx, exchanges, { ...exchange, verificationUuid: 'v', durationMs: 0, at: 5 }));
  const named = () =>
    exchangeStore(db)
      .listOf(actAs('a'), { limit: 9 })
      .rows.map(row => row.verificationUuid);
  expect(named()).toEqual(['v', 'unknown', 'v']);
  write(db, tx => verificationRemoval.removeAll(tx, ['v']));
  expect(found('v').exchanges).toBe(2);
  expect(named()).toEqual(['v', 'unknown', 'v']);
  db.close();
});

test('an older database does not tell when a clock was moved: rows from before count as if it never was', () => {
  const path = at('clocks.sqlite');
  const old = databaseBefore('clock-moves', path);
  old.exec("INSERT INTO runtime_clocks (owner, offset_ms) VALUES ('a', 3600000)");
  old.close();
  const db = openDb(path);
  const clock = sandboxClock(db, systemClock);
  const yesterday = systemClock.now() - 86_400_000;
  expect(clock.timeAt('a', yesterday)).toBe(yesterday);
  expect(clock.aheadOf('a')).toBe(3_600_000);
  db.close();
});

test('an older verification is found by the names of its persons, before and after its transaction is reported', () => {
  const path = at('names.sqlite');
  const old = databaseBefore('search-names', path);
  const vasps = { originating_vasp_name: 'A', beneficiary_vasp_name: 'B' };
  const name = { nameIdentifier: [{ primaryIdentifier: 'Robbins', secondaryIdentifier: 'Tay' }] };
  addVerification(old, vasps, { originatorPersons: [{ naturalPerson: { name } }] });
  old.close();

  const db = openDb(path);
  const found = (text: string) =>
    verificationLists.newest(db, { words: [{ text, accounts: [] }], limit: 5 }, 'a').rows;
  const [row] = found('robb');
  expect(row).toMatchObject({ uuid: 'v' });
  write(db, tx => verifications.patch(tx, row!.id, { txHash: '0xabc' }));
  for (const word of ['robb', 'tay', '0xab', 'v']) expect(found(word)).toHaveLength(1);
  expect(found('obbins')).toEqual([]);
  db.close();
});
