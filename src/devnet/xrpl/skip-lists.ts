import type Database from 'better-sqlite3';
import { encode } from 'ripple-binary-codec';
import { type Entry, recentHashesKey, skipListKey } from './entries.ts';
import { fromHex, type LeafChange, STATE_LEAF, sha512Half, toHex, variableLength } from './hash-tree.ts';

/** The number of hashes in the recent list. Every ledger with an index divisible by this has its hash in a long list. */
const SPAN = 256;
const BLOCK_SHIFT = 16;

/**
 * The LedgerHashes entries: the hashes of the last 256 ledgers, and those of every 256th ledger in blocks of 65,536.
 * They change in every ledger, so they are computed from the ledger hashes instead of being stored with each ledger.
 */
export function skipLists(db: Database.Database) {
  const between = db.prepare<[number, number], Row>(
    'SELECT seq, hash FROM ledger_hash WHERE seq BETWEEN ? AND ? ORDER BY seq',
  );
  const everySpan = db.prepare<[number, number], Row>(
    `SELECT seq, hash FROM ledger_hash WHERE seq BETWEEN ? AND ? AND seq > 0 AND seq % ${SPAN} = 0 ORDER BY seq`,
  );
  const insert = db.prepare('INSERT OR REPLACE INTO ledger_hash (seq, hash) VALUES (?, ?)');
  const recentRows = (index: number) => between.all(Math.max(1, index - SPAN), index - 1);
  const blockRows = (number: number, index: number) => {
    const start = number << BLOCK_SHIFT;
    return everySpan.all(start, Math.min(start + (1 << BLOCK_SHIFT), index) - 1);
  };
  const recent = (index: number) => entryOf(recentRows(index));
  const block = (number: number, index: number) => entryOf(blockRows(number, index));
  return {
    insertHash: (index: number, hash: string): void => void insert.run(index, fromHex(hash)),
    /** The LedgerHashes entry of this key in the ledger `index`; undefined: there is none. */
    skipList(key: string, index: number): Entry | undefined {
      if (key === recentHashesKey) return recent(index);
      for (let number = 0; number <= (index - 1) >> BLOCK_SHIFT; number++)
        if (key === skipListKey(number)) return block(number, index);
      return undefined;
    },
    /** The LedgerHashes entries of the ledger `index`, sorted by key. */
    skipListsOf(index: number): { key: string; entry: Entry }[] {
      const blocks = Array.from({ length: ((index - 1) >> BLOCK_SHIFT) + 1 }, (_, number) => ({
        key: skipListKey(number),
        entry: block(number, index),
      }));
      return [{ key: recentHashesKey, entry: recent(index) }, ...blocks]
        .flatMap(({ key, entry }) => (entry ? [{ key, entry }] : []))
        .sort((a, b) => (a.key < b.key ? -1 : 1));
    },
    /** The leaves of the state tree that the ledger `index` changes. */
    changedSkipLists(index: number): LeafChange[] {
      const number = (index - 1) >> BLOCK_SHIFT;
      const changed = [leafOf(recentHashesKey, recentRows(index))];
      if ((index - 1) % SPAN === 0) changed.push(leafOf(skipListKey(number), blockRows(number, index)));
      return changed;
    },
  };
}

interface Row {
  readonly seq: number;
  readonly hash: Buffer;
}

const FIXED = { LedgerEntryType: 'LedgerHashes', Flags: 0 } as const;

function entryOf(rows: readonly Row[]): Entry | undefined {
  const last = rows.at(-1);
  return last && { ...FIXED, Hashes: rows.map(({ hash }) => toHex(hash)), LastLedgerSequence: last.seq };
}

/** The header of the last field, `Hashes`. The codec reads them as text, which costs more than the rest of a ledger. */
const HASHES = Buffer.of(2, 19);

function leafOf(key: string, rows: readonly Row[]): LeafChange {
  const last = rows.at(-1);
  if (!last) return { key, hash: undefined };
  const head = fromHex(encode({ ...FIXED, LastLedgerSequence: last.seq }));
  const hashes = rows.map(({ hash }) => hash);
  const length = variableLength(hashes.length * last.hash.length);
  return { key, hash: sha512Half(STATE_LEAF, head, HASHES, length, ...hashes, fromHex(key)) };
}
