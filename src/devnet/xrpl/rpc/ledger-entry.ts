import { encode } from 'ripple-binary-codec';
import { accountId } from '../addresses.ts';
import { accountKey, ticketKey } from '../entries.ts';
import { parseHash } from '../hash.ts';
import { type Json, rpcError } from './errors.ts';
import { booleanField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

/** One entry of the state: by `index`, `account_root` or `ticket` {account, ticket_seq}. */
export function ledgerEntry(request: RpcRequest): Json {
  const { view, named } = selectLedger(request);
  const key = keyOf(request.params);
  const entry = view.read(key);
  if (!entry) throw rpcError('entryNotFound', undefined, { index: key, ...named });
  const node = booleanField(request, 'binary')
    ? { node_binary: encode(entry) }
    : { node: { ...entry, index: key } };
  return { index: key, ...node, ...named };
}

function keyOf({ index, account_root: root, ticket }: Json): string {
  if (index !== undefined) {
    const key = parseHash(index);
    if (!key) throw rpcError('invalidParams', "Invalid field 'index', not hex string.");
    return key;
  }
  if (root !== undefined) {
    if (!accountId(root)) throw rpcError('actMalformed');
    return accountKey(root as string);
  }
  if (typeof ticket === 'string') return keyOf({ index: ticket });
  const { account, ticket_seq: sequence } = (ticket ?? {}) as { account?: unknown; ticket_seq?: unknown };
  if (!accountId(account) || typeof sequence !== 'number' || !Number.isInteger(sequence) || sequence < 0)
    throw rpcError('invalidParams', 'No ledger_entry params provided.');
  return ticketKey(account as string, sequence);
}
