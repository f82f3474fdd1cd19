import { expect, onTestFinished, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { type ExchangeStore, exchangeStore } from '../../src/sandbox/exchanges/store.ts';
import { exchange } from '../support/db/exchange.ts';
import { verification } from '../support/db/verification.ts';

const UUID = '33e4cad7-8b84-4339-b509-5578118125fc';
const EXCHANGE = { ...exchange('1'), verificationUuid: UUID };

test.each<[string, (store: ExchangeStore, tx: Tx) => void]>([
  ['of a verification', (store, tx) => store.removeOfVerification(tx, UUID)],
  ['of a VASP that is reset', (store, tx) => store.removeOf(tx, '1')],
  ['of a VASP that goes', (store, tx) => store.forgetVasp(tx, '1')],
])('exchanges %s that wait to be written go with the stored ones', (_, removeAll) => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db);
  store.record(EXCHANGE);
  const list = () => store.listOf(asCaller('1'), { limit: 10 }).rows.map(row => row.verificationUuid);
  expect(list()).toEqual([UUID]);
  store.record(EXCHANGE);
  write(db, tx => removeAll(store, tx));
  expect(list()).toEqual([]);
});

test('old exchanges without a verification go a few at a time; young ones and those of others stay', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db);
  const row = verification('open');
  write(db, tx => void verifications.insert(tx, row));
  const times = (vaspId: string) => store.listOf(asCaller(vaspId), { limit: 999 }).rows.map(({ at }) => at);
  for (let at = 1; at <= 100; at++) {
    const verificationUuid = at === 50 ? row.uuid : at === 60 ? UUID : null;
    for (const vaspId of ['1', '2']) store.record({ ...exchange(vaspId), at, verificationUuid });
  }
  let before = times('1').length;
  for (const _ of store.removeOld('1', 90)) {
    const left = times('1').length;
    expect(before - left).toBeLessThanOrEqual(10);
    before = left;
  }
  expect(times('1')).toEqual([100, 99, 98, 97, 96, 95, 94, 93, 92, 91, 50]);
  expect(times('2')).toHaveLength(100);
});

test('the number of kept exchanges is right after old ones have gone', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db, 300);
  const record = (from: number, to: number) => {
    for (let at = from; at <= to; at++) store.record({ ...exchange('1'), at });
    return store.listOf(asCaller('1'), { limit: 999 }).rows.length;
  };
  expect(record(1, 499)).toBe(499);
  expect([...store.removeOld('1', 199)]).toHaveLength(20);
  expect(record(500, 698)).toBe(300);
  expect(record(699, 699)).toBe(300);
});

test('long bodies of a VASP make room by its oldest exchanges, and those of others stay', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const store = exchangeStore(db, 300, 100_000);
  const times = (vaspId: string) => store.listOf(asCaller(vaspId), { limit: 999 }).rows.map(({ at }) => at);
  const record = (vaspId: string, from: number, to: number, length: number) => {
    for (let at = from; at <= to; at++) {
      store.record({ ...exchange(vaspId), request: 'é'.repeat(length / 2), response: null, at });
      times(vaspId);
    }
    return times(vaspId);
  };
  expect(record('2', 1, 50, 1_000)).toHaveLength(50);
  expect(record('1', 1, 100, 10)).toHaveLength(100);
  const kept = record('1', 101, 220, 1_000);
  expect(kept[0]).toBe(220);
  expect(kept.length).toBeLessThanOrEqual(120);
  expect(times('2')).toHaveLength(50);
  write(db, tx => store.removeOf(tx, '1'));
  expect(record('1', 221, 310, 1_000)).toHaveLength(90);
});
