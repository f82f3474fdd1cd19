import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { checkHash } from '../../support/xrpl-ledger/invariants.ts';
import {
  accountOf,
  genesis,
  type Json,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
let ledger: TestLedger;
afterEach(() => ledger.close());

test('any kept ledger can be read as it was: accounts, state, hashes', async () => {
  ledger = await testLedger();
  const told: [number, bigint][] = [];
  for (let n = 1; n <= 6; n++) {
    await ledger.submit(payment(genesis, alice, BigInt(n) * XRP), genesis);
    told.push([ledger.controls.close().index, (BigInt(n * (n + 1)) / 2n) * XRP]);
  }
  for (const [index, balance] of told) {
    expect((await ledger.account(alice.address, index))?.Balance).toBe(String(balance));
    const wish = { ledger_index: index, transactions: true, expand: true, accounts: true, api_version: 1 };
    checkHash((await ledger.rpc('ledger', wish)).ledger as Json);
  }
});

test('with keepLedgers the ledger keeps that many, and each of them whole', async () => {
  ledger = await testLedger({ keepLedgers: 4 });
  await ledger.submit({ TransactionType: 'TicketCreate', Account: genesis.address, TicketCount: 40 }, genesis);
  for (let n = 0; n < 12; n++) {
    await ledger.submit(payment(genesis, alice, XRP), genesis);
    const tickets = (await ledger.rpc('account_objects', { account: genesis.address })).account_objects as Json[];
    const { TicketSequence } = tickets[0] as Json;
    await ledger.submit(payment(genesis, alice, XRP, { Sequence: 0, TicketSequence }), genesis);
    ledger.clock.time += 1_000;
    ledger.controls.close();
  }
  const info = (await ledger.rpc('server_info')).info as Json;
  const [first = 0, last = 0] = String(info.complete_ledgers).split('-').map(Number);
  expect(last - first).toBe(3);
  for (let index = first; index <= last; index++) {
    const wish = { ledger_index: index, transactions: true, expand: true, accounts: true, api_version: 1 };
    checkHash((await ledger.rpc('ledger', wish)).ledger as Json);
  }
  expect(await ledger.rpc('ledger', { ledger_index: first - 1 })).toMatchObject({ error: 'lgrNotFound' });
  const all = await ledger.rpc('account_tx', { account: alice.address });
  expect(all).toMatchObject({ ledger_index_min: first, ledger_index_max: last });
  expect((all.transactions as Json[]).every(tx => Number(tx.ledger_index) >= first)).toBe(true);
});

test('what is forgotten leaves nothing behind in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'xrpl-history-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const databasePath = join(folder, 'ledger.sqlite');
  ledger = await testLedger({ databasePath });
  const others = Array.from({ length: 30 }, (_, n) => accountOf(`other ${n}`));
  for (const other of others) {
    await ledger.submit(payment(genesis, other, 10n * XRP), genesis);
    ledger.controls.close();
  }
  const keep = ledger.controls.close().index;
  ledger.controls.forgetHistory(keep - 1);
  expect(await ledger.balance(others[0]!.address)).toBe(10n * XRP);
  await ledger.close();
  const db = new Database(databasePath, { readonly: true });
  const count = (table: string) => db.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
  // One header; the entries as they are now: genesis, fees, the amendments there may be, and every account once.
  expect([count('ledger'), count('tx'), count('account_tx')]).toEqual([1, 0, 0]);
  expect(count('entry')).toBe(db.prepare('SELECT count(DISTINCT key) FROM entry').pluck().get());
  db.close();
});
