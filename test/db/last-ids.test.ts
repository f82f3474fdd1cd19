import { beforeEach, expect, test } from 'vitest';
import { groupCommit } from '../../src/db/group-commit.ts';
import { type Db, openDb } from '../../src/db/open.ts';
import { lastIdOf } from '../../src/db/prepared-statements.ts';
import { verifications } from '../../src/db/schema/enclave.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import { verificationStore } from '../../src/enclave/verification/store.ts';
import { verification } from '../support/db/verification.ts';

let db: Db;
let insert: (tx: Tx, uuid: string) => number;
beforeEach(() => {
  db = openDb(':memory:');
  const store = verificationStore(db);
  insert = (tx, uuid) => store.insert(tx, verification(uuid)).id;
  return () => db.close();
});
const last = () => lastIdOf(db, verifications);
const storedLast = () =>
  Number(
    db.sqlite.prepare("SELECT seq FROM sqlite_sequence WHERE name = 'enclave_verifications'").pluck().get() ??
      0,
  );

test('the last id follows each row, inside the transaction and after it', () => {
  expect(last()).toBe(0);
  write(db, tx => {
    const id = insert(tx, 'a');
    expect(last()).toBe(id);
    insert(tx, 'b');
    expect(last()).toBe(id + 1);
  });
  expect(last()).toBe(2);
  expect(last()).toBe(storedLast());
});

test('a row whose insertion was undone has left no last id', async () => {
  write(db, tx => void insert(tx, 'a'));
  expect(last()).toBe(1);
  expect(() =>
    write(db, tx => {
      insert(tx, 'b');
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(last()).toBe(1);
  const undone = groupCommit(db, tx => {
    insert(tx, 'c');
    throw new Error('no');
  });
  const other = groupCommit(db, tx => insert(tx, 'd'));
  await expect(undone).rejects.toThrow('no');
  expect(last()).toBe(await other);
  expect(last()).toBe(storedLast());
});

test('the last id stays when its row is deleted', () => {
  write(db, tx => void insert(tx, 'a'));
  const before = last();
  write(db, tx => void tx.orm.delete(verifications).run());
  expect(last()).toBe(before);
  expect(storedLast()).toBe(before);
});
