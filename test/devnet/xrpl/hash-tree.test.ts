import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashes } from 'xrpl';
import {
  fromHex,
  type LeafChange,
  type NodeStore,
  STATE_LEAF,
  sha512Half,
  toHex,
  updateTree,
} from '../../../src/devnet/xrpl/hash-tree.ts';

/** Keys that agree on long prefixes, so that nodes split and dissolve deep down. */
const key = fc.oneof(
  fc.stringMatching(/^[0-9A-F]{64}$/),
  fc.tuple(fc.constantFrom('A', 'AB', 'ABCDEF'), fc.integer({ min: 0, max: 40 })).map(([head, n]) => {
    const tail = n.toString(16).toUpperCase().padStart(2, '0');
    return head.padEnd(62, '0') + tail;
  }),
);
const ENTRY =
  '1100612200000000240000000125000000002D00000000550000000000000000000000000000000000000000000000000000000000000000624000000000000001';
const entry = fc
  .integer({ min: 0, max: 0xffff })
  .map(n => ENTRY.slice(0, -4) + n.toString(16).toUpperCase().padStart(4, '0'));
const leaf = (index: string, data: string): Buffer => sha512Half(STATE_LEAF, fromHex(data), fromHex(index));

/** The same tree, built whole by the client library. */
const oracle = (state: ReadonlyMap<string, string>): string =>
  hashes.hashStateTree([...state].map(([index, data]) => ({ index, ...decodeEntry(data) })) as never);

const decodeEntry = (data: string) => ({
  LedgerEntryType: 'AccountRoot',
  Flags: 0,
  Sequence: 1,
  PreviousTxnLgrSeq: 0,
  OwnerCount: 0,
  PreviousTxnID: '0'.repeat(64),
  Balance: String(Number.parseInt(data.slice(-4), 16)),
});

test('after any changes the root is that of the tree built anew by the client library', () => {
  const steps = fc.array(fc.array(fc.tuple(key, fc.option(entry, { nil: undefined })), { maxLength: 12 }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(steps, batches => {
      const store = new Map();
      const state = new Map<string, string>();
      for (const batch of batches) {
        const last = new Map(batch);
        for (const [index, data] of last) {
          if (data === undefined) state.delete(index);
          else state.set(index, data);
        }
        const changes = [...last].map(
          ([index, data]): LeafChange => ({ key: index, hash: data ? leaf(index, data) : undefined }),
        );
        expect(updateTree(store, changes)).toBe(oracle(state));
      }
    }),
    { numRuns: 150 },
  );
});

test('a tree that was emptied leaves no node behind', () => {
  fc.assert(
    fc.property(fc.uniqueArray(key, { maxLength: 30 }), keys => {
      const store = new Map<string, Buffer>();
      updateTree(
        store,
        keys.map(k => ({ key: k, hash: leaf(k, ENTRY) })),
      );
      expect(
        updateTree(
          store,
          keys.map(k => ({ key: k, hash: undefined })),
        ),
      ).toBe('0'.repeat(64));
      expect(store.size).toBe(0);
    }),
  );
});

test('one change among 20,000 leaves touches the nodes of one path', () => {
  let reads = 0;
  let writes = 0;
  const kept = new Map<string, Buffer>();
  const store: NodeStore = {
    get: path => {
      reads++;
      return kept.get(path);
    },
    set: (path, node) => {
      writes++;
      kept.set(path, node);
    },
    delete: path => kept.delete(path),
  };
  const keys = Array.from({ length: 20_000 }, (_, n) => toHex(sha512Half(Buffer.from(`leaf ${n}`))));
  updateTree(
    store,
    keys.map(k => ({ key: k, hash: leaf(k, ENTRY) })),
  );
  [reads, writes] = [0, 0];
  updateTree(store, [{ key: keys[777] as string, hash: leaf(keys[777] as string, ENTRY.replace(/.$/, '2')) }]);
  expect(reads).toBeLessThanOrEqual(7);
  expect(writes).toBeLessThanOrEqual(7);
});
