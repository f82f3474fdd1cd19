import { accountId } from '../addresses.ts';
import { parseHash } from '../hash.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import { limitField, ownerOf } from './fields.ts';
import type { RpcRequest } from './request.ts';

/** Channels and NFTs are not offered, so these lists are empty. */
const emptyList =
  (list: string, checks: (request: RpcRequest) => void = () => {}) =>
  (request: RpcRequest): Json => {
    checks(request);
    const { address, ledger } = ownerOf(request);
    limitField(request);
    checkMarker(request);
    return { account: address, [list]: [], ...ledger.named };
  };

/** A well-formed marker names an entry of the list. The list is empty, so no marker is valid. */
function checkMarker({ params: { marker } }: RpcRequest): void {
  if (marker === undefined) return;
  if (typeof marker !== 'string') throw invalidField('marker', 'string');
  throw rpcError('invalidParams');
}

const addressParameter =
  (field: string) =>
  ({ params }: RpcRequest): void => {
    const value = params[field];
    if (value !== undefined && value !== '' && !accountId(value)) throw rpcError('actMalformed');
  };

export const accountChannels = emptyList('channels', addressParameter('destination_account'));

export function accountNfts(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  limitField(request);
  const { marker } = request.params;
  if (marker !== undefined && typeof marker !== 'string') throw invalidField('marker', 'string');
  if (marker !== undefined && !parseHash(marker)) throw invalidField('marker');
  return { account: address, account_nfts: [], ...ledger.named };
}
