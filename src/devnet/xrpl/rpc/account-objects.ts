import { parseHash } from '../hash.ts';
import type { ReadView } from '../ledger-view.ts';
import { ownedEntries } from '../transactors/owner-directory.ts';
import { entryTypeField } from './entry-types.ts';
import { invalidField, type Json } from './errors.ts';
import { booleanField, limitField, ownerOf } from './fields.ts';
import type { RpcRequest } from './request.ts';

/** Entries of these types are in no owner directory. */
const NEVER_OWNED = new Set(['Amendments', 'DirectoryNode', 'FeeSettings', 'LedgerHashes', 'NegativeUNL']);

/** The owned entries of an account, page by page. The marker names the next entry: its directory page and its key. */
export function accountObjects(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const matches = filterOf(request);
  const limit = limitField(request);
  const owned = ownedEntries(ledger.view, address);
  const start = startOf(request, owned);
  const page = owned.slice(start, start + limit).map(({ key }) => withIndex(ledger.view, key));
  const next = owned[start + limit];
  return {
    account: address,
    account_objects: page.filter(matches),
    ...ledger.named,
    ...(next ? { limit, marker: `${next.page},${next.key}` } : {}),
  };
}

const withIndex = (view: ReadView, key: string): Json => ({ ...view.read(key), index: key });

function filterOf(request: RpcRequest): (entry: Json) => boolean {
  const type = entryTypeField(request.params);
  // No type of this ledger blocks the deletion of an account.
  if (booleanField(request, 'deletion_blockers_only')) return () => false;
  if (type !== undefined && NEVER_OWNED.has(type)) throw invalidField('type');
  return entry => type === undefined || entry.LedgerEntryType === type;
}

function startOf({ params }: RpcRequest, owned: readonly { page: string; key: string }[]): number {
  const { marker } = params;
  if (marker === undefined) return 0;
  if (typeof marker !== 'string') throw invalidField('marker', 'string');
  const [page, key] = marker.split(',').map(parseHash);
  const start = owned.findIndex(entry => entry.page === page && entry.key === key);
  if (start < 0) throw invalidField('marker');
  return start;
}
