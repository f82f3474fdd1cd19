import {
  type AccountRoot,
  type DirectoryNode,
  directoryPageKey,
  type Entry,
  type LedgerView,
  ownerDirectoryKey,
  type ReadView,
} from '../entries.ts';

/**
 * A directory: pages of at most 32 keys, linked in a ring from the root page (page 0). Page numbers are hex text, as the
 * codec writes 64-bit fields. An absent link leads to the root.
 */
interface Directory {
  /** Key of the root page. */
  readonly root: string;
  /** The fields that every page has. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Keys are sorted within a page. False: they stand in the order of their arrival. */
  readonly isSorted: boolean;
}

const PAGE_SIZE = 32;

const pageNumber = (link: string | undefined): bigint => BigInt(`0x${link ?? '0'}`);
const linkTo = (page: bigint): string => page.toString(16).toUpperCase();

/** Adds a key and returns the number of its page as text. */
export function addToDirectory(view: LedgerView, directory: Directory, key: string): string {
  const { root: rootKey, isSorted } = directory;
  const root = view.read(rootKey) as DirectoryNode | undefined;
  if (!root) {
    view.write(rootKey, newPage(directory, key));
    return linkTo(0n);
  }
  const last = pageNumber(root.IndexPrevious);
  const lastKey = directoryPageKey(rootKey, last);
  const page = pageAt(view, lastKey);
  if (page.Indexes.length < PAGE_SIZE) {
    const Indexes = [...page.Indexes, key];
    view.write(lastKey, { ...page, Indexes: isSorted ? Indexes.sort() : Indexes });
    return linkTo(last);
  }
  const next = last + 1n;
  view.write(lastKey, { ...page, IndexNext: linkTo(next) });
  view.write(rootKey, { ...pageAt(view, rootKey), IndexPrevious: linkTo(next) });
  const created = newPage(directory, key);
  view.write(directoryPageKey(rootKey, next), next === 1n ? created : { ...created, IndexPrevious: linkTo(last) });
  return linkTo(next);
}

/**
 * Removes a key from its page. An empty page is deleted. The root page is deleted only when the whole directory is empty,
 * and never with `keep-root`, which a used ticket asks for.
 */
export function removeFromDirectory(
  view: LedgerView,
  rootKey: string,
  node: string,
  key: string,
  root?: 'keep-root',
): void {
  const number = pageNumber(node);
  const pageKey = directoryPageKey(rootKey, number);
  const page = pageAt(view, pageKey);
  const left = page.Indexes.filter(index => index !== key);
  view.write(pageKey, { ...page, Indexes: left });
  if (left.length > 0) return;
  if (number > 0n) unlinkPage(view, rootKey, pageKey, page);
  if (root !== 'keep-root') removeEmptyDirectory(view, rootKey);
}

/** Deletes the root page if the directory has no other page and no keys. Returns false: it is not empty. */
function removeEmptyDirectory(view: LedgerView, rootKey: string): boolean {
  const root = view.read(rootKey) as DirectoryNode | undefined;
  if (!root) return true;
  if (root.Indexes.length > 0 || pageNumber(root.IndexNext) !== 0n) return false;
  view.erase(rootKey);
  return true;
}

function unlinkPage(view: LedgerView, rootKey: string, pageKey: string, page: DirectoryNode): void {
  const previousKey = directoryPageKey(rootKey, pageNumber(page.IndexPrevious));
  const nextKey = directoryPageKey(rootKey, pageNumber(page.IndexNext));
  view.write(previousKey, { ...pageAt(view, previousKey), IndexNext: linkTo(pageNumber(page.IndexNext)) });
  view.write(nextKey, { ...pageAt(view, nextKey), IndexPrevious: linkTo(pageNumber(page.IndexPrevious)) });
  view.erase(pageKey);
}

interface Listed {
  /** Key of the directory page. */
  readonly page: string;
  readonly key: string;
}

/** The whole directory, page by page. */
export function* listed(view: ReadView, rootKey: string): Generator<Listed> {
  let pageKey: string | undefined = rootKey;
  while (pageKey !== undefined) {
    const page = view.read(pageKey) as DirectoryNode | undefined;
    for (const key of page?.Indexes ?? []) yield { page: pageKey, key };
    const next = pageNumber(page?.IndexNext);
    pageKey = next === 0n ? undefined : directoryPageKey(rootKey, next);
  }
}

function pageAt(view: LedgerView, key: string): DirectoryNode {
  const page = view.read(key);
  if (!page) throw new Error(`directory page ${key} is missing`);
  return page as DirectoryNode;
}

const newPage = ({ root, fields }: Directory, key: string): DirectoryNode => ({
  LedgerEntryType: 'DirectoryNode',
  Flags: 0,
  ...fields,
  RootIndex: root,
  Indexes: [key],
});

/** What an account owns: its directory, and the count for its reserve. */

/** Writes a new entry of `owner` and adds it to the owner directory and the owner count. */
export function addOwned(view: LedgerView, owner: string, key: string, entry: Entry): void {
  const page = addToOwnerDirectory(view, owner, key);
  view.write(key, { ...entry, OwnerNode: page });
  changeOwnerCount(view, owner, 1);
}

/** Deletes an entry of `owner` from the state, the owner directory and the owner count. */
export function removeOwned(view: LedgerView, owner: string, key: string): void {
  const entry = view.read(key);
  if (!entry) throw new Error(`entry ${key} is missing`);
  const isTicket = entry.LedgerEntryType === 'Ticket';
  removeFromOwnerDirectory(view, owner, entry.OwnerNode as string, key, isTicket ? 'keep-root' : undefined);
  view.erase(key);
  if (isTicket) changeTicketCount(view, owner, -1);
  changeOwnerCount(view, owner, -1);
}

export function changeOwnerCount(view: LedgerView, owner: string, change: number): void {
  const account = view.requireAccount(owner);
  view.writeAccount({ ...account, OwnerCount: account.OwnerCount + change });
}

/** Without tickets the field is absent. */
export function changeTicketCount(view: LedgerView, owner: string, change: number): void {
  const { TicketCount = 0, ...rest } = view.requireAccount(owner);
  const left = TicketCount + change;
  view.writeAccount({ ...rest, ...(left > 0 ? { TicketCount: left } : {}) } as AccountRoot);
}

/** Adds a key to what an account owns, and returns the number of its page as text. */
export const addToOwnerDirectory = (view: LedgerView, owner: string, key: string): string =>
  addToDirectory(view, { root: ownerDirectoryKey(owner), fields: { Owner: owner }, isSorted: true }, key);

export const removeFromOwnerDirectory = (
  view: LedgerView,
  owner: string,
  ownerNode: string,
  key: string,
  root?: 'keep-root',
): void => removeFromDirectory(view, ownerDirectoryKey(owner), ownerNode, key, root);

/** Returns false: the account still owns something. */
export const removeEmptyOwnerDirectory = (view: LedgerView, owner: string): boolean =>
  removeEmptyDirectory(view, ownerDirectoryKey(owner));

export const ownedEntries = (view: ReadView, owner: string): Listed[] => [...listed(view, ownerDirectoryKey(owner))];

export const ownedKeys = (view: ReadView, owner: string): string[] => ownedEntries(view, owner).map(({ key }) => key);
