import { beforeEach, describe, expect, test } from 'vitest';
import { deleteHistory, record, unguardedHistoryOf } from '../../src/db/history.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import * as tables from '../../src/db/schema/robot.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { insertMoved, recordBegin, transition } from '../../src/db/transition.ts';
import { verificationStatus } from '../../src/enclave/verification/machine.ts';
import * as verifications from '../../src/enclave/verification/store.ts';
import { IllegalTransition } from '../../src/kernel/machine.ts';
import { expectationStatus } from '../../src/robot/expectation/machine.ts';
import * as expectations from '../../src/robot/expectation/store.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { verification } from '../support/db/verification.ts';

const at = scratchDatabase();
const path = at('transition.sqlite');
let db: Db;
let made = 0;
beforeEach(() => {
  db = openDb(path);
  return () => db.close();
});

const fresh = () => write(db, tx => verifications.insert(tx, verification(`uuid-${made++}`)));
const stored = (uuid: string) => verifications.find(db, uuid)!;
const change = { at: 5_000, cause: 'because' };

describe('transition: the only writer of a status', () => {
  test('moves the row along the arrow, with the patch, and answers the row as it is now', () => {
    const row = fresh();
    const patch = { reason: 'OK', message: '', verifiedAt: 5_000, isCredited: true, txHash: null };
    const moved = write(db, tx => transition(tx, verificationStatus, row, 'verified', { ...change, patch }));
    expect(moved).toEqual({ ...row, ...patch, status: 'VERIFIED' });
    expect(stored(row.uuid)).toEqual(moved);
  });

  test('inserts a row that is not stored yet in its new state, with one history row', () => {
    const row = verification(`uuid-${made++}`);
    const patch = { reason: 'OK' as const, verifiedAt: 5_000 };
    const moved = write(db, tx => insertMoved(tx, verificationStatus, row, 'verified', { ...change, patch }));
    expect(moved).toMatchObject({ ...row, ...patch, id: expect.any(Number), status: 'VERIFIED' });
    expect(stored(row.uuid)).toEqual(moved);
    expect(unguardedHistoryOf(db, row.uuid)).toMatchObject([
      { from: 'OPEN', event: 'verified', to: 'VERIFIED', at: 5_000, cause: 'because' },
    ]);
    const illegal = { ...verification(`uuid-${made++}`), status: 'DENIED' as const };
    expect(() => write(db, tx => insertMoved(tx, verificationStatus, illegal, 'verified', change))).toThrow(
      IllegalTransition,
    );
    expect(verifications.find(db, illegal.uuid)).toBeUndefined();
  });

  test('appends one history row: from, arrow, to, when and why', () => {
    const row = fresh();
    write(db, tx => {
      recordBegin(tx, verificationStatus, row, 1_000, 'opened');
      transition(tx, verificationStatus, row, 'failed', { ...change, detail: { tried: 3 } });
    });
    const common = { machine: 'verification', rowKey: row.uuid, verificationUuid: row.uuid };
    expect(unguardedHistoryOf(db, row.uuid)).toMatchObject([
      { ...common, from: null, event: 'begin', to: 'OPEN', at: 1_000, cause: 'opened', detail: null },
      { ...common, from: 'OPEN', event: 'failed', to: 'ERROR', at: 5_000, cause: 'because', detail: { tried: 3 } },
    ]);
  });

  test('an arrow that is not there throws IllegalTransition and leaves no trace', () => {
    const row = fresh();
    const illegal = () =>
      write(db, tx => transition(tx, verificationStatus, row, 'error-reported', { ...change, patch: { reason: 'X' } }));
    expect(illegal).toThrow(IllegalTransition);
    expect(illegal).toThrow("verification: no arrow 'error-reported' from OPEN");
    expect(stored(row.uuid)).toEqual(row);
    expect(unguardedHistoryOf(db, row.uuid)).toEqual([]);
  });

  test('final stays final', () => {
    const row = fresh();
    const denied = write(db, tx => transition(tx, verificationStatus, row, 'denied', change));
    for (const event of ['verified', 'denied', 'unknown', 'failed', 'error-reported'] as const)
      expect(() => write(db, tx => transition(tx, verificationStatus, denied, event, change))).toThrow(
        IllegalTransition,
      );
    expect(stored(row.uuid).status).toBe('DENIED');
  });

  test('a row that another connection has moved meanwhile is not moved again', () => {
    const row = fresh();
    const other = openDb(path);
    write(other, tx => transition(tx, verificationStatus, row, 'verified', { ...change, cause: 'the first' }));
    expect(() => write(db, tx => transition(tx, verificationStatus, row, 'denied', change))).toThrow(/moved meanwhile/);
    expect(stored(row.uuid).status).toBe('VERIFIED');
    expect(unguardedHistoryOf(db, row.uuid).map(({ cause }) => cause)).toEqual(['the first']);
    other.close();
  });

  test('what is done with it in the same transaction is undone with it', () => {
    const row = fresh();
    const failing = () =>
      write(db, tx => {
        transition(tx, verificationStatus, row, 'verified', change);
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(stored(row.uuid)).toEqual(row);
    expect(unguardedHistoryOf(db, row.uuid)).toEqual([]);
  });

  test('moves no other row, and works on a table whose key is text', () => {
    const insert = (tx: Tx, verificationUuid: string) =>
      expectations.insert(tx, {
        verificationUuid,
        status: 'OPEN',
        vaspId: '1',
        userId: 'u',
        symbol: 'ETH',
        account: 'a',
        amount: '1',
        originatorAccounts: [],
        createdAt: 1,
      });
    const [one, two] = write(db, tx => [insert(tx, 'one'), insert(tx, 'two')] as const);
    write(db, tx => transition(tx, expectationStatus, one, 'credited', change));
    expect(
      db.orm
        .select()
        .from(tables.expectations)
        .all()
        .map(({ status }) => status),
    ).toEqual(['CREDITED', 'OPEN']);
    expect(unguardedHistoryOf(db, two.verificationUuid)).toEqual([]);
  });

  test('an unknown event, and a status in a patch of a store, do not compile', () => {
    const never = (tx: Tx) => {
      // @ts-expect-error no such event
      transition(tx, verificationStatus, stored('x'), 'verify', change);
      // @ts-expect-error a status moves by `advance` alone
      verifications.patch(tx, 1, { status: 'VERIFIED' });
      // @ts-expect-error the same for the robot's
      expectations.patch(tx, 'x', { status: 'CREDITED' });
    };
    expect(never).toBeDefined();
  });
});

describe('history', () => {
  const fact = (uuid: string, cause: string) => ({
    machine: 'judge' as const,
    rowKey: uuid,
    verificationUuid: uuid,
    from: null,
    event: 'judged',
    to: 'VERIFIED',
    at: 1,
    cause,
  });

  test('keeps the first and the newest rows of a verification, and what was decided about faults', () => {
    const { uuid } = fresh();
    const line = (n: number) => ({ ...fact(uuid, String(n)), machine: n === 500 ? 'fault' : 'judge' }) as const;
    for (let n = 0; n < 5_000; n++) write(db, tx => record(tx, line(n)));
    const kept = unguardedHistoryOf(db, uuid).map(({ cause }) => Number(cause));
    expect(kept.length).toBeLessThanOrEqual(2_000);
    expect(kept.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => n));
    expect(kept[100]).toBe(500);
    expect(kept.slice(-1_800)).toEqual(Array.from({ length: 1_800 }, (_, n) => 3_200 + n));
  });

  test('is deleted for the named verifications only', () => {
    const kept = fresh();
    const gone = write(db, tx => verifications.insert(tx, verification('gone')));
    write(db, tx => {
      recordBegin(tx, verificationStatus, kept, 1, 'kept');
      recordBegin(tx, verificationStatus, gone, 1, 'gone');
    });
    write(db, tx => deleteHistory(tx, [gone.uuid]));
    expect(unguardedHistoryOf(db, gone.uuid)).toEqual([]);
    expect(unguardedHistoryOf(db, kept.uuid)).toHaveLength(1);
  });
});
