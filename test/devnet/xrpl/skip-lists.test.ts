import Database from 'better-sqlite3';
import { encode } from 'ripple-binary-codec';
import { expect, test } from 'vitest';
import { fromHex, STATE_LEAF, sha512Half } from '../../../src/devnet/xrpl/hash-tree.ts';
import { skipLists } from '../../../src/devnet/xrpl/skip-lists.ts';

const LEDGERS = 600;
const db = new Database(':memory:');
db.exec('CREATE TABLE ledger_hash (seq INTEGER PRIMARY KEY, hash BLOB); CREATE TABLE property (name, value)');
const lists = skipLists(db);
for (let seq = 1; seq <= LEDGERS; seq++)
  lists.insertHash(seq, sha512Half(Buffer.from(`ledger ${seq}`)).toString('hex'));

// The length of the hashes takes two bytes from 7 on; the ledgers after 256 and 512 change a long list, too.
test.each([2, 7, 8, 256, 257, 513, 600])('the leaves of ledger %i are those of its entries', index => {
  const entries = new Map(lists.skipListsOf(index).map(({ key, entry }) => [key, entry]));
  const changed = lists.changedSkipLists(index);
  expect(changed).toHaveLength(index % 256 === 1 ? 2 : 1);
  for (const { key, hash } of changed)
    expect(hash).toEqual(sha512Half(STATE_LEAF, fromHex(encode(entries.get(key)!)), fromHex(key)));
});
