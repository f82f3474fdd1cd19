import { beforeEach, expect, test } from 'vitest';
import { groupCommit } from '../../src/db/group-commit.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import { readVerificationId } from '../../src/db/verification-ids.ts';
import { type VerificationStore, verificationStore } from '../../src/enclave/verification/store.ts';
import { verification } from '../support/db/verification.ts';

const ROW = verification('v');
let db: Db;
let store: VerificationStore;
beforeEach(() => {
  db = openDb(':memory:');
  store = verificationStore(db);
  return () => db.close();
});

test('the id of a verification is known as soon as it is inserted', () => {
  const id = write(db, tx => {
    const { id } = store.insert(tx, ROW);
    expect(readVerificationId(tx, ROW.uuid)).toBe(id);
    return id;
  });
  expect(readVerificationId(db, ROW.uuid)).toBe(id);
});

test('no verification has the id of one whose insertion was undone', async () => {
  const failing = () =>
    write(db, tx => {
      store.insert(tx, ROW);
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(readVerificationId(db, ROW.uuid)).toBeNull();
  const undone = groupCommit(db, tx => {
    store.insert(tx, ROW);
    throw new Error('no');
  });
  const other = groupCommit(db, tx => store.insert(tx, verification('other')).id);
  await expect(undone).rejects.toThrow('no');
  expect(readVerificationId(db, ROW.uuid)).toBeNull();
  expect(readVerificationId(db, verification('other').uuid)).toBe(await other);
});

test('a deleted verification has no id', () => {
  write(db, tx => void store.insert(tx, ROW));
  write(db, tx => store.removeOne(tx, ROW.uuid));
  expect(readVerificationId(db, ROW.uuid)).toBeNull();
  write(db, tx => void store.insert(tx, ROW));
  write(db, tx => store.removeOf(tx, ROW.originatingVaspId));
  expect(readVerificationId(db, ROW.uuid)).toBeNull();
});
