import { accountId } from '../addresses.ts';
import { newestLedger, type Session, STREAMS } from '../subscriptions.ts';
import { type Json, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';
import { serverStatus } from './server-info.ts';

export function subscribe(request: RpcRequest): Json {
  const session = sessionOf(request);
  const watched = session.accounts.size + session.accountsProposed.size;
  const streams = change(request, 'add', MAX_ACCOUNTS - watched);
  session.apiVersion = request.apiVersion;
  return {
    ...(streams.includes('server') ? serverStatus(request) : {}),
    ...(streams.includes('ledger') ? newestLedger(request.engine) : {}),
  };
}

export function unsubscribe(request: RpcRequest): Json {
  change(request, 'delete', MAX_ACCOUNTS);
  return {};
}

function sessionOf({ session }: RpcRequest): Session {
  if (!session) throw rpcError('invalidParams');
  return session;
}

const MAX_ACCOUNTS = 10_000;

/** Validates the whole request before anything changes. Counts first: to read an address takes time. Returns the streams. */
function change(request: RpcRequest, how: 'add' | 'delete', maxAccounts: number): string[] {
  const session = sessionOf(request);
  const { params } = request;
  const streams = list(params.streams).map(name => {
    if (typeof name !== 'string' || !STREAMS.has(name)) throw rpcError('malformedStream');
    return name;
  });
  const { accounts, accounts_proposed: proposed, books } = params;
  if (books !== undefined) throw rpcError('notSupported', 'This server has no streams of order books.');
  if (list(proposed).length + list(accounts).length > maxAccounts) throw rpcError('tooBusy');
  const [own, ownProposed] = [addresses(accounts), addresses(proposed)];
  for (const stream of streams) session.streams[how](stream);
  for (const address of own) session.accounts[how](address);
  for (const address of ownProposed) session.accountsProposed[how](address);
  return streams;
}

function list(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw rpcError('invalidParams');
  return value;
}

function addresses(value: unknown): string[] {
  if (value === undefined) return [];
  const listed = list(value);
  if (listed.length === 0 || !listed.every(accountId)) throw rpcError('actMalformed');
  return listed as string[];
}
