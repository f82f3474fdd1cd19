import { encode } from 'ripple-binary-codec';
import { accountId } from '../addresses.ts';
import { parseHex } from '../hash.ts';
import { describeOutcome } from '../metadata.ts';
import { decodeBlob, unsignedTransaction } from '../parse-transaction.ts';
import { resultFields } from '../results.ts';
import { preflight } from '../transactors/preflight.ts';
import { autofilled, isObject } from './autofill.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { SECRET_FIELDS } from './key-pair.ts';
import type { RpcRequest } from './request.ts';
import { withDelivered } from './transaction-json.ts';

const WOULD_BE_APPLIED = 'The simulated transaction would have been applied.';

/** The result and the metadata that an unsigned transaction would have in the open ledger. Nothing is kept. */
export function simulate(request: RpcRequest): Json {
  const { engine, params } = request;
  const { binary } = params;
  if (binary !== undefined && typeof binary !== 'boolean') throw invalidField('binary');
  for (const field of SECRET_FIELDS) if (params[field] !== undefined) throw invalidField(field);
  const tx = unsignedTransaction(filled(request, statedJson(params)));
  const refusal = preflight(tx, engine.networkId);
  const outcome = refusal ? undefined : engine.open.tryOut(tx, { dryRun: true });
  const result = refusal ?? outcome!.result;
  const place = { hash: tx.hash, ledgerIndex: engine.open.index, position: engine.open.transactions.size };
  const meta = outcome?.applied ? describeOutcome(outcome, place).meta : undefined;
  return {
    applied: false,
    ledger_index: engine.open.index,
    ...resultFields(result),
    ...(result === 'tesSUCCESS' ? { engine_result_message: WOULD_BE_APPLIED } : {}),
    ...(binary
      ? { tx_blob: tx.blob, ...(meta ? { meta_blob: encode(meta) } : {}) }
      : {
          tx_json: { ...tx.json, hash: tx.hash },
          ...(meta ? { meta: withDelivered(meta, tx.json) } : {}),
        }),
  };
}

function statedJson({ tx_json: json, tx_blob: blob }: Json): Json {
  if (json !== undefined && blob !== undefined)
    throw rpcError('invalidParams', 'Can only include one of `tx_blob` and `tx_json`.');
  if (json === undefined && blob === undefined)
    throw rpcError('invalidParams', 'Neither `tx_blob` nor `tx_json` included.');
  const stated = blob === undefined ? json : decodedBlob(blob);
  if (!isObject(stated)) throw invalidField('tx_json', 'object');
  if (stated.TransactionType === undefined) throw missingField('tx.TransactionType');
  if (stated.Account === undefined) throw missingField('tx.Account');
  return stated;
}

function decodedBlob(blob: unknown): Json {
  const bytes = parseHex(blob);
  if (bytes === undefined) throw invalidField('tx_blob');
  try {
    return decodeBlob(bytes);
  } catch {
    throw invalidField('tx_blob');
  }
}

function filled({ engine, params }: RpcRequest, stated: Json): Json {
  const { TxnSignature = '', ...json } = stated;
  if (TxnSignature !== '') throw rpcError('transactionSigned');
  const Signers = json.Signers === undefined ? {} : { Signers: emptySigners(json.Signers) };
  if (!accountId(json.Account)) throw rpcError('srcActMalformed', "Invalid field 'tx.Account'.");
  const exists = engine.open.view.account(json.Account as string) !== undefined;
  if (json.Sequence === undefined && json.TicketSequence === undefined && !exists)
    throw rpcError('srcActNotFound');
  return autofilled(engine, { SigningPubKey: '', ...json, ...Signers }, params);
}

function emptySigners(signers: unknown): Json[] {
  if (!Array.isArray(signers)) throw invalidField('tx.Signers');
  return signers.map((entry: unknown, n) => {
    const signer = isObject(entry) ? entry.Signer : undefined;
    if (!isObject(signer)) throw invalidField(`tx.Signers[${n}]`);
    const complete = { SigningPubKey: '', TxnSignature: '', ...signer };
    if (complete.TxnSignature !== '') throw rpcError('transactionSigned');
    return { Signer: complete };
  });
}
