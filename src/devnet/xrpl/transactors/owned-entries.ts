import { type AccountRoot, type Entry, ownerDirectoryKey } from '../entries.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import { addToDirectory, type Listed, listed, removeEmptyDirectory, removeFromDirectory } from './directory.ts';

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
