import { encode } from 'ripple-binary-codec';
import { isoOf, parseHash } from '../hash-tree.ts';
import type { Transaction } from '../signature.ts';
import type { StoredTransaction } from '../storage.ts';
import type { Range } from './account.ts';
import { type Json, RpcError, rpcError } from './errors.ts';
import { booleanField, selectLedger, wholeOf } from './fields.ts';
import type { RpcRequest } from './request.ts';
import { ctidOf, metaKey, placedJson, placeIn, withDelivered, withDeliverMax } from './transaction-json.ts';

const MAX_RANGE = 1000;

export function tx(request: RpcRequest): Json {
  const { engine, params } = request;
  if ((params.transaction === undefined) === (params.ctid === undefined)) throw rpcError('invalidParams');
  const byHash = params.transaction !== undefined;
  const hash = byHash ? parseHash(params.transaction) : undefined;
  if (byHash && !hash) throw rpcError('notImpl');
  const placed = byHash ? undefined : transactionAt(request);
  const range = rangeOf(params);
  const found = hash ? engine.storage.transaction(hash) : placed;
  if (found && found.ledgerIndex >= engine.firstIndex) return closedAnswer(request, found);
  const waiting = hash ? engine.submissions.find(hash) : undefined;
  if (waiting) return pendingAnswer(request, waiting);
  throw rpcError(
    'txnNotFound',
    undefined,
    range && { searched_all: range.min >= engine.firstIndex && range.max <= engine.closed.index },
  );
}

function rangeOf({ min_ledger, max_ledger }: Json): Range | undefined {
  if (min_ledger === undefined || max_ledger === undefined) return undefined;
  const [min = Number.NaN, max = Number.NaN] = [min_ledger, max_ledger].map(Number);
  if (!Number.isInteger(min) || !Number.isInteger(max) || min < 0 || max < min) throw rpcError('invalidLgrRange');
  if (max - min > MAX_RANGE) throw rpcError('excessiveLgrRange');
  return { min, max };
}

function transactionAt({ engine, params }: RpcRequest): StoredTransaction | undefined {
  const parts = /^C([0-9A-F]{7})([0-9A-F]{4})([0-9A-F]{4})$/i.exec(String(params.ctid));
  if (!parts) throw rpcError('invalidParams');
  const [ledger = 0, position = 0, network = 0] = parts.slice(1).map(hex => Number.parseInt(hex, 16));
  if (network !== engine.networkId)
    throw rpcError(
      'wrongNetwork',
      `Wrong network. You should submit this request to a node running on NetworkID: ${network}`,
    );
  return engine.storage.transactionsOf(ledger)[position];
}

function closedAnswer(request: RpcRequest, found: StoredTransaction): Json {
  const { engine, apiVersion } = request;
  const binary = booleanField(request, 'binary');
  const header = engine.headerOf(found.ledgerIndex);
  const ctid = ctidOf(found.ledgerIndex, found.position, engine.networkId);
  const meta = binary ? { [metaKey(apiVersion)]: encode(found.meta) } : { meta: withDelivered(found.meta, found.json) };
  const rest = { ...meta, validated: true, ...(ctid ? { ctid } : {}) };
  const json = placedJson(found, header, { apiVersion, binary, networkId: engine.networkId });
  if (apiVersion === 1) {
    const { hash, date, inLedger, ledger_index } = json;
    return binary ? { tx: encode(found.json), hash, date, inLedger, ledger_index, ...rest } : { ...json, ...rest };
  }
  return {
    ...(binary ? { tx_blob: encode(found.json) } : { tx_json: json }),
    hash: found.hash,
    ...placeIn(header),
    ...rest,
  };
}

function pendingAnswer(request: RpcRequest, waiting: Transaction): Json {
  const { apiVersion } = request;
  const { hash } = waiting;
  if (booleanField(request, 'binary'))
    return { [apiVersion === 1 ? 'tx' : 'tx_blob']: waiting.blob, hash, validated: false };
  const json = withDeliverMax(waiting.json, apiVersion);
  return apiVersion === 1 ? { ...json, hash, validated: false } : { tx_json: json, hash, validated: false };
}

/** A transaction in one closed ledger. */
export function transactionEntry(request: RpcRequest): Json {
  const { engine, params, apiVersion } = request;
  const { header, named } = selectLedger(request);
  const fail = (error: string): RpcError => new RpcError({ ...named, error });
  if (params.tx_hash === undefined) throw fail('fieldNotFoundTransaction');
  if (!header) throw fail('notYetImplemented');
  const hash = parseHash(params.tx_hash);
  if (!hash) throw fail('malformedRequest');
  const tx = engine.storage.transaction(hash);
  if (tx?.ledgerIndex !== header.index) throw fail('transactionNotFound');
  const json = withDeliverMax(tx.json, apiVersion);
  const meta = withDelivered(tx.meta, tx.json);
  return apiVersion === 1
    ? { ...named, tx_json: { ...json, hash }, metadata: meta }
    : { ...named, tx_json: json, hash, close_time_iso: isoOf(header.closeTime), meta };
}

const LISTED = 20;
const LAST_START = 10_000;

/** The newest transactions, newest first. API 1 only. */
export function txHistory({ engine, params, apiVersion, admin }: RpcRequest): Json {
  if (apiVersion > 1) throw rpcError('unknownCmd');
  const index = wholeOf(params.start);
  if (index === undefined) throw rpcError('invalidParams');
  if (index > LAST_START && !admin) throw rpcError('noPermission');
  const txs = engine.storage
    .newestTransactions(index, LISTED)
    .map(tx => ({
      ...withDeliverMax(tx.json, 1),
      hash: tx.hash,
      inLedger: tx.ledgerIndex,
      ledger_index: tx.ledgerIndex,
    }));
  return { index, txs };
}
