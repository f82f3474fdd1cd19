import { expect, test } from 'vitest';
import { RunRequest } from '../../src/contract/plans.ts';
import { openDb } from '../../src/db/open.ts';
import { runs } from '../../src/db/schema/plans.ts';
import { write } from '../../src/db/transaction.ts';
import { newDataKey, secretBox } from '../../src/kernel/secrets.ts';
import * as runStore from '../../src/plans/store.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';

const settings = RunRequest.parse({
  plan: 'deposit',
  driver: { url: 'http://127.0.0.1:3000/driver', token: 'a-secret-token' },
  customers: CUSTOMERS,
});
const RUN = { id: 'r1', vaspId: '1', plan: 'deposit', settings, digits: 10, startedAt: 1, endedAt: null };

test('customers and driver of a run are stored encrypted, and removed when it ends', () => {
  const db = openDb(':memory:');
  const box = secretBox([newDataKey()]);
  const run = { ...RUN, isStopped: false, problem: null, judgedBy: null, summary: null };
  write(db, tx => runStore.insert(tx, box, run, []));
  const stored = () => db.orm.select().from(runs).get()!.settings;
  expect(stored()).not.toMatch(/a-secret-token|Barnes|driver/);
  expect(runStore.unfinished(db, box)).toEqual([run]);
  write(db, tx => runStore.end(tx, box, { ...run, endedAt: 2 }));
  expect(runStore.unfinished(db, box)).toEqual([]);
  const { customers: _, driver: __, ...kept } = settings;
  expect(stored()).toMatch(/^sealed:/);
  expect(runStore.find(db, box, 'r1', '1')?.settings).toEqual(kept);
});
