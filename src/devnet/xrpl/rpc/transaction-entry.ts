import { parseHash } from '../hash.ts';
import { isoOf } from '../header.ts';
import { type Json, RpcError } from './errors.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';
import { withDelivered, withDeliverMax } from './transaction-json.ts';

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
