import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ClosedLedger, closeLedger } from '../../../src/devnet/xrpl/close.ts';
import { accountKey } from '../../../src/devnet/xrpl/entries.ts';
import type { LedgerHeader } from '../../../src/devnet/xrpl/hash-tree.ts';
import { parseTransaction } from '../../../src/devnet/xrpl/parse-transaction.ts';
import { accountId } from '../../../src/devnet/xrpl/signature.ts';
import { idOf, openStorage, type Storage } from '../../../src/devnet/xrpl/storage.ts';
import { addressOf, FEES, fillState } from '../../support/xrpl-ledger/large-state.ts';
import { genesis, NETWORK_ID, payment, signed, testLedger } from '../../support/xrpl-ledger/test-ledger.ts';

const AT = Date.UTC(2026, 6, 1);

/** A storage that counts what a close asks of it. */
function counted(storage: Storage) {
  const count = { reads: 0, writes: 0 };
  const read =
    <A extends unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      count.reads++;
      return work(...given);
    };
  const write =
    <A extends unknown[], R>(work: (...given: A) => R) =>
    (...given: A): R => {
      count.writes++;
      return work(...given);
    };
  const { tree } = storage;
  const counting: Storage = {
    ...storage,
    entry: read(storage.entry),
    putEntry: write(storage.putEntry),
    insertHeader: write(storage.insertHeader),
    insertTransaction: write(storage.insertTransaction),
    nextKey: () => {
      throw new Error('a close must not walk through the state');
    },
    tree: { get: read(tree.get), set: write(tree.set), delete: write(tree.delete) },
  };
  return { counting, count };
}

function close(storage: Storage, parent: LedgerHeader, blobs: string[] = []): ClosedLedger {
  return closeLedger(storage, {
    parent,
    transactions: blobs.map(parseTransaction),
    passes: 3,
    closedAt: AT,
    options: { fees: FEES, loadFactor: 1 },
  });
}

const pay = (Sequence: number, to: string) =>
  signed(payment(genesis, to, 1, { Sequence, Fee: '10', NetworkID: NETWORK_ID }), genesis);

/** Reads and writes of one close with ten payments, in a state of so many accounts. */
function costOf(accounts: number) {
  const storage = openStorage(':memory:');
  const header = fillState(storage, accounts, AT);
  const { counting, count } = counted(storage);
  const blobs = Array.from({ length: 10 }, (_, n) => pay(n + 1, addressOf(n)));
  const { transactions } = close(counting, header, blobs);
  expect(transactions.map(tx => tx.result)).toEqual(Array(10).fill('tesSUCCESS'));
  storage.close();
  return count;
}

test('a close costs what it changed: 100 times the accounts cost at most two more nodes of the tree per change', () => {
  const few = costOf(50);
  const many = costOf(5_000);
  const changes = 11;
  expect(many.reads - few.reads).toBeLessThanOrEqual(2 * changes);
  expect(many.writes - few.writes).toBeLessThanOrEqual(2 * changes);
});

test('the 10,000th ledger costs no more reads and writes than the 10th', { timeout: 60_000 }, () => {
  const storage = openStorage(':memory:');
  let header = fillState(storage, 20, AT);
  const { counting, count } = counted(storage);
  const costs: { reads: number; writes: number }[] = [];
  storage.atomically(() => {
    for (let n = 0; n < 10_000; n++) {
      const before = { ...count };
      const paying = n % 500 === 10 || n === 9_999;
      header = close(counting, header, paying ? [pay(1 + costs.length, addressOf(n % 20))] : []).header;
      const cost = { reads: count.reads - before.reads, writes: count.writes - before.writes };
      if (paying) costs.push(cost);
      else expect(cost).toEqual({ reads: 1, writes: 2 });
    }
  });
  expect(header.index).toBe(10_002);
  expect(costs).toHaveLength(21);
  expect(Math.max(...costs.map(cost => cost.reads))).toBeLessThanOrEqual(
    Math.min(...costs.map(cost => cost.reads)) + 4,
  );
  expect(Math.max(...costs.map(cost => cost.writes))).toBeLessThanOrEqual(
    Math.min(...costs.map(cost => cost.writes)) + 4,
  );
  storage.close();
});

/** The quickest of the closes that also forget a ledger, in a state of so many accounts. */
async function quickestPruningClose(accounts: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'xrpl-cost-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const databasePath = join(folder, 'ledger.sqlite');
  const storage = openStorage(databasePath);
  fillState(storage, accounts, AT);
  storage.close();
  const ledger = await testLedger({ databasePath, keepLedgers: 3 });
  const times: number[] = [];
  for (let n = 0; n < 25; n++) {
    await ledger.submitBlob(pay(n + 1, addressOf(n)));
    const startedAt = performance.now();
    ledger.controls.close();
    times.push(performance.now() - startedAt);
  }
  await ledger.close();
  return Math.min(...times.slice(5));
}

test('forgetting costs what is forgotten: 400 times the accounts do not make a close five times slower', async () => {
  const few = await quickestPruningClose(50);
  const many = await quickestPruningClose(20_000);
  expect(many / few).toBeLessThan(5);
});

/** So many ledgers with ten transactions each, all of one account; the quickest answer to each question. */
function quickestLooks(ledgers: number) {
  const storage = openStorage(':memory:');
  let header = fillState(storage, 10, AT);
  const [sample] = close(storage, header, [pay(1, addressOf(0))]).transactions;
  const hashOf = (n: number) => n.toString(16).toUpperCase().padStart(64, '0');
  storage.atomically(() => {
    for (let index = 4; index < 4 + ledgers; index++) {
      header = { ...header, index, hash: hashOf(index) };
      storage.insertHeader(header);
      for (let position = 0; position < 10; position++) {
        const hash = hashOf(index * 10 + position);
        storage.insertTransaction({ ...sample!, hash, ledgerIndex: index, position }, [genesis.address]);
      }
    }
  });
  const middle = 4 + Math.floor(ledgers / 2);
  const account = accountId(genesis.address) as Buffer;
  const [from, to] = [idOf(middle, 0), idOf(4 + ledgers, 0)];
  const page = (forward: boolean) => storage.accountHistory({ account, from, to, forward, limit: 200 });
  expect(page(true)).toHaveLength(200);
  const looks = {
    forward: () => page(true),
    backward: () => page(false),
    byHash: () => storage.transaction(hashOf(middle * 10 + 5)),
    ofLedger: () => storage.transactionsOf(middle),
    header: () => storage.header(middle),
    entry: () => storage.entry(accountKey(genesis.address), middle),
    first: () => storage.firstIndex(),
    last: () => storage.lastHeader(),
  };
  const times = Object.entries(looks).map(([name, look]) => [name, quickest(look)] as const);
  storage.close();
  return Object.fromEntries(times) as Record<keyof typeof looks, number>;
}

/** Of twenty times three. */
function quickest(look: () => unknown): number {
  let least = Number.POSITIVE_INFINITY;
  for (let n = 0; n < 20; n++) {
    const startedAt = performance.now();
    for (let m = 0; m < 3; m++) look();
    least = Math.min(least, performance.now() - startedAt);
  }
  return least;
}

test('with 100,000 transactions in 10,000 ledgers a look-up costs at most five times what it costs with 100 times fewer', () => {
  const few = quickestLooks(100);
  const many = quickestLooks(10_000);
  for (const name of Object.keys(few) as (keyof typeof few)[]) expect(many[name] / few[name], name).toBeLessThan(5);
});
