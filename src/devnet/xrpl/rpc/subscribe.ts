import { accountId } from '../addresses.ts';
import { type Session, STREAMS } from '../subscriptions.ts';
import { type Json, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

export function subscribe(request: RpcRequest): Json {
  const session = sessionOf(request);
  const watched = session.accounts.size + session.accountsProposed.size;
  const { streams, accounts, proposed } = subscriptionsOf(request, MAX_ACCOUNTS - watched);
  session.apiVersion = request.apiVersion;
  for (const stream of streams) session.streams.add(stream);
  for (const address of accounts) session.accounts.add(address);
  for (const address of proposed) session.accountsProposed.add(address);
  return streams.includes('ledger') ? currentLedger(request) : {};
}

export function unsubscribe(request: RpcRequest): Json {
  const session = sessionOf(request);
  const { streams, accounts, proposed } = subscriptionsOf(request, MAX_ACCOUNTS);
  for (const stream of streams) session.streams.delete(stream);
  for (const address of accounts) session.accounts.delete(address);
  for (const address of proposed) session.accountsProposed.delete(address);
  return {};
}

function sessionOf({ session }: RpcRequest): Session {
  if (!session) throw rpcError('invalidParams');
  return session;
}

const OLD_NAMES: Readonly<Record<string, string>> = { rt_transactions: 'transactions_proposed' };
const MAX_ACCOUNTS = 10_000;

/** Validates the whole request before anything changes. Counts first: to read an address takes time. */
function subscriptionsOf({ params }: RpcRequest, mostAccounts: number) {
  const streams = list(params.streams).map(name => {
    const stream = typeof name === 'string' ? (OLD_NAMES[name] ?? name) : '';
    if (!STREAMS.has(stream)) throw rpcError('malformedStream');
    return stream;
  });
  const named = params.accounts_proposed ?? params.rt_accounts;
  if (list(named).length + list(params.accounts).length > mostAccounts) throw rpcError('tooBusy');
  return { streams, accounts: addresses(params.accounts), proposed: addresses(named) };
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

function currentLedger({ engine }: RpcRequest): Json {
  return {
    fee_base: Number(engine.fees.base),
    ledger_hash: engine.closed.hash,
    ledger_index: engine.closed.index,
    ledger_time: engine.closed.closeTime,
    network_id: engine.networkId,
    reserve_base: Number(engine.fees.reserveBase),
    reserve_inc: Number(engine.fees.reserveIncrement),
    validated_ledgers: engine.completeLedgers,
  };
}
