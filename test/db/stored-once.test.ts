import { eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { record, unguardedHistoryOf } from '../../src/db/history.ts';
import { openDb } from '../../src/db/open.ts';
import { expectations } from '../../src/db/schema/expectations.ts';
import { write } from '../../src/db/transaction.ts';
import { verificationStore } from '../../src/enclave/verification/store.ts';
import { expectationStore } from '../../src/robot/expectation/store.ts';
import { verification } from '../support/db/verification.ts';

const VERIFICATION = verification('v');

test('an account number is stored once, and read in both places', () => {
  const db = openDb(':memory:');
  const store = verificationStore(db);
  const first = ['0xAb', 'Other'] as [string, ...string[]];
  const row = {
    ...VERIFICATION,
    originatorAccountNumber: '0xAb',
    ivms101Originator: { originatorPersons: [], accountNumber: first, note: 'looseObject' } as never,
  };
  const inserted = write(db, tx => store.insert(tx, row));
  expect(inserted.ivms101Originator.accountNumber).toEqual(first);
  expect(store.find(row.uuid)).toEqual(inserted);
  expect(JSON.stringify(store.find(row.uuid)!.ivms101Originator)).toBe(JSON.stringify(row.ivms101Originator));
  const stored = () =>
    db.sqlite.prepare('SELECT unpacked(ivms101_originator) FROM enclave_verifications').pluck().get();
  expect(stored()).not.toContain('0xAb');
  // As in an older database.
  db.sqlite
    .prepare('UPDATE enclave_verifications SET ivms101_originator = ?')
    .run(JSON.stringify(row.ivms101Originator));
  expect(store.find(row.uuid)).toEqual(inserted);
  db.close();
});

test('the time of the lines of one moment is stored once', () => {
  const db = openDb(':memory:');
  const { uuid } = VERIFICATION;
  const times = [0, 7, 1_795_474_549_830, 1_795_474_549_830, 1_795_474_549_830, 5, 5];
  const line = { machine: 'judge', rowKey: uuid, verificationUuid: uuid, from: null, to: null } as const;
  write(db, tx => {
    verificationStore(db).insert(tx, VERIFICATION);
    for (const at of times) record(tx, { ...line, event: 'judged', at, cause: '' });
  });
  expect(unguardedHistoryOf(db, uuid).map(({ at }) => at)).toEqual(times);
  const [stored] = db.sqlite.prepare('SELECT unpacked(lines) FROM runtime_history').pluck().all();
  expect(String(stored).match(/1795474549830/g)).toHaveLength(1);
  db.close();
});

test.each([`0x${'0aF'.repeat(2)}`, `0x${'0af1'.repeat(16)}`, 'AF'.repeat(32), '0x', '0xabc', null])(
  'the hash %s is read as it was written',
  verifiedHash => {
    const db = openDb(':memory:');
    const row = { verificationUuid: 'v', vaspId: 'a', userId: 'u', symbol: 'ETH', account: 'x' } as const;
    write(db, tx =>
      tx.orm
        .insert(expectations)
        .values({ ...row, verifiedHash, status: 'OPEN', amount: '1', originatorAccounts: [], createdAt: 0 })
        .run(),
    );
    expect(expectationStore(db).find('v')?.verifiedHash).toBe(verifiedHash);
    expect(db.orm.select().from(expectations).where(eq(expectations.verifiedHash, '0x')).all()).toHaveLength(
      verifiedHash === '0x' ? 1 : 0,
    );
    db.close();
  },
);
