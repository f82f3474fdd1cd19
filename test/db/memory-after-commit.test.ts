import { beforeEach, expect, test } from 'vitest';
import { type Db, openDb } from '../../src/db/open.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { vaspStore } from '../../src/enclave/vasps/store.ts';
import { secretBox } from '../../src/kernel/secrets.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';

const BOX = secretBox(['a key of the tests, long enough']);
/** Memory beside a table follows the table: after the commit, and never without one. */

let db: Db;
beforeEach(() => {
  db = openDb(':memory:');
  return () => db.close();
});

function undone(change: (tx: Tx) => void): void {
  const failing = () =>
    write(db, tx => {
      change(tx);
      throw new Error('no');
    });
  expect(failing).toThrow('no');
}

const VASP = {
  vaspId: '1',
  name: 'One',
  endpoints: {},
  authorization: { header: 'Authorization' },
  isActive: true,
  createdAt: 1,
  updatedAt: 1,
};

test('the sandbox clock does not move by a transaction that is undone', () => {
  const clock = sandboxClock(db, { now: () => 1_000 });
  undone(tx => clock.moveTo(tx, 'a', 5_000));
  expect(clock.now('a')).toBe(1_000);
  write(db, tx => clock.moveTo(tx, 'a', 5_000));
  expect(clock.now('a')).toBe(5_000);
  undone(tx => clock.reset(tx, 'a'));
  expect(clock.now('a')).toBe(5_000);
  write(db, tx => clock.reset(tx, 'a'));
  expect(clock.now('a')).toBe(1_000);
});

test('a VASP is registered by a commit alone', () => {
  const vasps = vaspStore(db, BOX);
  undone(tx => vasps.save(tx, VASP, 'key'));
  expect(vasps.find('1')).toBeUndefined();
  expect(vasps.findIdByApiKey('key')).toBeUndefined();
  write(db, tx => vasps.save(tx, VASP, 'key'));
  expect(vasps.findIdByApiKey('key')).toBe('1');
  undone(tx => vasps.save(tx, { ...VASP, name: 'Two' }));
  expect(vasps.nameOf('1')).toBe('One');
});

test('the health of a VASP changes by a commit alone', () => {
  const vasps = vaspStore(db, BOX);
  write(db, tx => vasps.save(tx, VASP));
  undone(() => vasps.recordHealth('1', false));
  expect(vasps.find('1')?.health).toBe('UP');
  vasps.recordHealth('1', false);
  expect(vasps.find('1')?.health).toBe('DOWN');
  expect(vaspStore(db, BOX).find('1')?.health).toBe('DOWN');
});
