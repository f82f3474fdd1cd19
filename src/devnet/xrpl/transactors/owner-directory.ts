import { type DirectoryNode, directoryPageKey, type Entry, ownerDirectoryKey } from '../entries.ts';
import type { LedgerView } from '../ledger-view.ts';

/**
 * The owner directory of an account: pages of at most 32 keys, linked in a ring from the root page (page 0). Page numbers
 * are hex text, as the codec writes 64-bit fields. An absent link leads to the root.
 */
const PAGE_SIZE = 32;

const pageNumber = (link: string | undefined): bigint => BigInt(`0x${link ?? '0'}`);
const linkTo = (page: bigint): string => page.toString(16).toUpperCase();

/** Adds a key and returns the number of its page. */
export function addToOwnerDirectory(view: LedgerView, owner: string, key: string): bigint {
  const rootKey = ownerDirectoryKey(owner);
  const root = view.read(rootKey) as DirectoryNode | undefined;
  if (!root) {
    view.write(rootKey, newPage(owner, rootKey, key));
    return 0n;
  }
  const last = pageNumber(root.IndexPrevious);
  const lastKey = directoryPageKey(rootKey, last);
  const page = pageAt(view, lastKey);
  if (page.Indexes.length < PAGE_SIZE) {
    view.write(lastKey, { ...page, Indexes: [...page.Indexes, key].sort() });
    return last;
  }
  const next = last + 1n;
  view.write(lastKey, { ...page, IndexNext: linkTo(next) });
  view.write(rootKey, { ...pageAt(view, rootKey), IndexPrevious: linkTo(next) });
  const created = newPage(owner, rootKey, key);
  view.write(
    directoryPageKey(rootKey, next),
    next === 1n ? created : { ...created, IndexPrevious: linkTo(last) },
  );
  return next;
}

/** Deletes a ticket from the state, the owner directory and the owner count. */
export function removeTicket(view: LedgerView, owner: string, key: string): void {
  const ticket = view.read(key);
  const account = view.account(owner);
  if (!ticket || !account) throw new Error(`ticket ${key} is missing`);
  removeFromOwnerDirectory(view, owner, pageNumber(ticket.OwnerNode as string), key);
  view.erase(key);
  const { TicketCount, ...rest } = account;
  const left = (TicketCount ?? 1) - 1;
  const owned = { ...rest, OwnerCount: account.OwnerCount - 1 } as typeof account;
  view.writeAccount(left > 0 ? { ...owned, TicketCount: left } : owned);
}

/** An empty root page stays. Another empty page is deleted. */
function removeFromOwnerDirectory(view: LedgerView, owner: string, number: bigint, key: string): void {
  const rootKey = ownerDirectoryKey(owner);
  const pageKey = directoryPageKey(rootKey, number);
  const page = pageAt(view, pageKey);
  const left = page.Indexes.filter(index => index !== key);
  if (left.length > 0 || number === 0n) {
    view.write(pageKey, { ...page, Indexes: left });
    return;
  }
  const previousKey = directoryPageKey(rootKey, pageNumber(page.IndexPrevious));
  const nextKey = directoryPageKey(rootKey, pageNumber(page.IndexNext));
  view.write(previousKey, { ...pageAt(view, previousKey), IndexNext: linkTo(pageNumber(page.IndexNext)) });
  view.write(nextKey, { ...pageAt(view, nextKey), IndexPrevious: linkTo(pageNumber(page.IndexPrevious)) });
  view.erase(pageKey);
}

/** Every key in the owner directory, page by page. */
export function ownedKeys(read: (key: string) => Entry | undefined, owner: string): string[] {
  const rootKey = ownerDirectoryKey(owner);
  const keys: string[] = [];
  let page = read(rootKey) as DirectoryNode | undefined;
  while (page) {
    keys.push(...page.Indexes);
    const next = pageNumber(page.IndexNext);
    page = next === 0n ? undefined : (read(directoryPageKey(rootKey, next)) as DirectoryNode | undefined);
  }
  return keys;
}

function pageAt(view: LedgerView, key: string): DirectoryNode {
  const page = view.read(key);
  if (!page) throw new Error(`directory page ${key} is missing`);
  return page as DirectoryNode;
}

const newPage = (owner: string, rootKey: string, key: string): DirectoryNode => ({
  LedgerEntryType: 'DirectoryNode',
  Flags: 0,
  Owner: owner,
  RootIndex: rootKey,
  Indexes: [key],
});
