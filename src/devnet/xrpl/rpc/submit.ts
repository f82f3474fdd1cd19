import { InvalidTransaction, parseTransaction } from '../parse-transaction.ts';
import { RESULTS } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { type Json, missingField, RpcError, rpcError } from './errors.ts';
import { booleanField } from './fields.ts';
import type { RpcRequest } from './request.ts';

export function submit(request: RpcRequest): Json {
  const { engine, params } = request;
  const blob = blobOf(params);
  const tx = parse(blob);
  const { result, applied, broadcast, queued, kept } = engine.submit(tx, booleanField(request, 'fail_hard'));
  const [code, message] = RESULTS[result];
  const { next, available } = engine.submissions.sequencesOf(tx.account);
  return {
    accepted: applied || broadcast || queued || kept,
    account_sequence_available: available,
    account_sequence_next: next,
    applied,
    broadcast,
    engine_result: result,
    engine_result_code: code,
    engine_result_message: message,
    kept,
    open_ledger_cost: engine.submissions.openFee.toString(),
    queued,
    tx_blob: tx.blob,
    // In both API versions a Payment keeps its Amount here (XRPL-1.3).
    tx_json: { ...tx.json, hash: tx.hash },
    validated_ledger_index: engine.closed.index,
  };
}

function blobOf(params: Json): string {
  const { tx_blob: blob } = params;
  if (blob === undefined) {
    if (params.tx_json === undefined) throw missingField('tx_json');
    throw rpcError('notSupported', 'Signing is not supported by this server.');
  }
  if (typeof blob !== 'string' || blob.length === 0 || blob.length % 2 || !/^[0-9A-Fa-f]+$/.test(blob))
    throw rpcError('invalidParams');
  return blob.toUpperCase();
}

function parse(blob: string): Transaction {
  try {
    return parseTransaction(blob);
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    throw new RpcError({ error: 'invalidTransaction', error_exception: error.message });
  }
}
