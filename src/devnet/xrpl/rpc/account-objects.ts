import { accountId } from '../addresses.ts';
import { parseHash } from '../hash.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import { booleanField, limitField, ownedPage, ownerOf } from './fields.ts';
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

/** Channels are not offered, so this list is empty. */
export function accountChannels(request: RpcRequest): Json {
  const { destination_account: to } = request.params;
  if (to !== undefined && to !== '' && !accountId(to)) throw rpcError('actMalformed');
  return emptyList(request, 'channels', () => false);
}

/** NFTs are not offered, so this list is empty. */
export const accountNfts = (request: RpcRequest): Json =>
  emptyList(request, 'account_nfts', marker => parseHash(marker) !== undefined);

function emptyList(request: RpcRequest, list: string, isMarker: (text: string) => boolean): Json {
  const { address, ledger } = ownerOf(request);
  limitField(request);
  const { marker } = request.params;
  if (marker !== undefined && typeof marker !== 'string') throw invalidField('marker', 'string');
  if (marker !== undefined && !isMarker(marker)) throw invalidField('marker');
  return { account: address, [list]: [], ...ledger.named };
}
