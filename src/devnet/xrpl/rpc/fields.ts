import { accountId } from '../addresses.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

/** A flag of a request. `strict`: API 2 takes only true and false. */
export function booleanField({ params, apiVersion }: RpcRequest, field: string, strict = false): boolean {
  const value = params[field];
  if (strict && apiVersion > 1 && value !== undefined && typeof value !== 'boolean')
    throw invalidField(field);
  return value !== undefined && value !== false && value !== null && value !== 0 && value !== '';
}

/** The classic address in `account`. `extra`: further fields of the error for a malformed address. */
export function accountField({ params }: RpcRequest, extra: () => Json = () => ({})): string {
  const { account } = params;
  if (account === undefined) throw missingField('account');
  if (typeof account !== 'string') throw invalidField('account');
  const context = extra();
  if (!accountId(account)) throw rpcError('actMalformed', undefined, context);
  return account;
}

const PAGE = { least: 10, usual: 200, most: 400 };
const ADMIN_MOST = 5_000;

/** Entries per page: 10 to 400, up to 5000 for an admin. */
export function limitField({ params, admin }: RpcRequest): number {
  const { limit } = params;
  if (limit === undefined) return PAGE.usual;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0)
    throw invalidField('limit', 'unsigned integer');
  if (limit === 0) return PAGE.usual;
  return admin ? Math.min(limit, ADMIN_MOST) : Math.min(Math.max(limit, PAGE.least), PAGE.most);
}
