import { accountKey } from '../entries.ts';
import { ownedKeys } from '../transactors/owner-directory.ts';
import { type Json, rpcError } from './errors.ts';
import { accountField, limitField } from './fields.ts';
import { type SelectedLedger, selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

/** The account of the request. Throws if the selected ledger does not have it. */
function ownerOf(request: RpcRequest): { address: string; ledger: SelectedLedger } {
  const address = accountField(request, () => selectLedger(request).named);
  const ledger = selectLedger(request);
  if (!ledger.view.read(accountKey(address)))
    throw rpcError('actNotFound', undefined, { ...ledger.named, account: address });
  return { address, ledger };
}

/** Trust lines, offers and channels are not offered, so these lists are empty. */
const nothingIn =
  (list: string) =>
  (request: RpcRequest): Json => {
    const { address, ledger } = ownerOf(request);
    limitField(request);
    return { account: address, [list]: [], ...ledger.named };
  };

export const accountLines = nothingIn('lines');
export const accountOffers = nothingIn('offers');
export const accountChannels = nothingIn('channels');

export function accountCurrencies(request: RpcRequest): Json {
  const { ledger } = ownerOf(request);
  return { receive_currencies: [], send_currencies: [], ...ledger.named };
}

/** What the account owns (tickets), page by page; the marker is the key of the first entry of the next page. */
export function accountObjects(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const { marker, type } = request.params;
  const limit = limitField(request);
  const requested = type === undefined ? undefined : String(type).toLowerCase();
  const keys = ownedKeys(key => ledger.view.read(key), address);
  const start = marker === undefined ? 0 : keys.indexOf(String(marker));
  if (start < 0) throw rpcError('invalidParams', "Invalid field 'marker'.");
  const page = keys
    .slice(start, start + limit)
    .map(key => ({ ...ledger.view.read(key), index: key }) as Json);
  const next = keys[start + limit];
  return {
    account: address,
    account_objects: page.filter(
      entry => !requested || String(entry.LedgerEntryType).toLowerCase() === requested,
    ),
    limit,
    ...ledger.named,
    ...(next ? { marker: next } : {}),
  };
}
