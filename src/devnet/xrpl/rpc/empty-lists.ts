import { accountId } from '../addresses.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import { limitField, ownerOf } from './fields.ts';
import type { RpcRequest } from './request.ts';

/** Channels are not offered, so this list is empty. */
export function accountChannels(request: RpcRequest): Json {
  const { destination_account: to } = request.params;
  if (to !== undefined && to !== '' && !accountId(to)) throw rpcError('actMalformed');
  const { address, ledger } = ownerOf(request);
  limitField(request);
  checkMarker(request);
  return { account: address, channels: [], ...ledger.named };
}

/** A well-formed marker names an entry of the list. The list is empty, so no marker is valid. */
function checkMarker({ params: { marker } }: RpcRequest): void {
  if (marker === undefined) return;
  if (typeof marker !== 'string') throw invalidField('marker', 'string');
  throw rpcError('invalidParams');
}
