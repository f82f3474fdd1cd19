import { accountId } from '../addresses.ts';
import { parseHash } from '../hash.ts';
import { idOf, POSITIONS } from '../storage-schema.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import { accountField, booleanField, limitField } from './fields.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';
import { historyEntry } from './transaction-json.ts';

export interface Range {
  readonly min: number;
  readonly max: number;
}

export function accountTx(request: RpcRequest): Json {
  const { engine, apiVersion } = request;
  const binary = booleanField(request, 'binary', true);
  const forward = booleanField(request, 'forward', true);
  const limit = limitField(request);
  const account = accountField(request);
  const range = rangeOf(request);
  const marker = markerOf(request);
  const start = idOf(range.min, 0);
  const end = idOf(range.max, POSITIONS - 1);
  const found = engine.storage.accountHistory({
    account: accountId(account) as Buffer,
    from: forward ? (marker ?? start) : start,
    to: forward ? end : (marker ?? end),
    forward,
    limit: limit + 1,
  });
  const next = found[limit];
  const rendered = { apiVersion, binary, networkId: engine.networkId };
  return {
    account,
    ledger_index_min: range.min,
    ledger_index_max: range.max,
    limit,
    transactions: found.slice(0, limit).map(tx => historyEntry(tx, engine.headerOf(tx.ledgerIndex), rendered)),
    validated: true,
    // The marker names the first entry of the next page.
    ...(next ? { marker: { ledger: next.ledgerIndex, seq: next.position } } : {}),
  };
}

/** API 1 clamps a range to the history, API 2 refuses it (XRPL-1.4). */
function rangeOf(request: RpcRequest): Range {
  const { params, engine, apiVersion } = request;
  const history: Range = { min: engine.firstIndex, max: engine.closed.index };
  const byRange = params.ledger_index_min !== undefined || params.ledger_index_max !== undefined;
  const byLedger = params.ledger_hash !== undefined || params.ledger_index !== undefined;
  if (byRange && byLedger && apiVersion > 1) throw rpcError('invalidParams', 'invalidParams');
  if (byRange) return statedRange(request, history);
  if (!byLedger) return history;
  if (params.ledger_hash !== undefined && !parseHash(params.ledger_hash))
    throw rpcError(
      'invalidParams',
      typeof params.ledger_hash === 'string' ? 'ledgerHashMalformed' : 'ledgerHashNotString',
    );
  const { header, index } = selectLedger(request);
  if (!header || index < history.min) throw rpcError('lgrNotValidated');
  return { min: index, max: index };
}

function statedRange({ params, apiVersion }: RpcRequest, history: Range): Range {
  const min = boundary(params, 'ledger_index_min');
  const max = boundary(params, 'ledger_index_max');
  const outside = (max !== undefined && max > history.max) || (min !== undefined && min !== 0 && min < history.min);
  if (apiVersion > 1 && outside) throw rpcError('lgrIdxMalformed');
  const range = { min: Math.max(min ?? 0, history.min), max: Math.min(max ?? history.max, history.max) };
  if (range.max < range.min) throw rpcError(apiVersion === 1 ? 'lgrIdxsInvalid' : 'invalidLgrRange');
  return range;
}

/** Negative: no boundary. */
function boundary(params: Json, field: string): number | undefined {
  const value = params[field];
  if (value === undefined) return undefined;
  const number = typeof value === 'string' && /^-?\d{1,10}$/.test(value) ? Number(value) : value;
  if (typeof number !== 'number' || !Number.isInteger(number)) throw invalidField(field);
  return number < 0 ? undefined : number;
}

/** The id of the first entry of the page. */
function markerOf({ params }: RpcRequest): number | undefined {
  if (params.marker === undefined) return undefined;
  const marker = (params.marker ?? {}) as { ledger?: unknown; seq?: unknown };
  const [ledger, seq] = [Number(marker.ledger ?? Number.NaN), Number(marker.seq ?? Number.NaN)];
  const isValid = [ledger, seq].every(part => Number.isInteger(part) && part >= 0 && part <= 0xffffffff);
  if (isValid) return idOf(ledger, Math.min(seq, POSITIONS - 1));
  throw rpcError(
    'invalidParams',
    'invalid marker. Provide ledger index via ledger field, and transaction sequence number via seq field',
  );
}
