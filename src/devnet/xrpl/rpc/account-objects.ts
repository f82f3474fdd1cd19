import { invalidField, type Json } from './errors.ts';
import { booleanField, ownedPage, ownerOf } from './fields.ts';
import { entryTypeField } from './ledger-entry.ts';
import type { RpcRequest } from './request.ts';

/** Entries of these types are in no owner directory. */
const NEVER_OWNED = new Set(['Amendments', 'DirectoryNode', 'FeeSettings', 'LedgerHashes', 'NegativeUNL']);
/** Entries of these types keep their owner from being deleted. */
const BLOCKERS = new Set(['Escrow', 'RippleState']);

/** The owned entries of an account, page by page. */
export function accountObjects(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const matches = filterOf(request);
  const { entries, more } = ownedPage(request, ledger.view, address);
  const objects = entries.map(({ key, entry }): Json => ({ ...entry, index: key }));
  return { account: address, account_objects: objects.filter(matches), ...ledger.named, ...more };
}

function filterOf(request: RpcRequest): (entry: Json) => boolean {
  const type = entryTypeField(request.params);
  if (booleanField(request, 'deletion_blockers_only'))
    return ({ LedgerEntryType }) =>
      BLOCKERS.has(String(LedgerEntryType)) && (type === undefined || LedgerEntryType === type);
  if (type !== undefined && NEVER_OWNED.has(type)) throw invalidField('type');
  return entry => type === undefined || entry.LedgerEntryType === type;
}
