import { accountId } from '../addresses.ts';
import type { AccountRoot } from '../entries.ts';
import { accountKey } from '../entries.ts';
import { parseHash } from '../hash.ts';
import { isDepositAuthorized } from '../transactors/deposit-preauth.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

const MAX_CREDENTIALS = 8;

/** True: the one account may send a payment to the other one. */
export function depositAuthorized(request: RpcRequest): Json {
  const from = addressField(request.params, 'source_account');
  const to = addressField(request.params, 'destination_account');
  const { view, named } = selectLedger(request);
  if (!view.read(accountKey(from))) throw rpcError('srcActNotFound', undefined, named);
  const destination = view.read(accountKey(to)) as AccountRoot | undefined;
  if (!destination) throw rpcError('dstActNotFound', undefined, named);
  checkCredentials(request.params, named);
  return {
    ...named,
    source_account: from,
    destination_account: to,
    deposit_authorized: isDepositAuthorized(view, from, destination),
  };
}

function addressField(params: Json, field: string): string {
  const value = params[field];
  if (value === undefined) throw missingField(field);
  if (typeof value !== 'string') throw invalidField(field, 'a string');
  if (!accountId(value)) throw rpcError('actMalformed');
  return value;
}

/** This ledger has no credentials. */
function checkCredentials({ credentials }: Json, named: Json): void {
  if (credentials === undefined) return;
  if (!Array.isArray(credentials) || credentials.length === 0)
    throw invalidField('credentials', 'is non-empty array of CredentialID(hash256)');
  if (credentials.length > MAX_CREDENTIALS) throw invalidField('credentials', 'array too long');
  if (!credentials.every(parseHash)) throw invalidField('credentials', 'an array of CredentialID(hash256)');
  throw rpcError('badCredentials', "credentials don't exist", named);
}
