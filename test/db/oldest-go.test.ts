import { beforeEach, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import * as assessments from '../../src/enclave/risk/store.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { auditStore } from '../../src/tenants/store.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { until } from '../support/until.ts';

const MOST = 250;
const path = scratchDatabase()('oldest-go.sqlite');
let db: Db;
beforeEach(() => {
  db = openDb(path);
  return () => db.close();
});

test('of the audit entries of a VASP the oldest go, and those of others stay', async () => {
  let now = 0;
  const audit = auditStore(db, silentLog, () => now, MOST);
  const add = (vaspId: string, at: number) => {
    now = at;
    audit.add({ role: 'vasp', vaspId, action: 'POST /v1', target: '', outcome: 429 });
  };
  const kept = (vaspId: string) =>
    audit.page({ after: undefined, order: 'oldest', limit: 10_000, vaspId }).map(({ at }) => at);
  add('quiet', 0);
  for (let at = 0; at < 3_000; at++) add('loud', at);
  await until(() => kept('loud').at(-1) === 2_999);
  expect(kept('loud').length).toBeLessThan(MOST + 100);
  expect(kept('loud')).toEqual(Array.from({ length: kept('loud').length }, (_, n) => 3_000 - kept('loud').length + n));
  expect(kept('quiet')).toEqual([0]);
});

test('of the assessments of a VASP the oldest go, also those that wait for a result, and those of others stay', () => {
  const add = (callerVaspId: string, n: number) =>
    write(db, tx =>
      assessments.insert(
        tx,
        {
          requestId: `${callerVaspId} ${n}`,
          kind: 'kyt',
          status: n % 2 === 0 ? 'REGISTERED' : 'PROCESSED',
          callerVaspId,
          counterpartyVaspId: '1',
          direction: 'OUTGOING',
          verificationUuid: 'a verification',
          request: {},
          createdAt: n,
        },
        10,
      ),
    );
  add('quiet', 0);
  for (let n = 0; n < 25; n++) add('loud', n);
  const kept = (vaspId: string) => assessments.listOf(db, vaspId, undefined, 100).map(({ createdAt }) => createdAt);
  expect(kept('loud')).toEqual(Array.from({ length: 10 }, (_, n) => 24 - n));
  expect(kept('quiet')).toEqual([0]);
});
