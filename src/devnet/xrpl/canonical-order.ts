import { requireAccountId } from './addresses.ts';
import { fromHex, updateTree } from './hash-tree.ts';
import type { Transaction } from './signature.ts';

/**
 * The order in which a closing ledger applies its transactions (XRPL-4.3). Accounts are sorted by their id, scrambled with
 * the hash of the whole set, so that nobody can choose a place. Within an account Sequences ascend and tickets come last.
 */
export function canonicalOrder(transactions: readonly Transaction[]): Transaction[] {
  const leaves = transactions.map(tx => ({ key: tx.hash, hash: fromHex(tx.hash) }));
  const salt = fromHex(updateTree(new Map(), leaves));
  const places = new Map<string, Buffer>();
  for (const { account } of transactions) if (!places.has(account)) places.set(account, scrambled(account, salt));
  return [...transactions].sort((a, b) => {
    const byAccount = Buffer.compare(places.get(a.account) as Buffer, places.get(b.account) as Buffer);
    return byAccount || compareWithinAccount(a, b);
  });
}

/** The last account to submit comes first, so that results differ from the provisional ones. For tests. */
export function reversedOrder(transactions: readonly Transaction[]): Transaction[] {
  const places = new Map<string, number>();
  for (const { account } of transactions) if (!places.has(account)) places.set(account, places.size);
  const place = (tx: Transaction): number => places.get(tx.account) ?? 0;
  return [...transactions].sort((a, b) => place(b) - place(a) || compareWithinAccount(a, b));
}

function scrambled(account: string, salt: Buffer): Buffer {
  const place = Buffer.from(salt);
  requireAccountId(account).forEach((byte, i) => {
    place[i] = byte ^ (salt[i] ?? 0);
  });
  return place;
}

export function compareWithinAccount(a: Transaction, b: Transaction): number {
  if ((a.ticket === undefined) !== (b.ticket === undefined)) return a.ticket === undefined ? -1 : 1;
  return (a.ticket ?? a.sequence) - (b.ticket ?? b.sequence) || (a.hash < b.hash ? -1 : 1);
}
