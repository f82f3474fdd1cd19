import { accountId, ZERO_ADDRESS } from '../addresses.ts';
import type { Asset } from '../quantities.ts';
import { isObject } from './autofill.ts';
import { type ErrorName, invalidField, type Json, missingField, rpcError } from './errors.ts';

export const CURRENCY = /^([A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-Fa-f]{40})$/;

/** One side of an order book. XRP has no issuer. */
export function bookSide(params: Json, field: string, badCurrency: ErrorName, badIssuer: ErrorName): Asset {
  const side = params[field];
  if (side === undefined) throw missingField(field);
  if (!isObject(side)) throw invalidField(field, 'object');
  const { currency, issuer } = side;
  if (currency === undefined) throw missingField(`${field}.currency`);
  if (typeof currency !== 'string') throw invalidField(`${field}.currency`, 'string');
  if (!CURRENCY.test(currency))
    throw rpcError(badCurrency, `Invalid field '${field}.currency', bad currency.`);
  if (issuer !== undefined && typeof issuer !== 'string') throw invalidField(`${field}.issuer`, 'string');
  if (issuer !== undefined && !accountId(issuer))
    throw rpcError(badIssuer, `Invalid field '${field}.issuer', bad issuer.`);
  const hasIssuer = issuer !== undefined && issuer !== ZERO_ADDRESS;
  const isXrp = currency.toUpperCase() === 'XRP' || /^0{40}$/.test(currency);
  if (isXrp && hasIssuer)
    throw rpcError(badIssuer, `Unneeded field '${field}.issuer' for XRP currency specification.`);
  if (!isXrp && !hasIssuer)
    throw rpcError(badIssuer, `Invalid field '${field}.issuer', expected non-XRP issuer.`);
  return isXrp ? 'XRP' : { currency, issuer: issuer as string };
}
