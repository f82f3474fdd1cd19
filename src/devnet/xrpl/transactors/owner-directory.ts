import { ownerDirectoryKey } from '../entries.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import {
  addToDirectory,
  type Listed,
  listed,
  removeEmptyDirectory,
  removeFromDirectory,
} from './directory.ts';

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

export const ownedEntries = (view: ReadView, owner: string): Listed[] => [
  ...listed(view, ownerDirectoryKey(owner)),
];

export const ownedKeys = (view: ReadView, owner: string): string[] =>
  ownedEntries(view, owner).map(({ key }) => key);
