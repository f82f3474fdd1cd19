import { expect, onTestFinished, test } from 'vitest';
import { actAs } from '../../src/contract/tenancy.ts';
import { openDb } from '../../src/db/open.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { type ExchangeStore, exchangeStore } from '../../src/sandbox/exchanges/store.ts';
import { exchange } from '../support/db/exchange.ts';

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
  const list = () => store.listOf(actAs('1'), { limit: 10 }).rows.map(row => row.verificationUuid);
  expect(list()).toEqual([UUID]);
  store.record(EXCHANGE);
  write(db, tx => removeAll(store, tx));
  expect(list()).toEqual([]);
});
