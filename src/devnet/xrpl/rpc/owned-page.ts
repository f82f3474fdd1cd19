import type { Entry } from '../entries.ts';
import { parseHash } from '../hash.ts';
import type { ReadView } from '../ledger-view.ts';
import { ownedEntries } from '../transactors/owned-entries.ts';
import { invalidField, type Json } from './errors.ts';
import { limitField } from './fields.ts';
import type { RpcRequest } from './request.ts';

export interface OwnedEntry {
  readonly key: string;
  readonly entry: Entry;
}

/** A page of what an account owns. `more`: the fields of the answer that lead to the next page, which its marker begins. */
export function ownedPage(
  request: RpcRequest,
  view: ReadView,
  address: string,
): { entries: OwnedEntry[]; more: Json } {
  const limit = limitField(request);
  const owned = ownedEntries(view, address);
  const start = startOf(request, owned);
  const entries = owned
    .slice(start, start + limit)
    .map(({ key }) => ({ key, entry: view.read(key) as Entry }));
  const next = owned[start + limit];
  return { entries, more: next ? { limit, marker: `${next.page},${next.key}` } : {} };
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
