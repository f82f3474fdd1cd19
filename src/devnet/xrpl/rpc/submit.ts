import { encode } from 'ripple-binary-codec';
import type { Signer } from 'xrpl';
import { accountId } from '../addresses.ts';
import { type Escrow, escrowKey } from '../entries.ts';
import { parseHex } from '../hash-tree.ts';
import { describeOutcome } from '../metadata.ts';
import { decodeBlob, parseTransaction, unsignedTransaction } from '../parse-transaction.ts';
import { resultFields } from '../results.ts';
import { sendingOf, type Transaction } from '../signature.ts';
import { preflight } from '../transactors/preflight.ts';
import { autofilled, checkPayment, isObject, signableJson } from './autofill.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { booleanField } from './fields.ts';
import type { RpcRequest } from './request.ts';
import {
  multiSignableJson,
  parsed,
  requireSigning,
  SECRET_FIELDS,
  SUBMIT_DEPRECATED,
  signedAnswer,
  signWithSecret,
  sortedSigners,
} from './sign.ts';
import { withDelivered } from './transaction-json.ts';

export function submit(request: RpcRequest): Json {
  if (request.params.tx_blob === undefined) return submitWithSecret(request);
  const { engine, params } = request;
  const tx = parseTransaction(blobOf(params));
  const { result, applied, kept } = send(request, tx);
  const queued = result === 'terQUEUED';
  const { next, available } = engine.submissions.sequencesOf(tx.account);
  return {
    accepted: applied || queued || kept,
    account_sequence_available: available,
    account_sequence_next: next,
    applied,
    broadcast: applied || queued,
    ...resultFields(result),
    kept,
    open_ledger_cost: engine.submissions.openFee.toString(),
    queued,
    tx_blob: tx.blob,
    // In both API versions a Payment keeps its Amount here (XRPL-1.3).
    tx_json: { ...tx.json, hash: tx.hash },
    validated_ledger_index: engine.closed.index,
  };
}

function send(request: RpcRequest, tx: Transaction) {
  try {
    request.beforeSending({ ...sendingOf(tx), finishes: escrowOf(request, tx) });
  } catch (error) {
    throw rpcError('slowDown', (error as Error).message);
  }
  return request.engine.submit(tx, booleanField(request, 'fail_hard'));
}

/** The EscrowCreate whose money an EscrowFinish delivers. */
function escrowOf({ engine }: RpcRequest, { type, json }: Transaction): string | undefined {
  if (type !== 'EscrowFinish') return undefined;
  const key = escrowKey(String(json.Owner), Number(json.OfferSequence));
  return (engine.open.view.read(key) as Escrow | undefined)?.PreviousTxnID;
}

function submitWithSecret(request: RpcRequest): Json {
  if (request.params.tx_json === undefined) throw missingField('tx_json');
  requireSigning(request);
  const tx = signWithSecret(request);
  return { ...submitted(request, tx), ...SUBMIT_DEPRECATED };
}

function submitted(request: RpcRequest, tx: Transaction): Json {
  const { result } = send(request, tx);
  return { ...signedAnswer(tx, request), ...resultFields(result) };
}

/** Submits a transaction with the signatures of several signers. They may come in any order. */
export function submitMultisigned(request: RpcRequest): Json {
  const { engine, params } = request;
  multiSignableJson(params);
  const stated = signableJson(params);
  const account = stated.Account as string;
  if (!engine.open.view.account(account)) throw rpcError('srcActNotFound');
  if (stated.Fee === undefined) throw missingField('tx_json.Fee');
  const json = checkPayment(stated, params);
  if (json.TxnSignature !== undefined) throw rpcError('signingMalformed');
  checkFee(json.Fee);
  const Signers = sortedSigners(signersOf(json), account);
  return submitted(request, parsed({ ...json, Signers }));
}

function checkFee(fee: unknown): void {
  if (typeof fee !== 'string' || !/^\d{1,19}$/.test(fee))
    throw rpcError('invalidParams', 'Invalid Fee field.  Fees must be specified in XRP.');
  if (BigInt(fee) === 0n) throw rpcError('invalidParams', 'Invalid Fee field.  Fees must be greater than zero.');
}

function signersOf({ Signers: signers }: Json): Signer[] {
  if (signers === undefined) throw missingField('tx_json.Signers');
  if (!Array.isArray(signers) || signers.length === 0)
    throw rpcError('invalidParams', 'tx_json.Signers array may not be empty.');
  if (!signers.every(isSigner)) throw rpcError('invalidParams', 'Signers array may only contain Signer entries.');
  return signers;
}

function isSigner(value: unknown): value is Signer {
  const signer = isObject(value) && Object.keys(value).length === 1 ? value.Signer : undefined;
  if (!isObject(signer) || Object.keys(signer).length !== 3) return false;
  const { Account, SigningPubKey, TxnSignature } = signer;
  return accountId(Account) !== undefined && [SigningPubKey, TxnSignature].every(text => typeof text === 'string');
}

function blobOf({ tx_blob: blob }: Json): string {
  const bytes = parseHex(blob);
  if (bytes === undefined) throw rpcError('invalidParams');
  return bytes;
}

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
      : { tx_json: { ...tx.json, hash: tx.hash }, ...(meta ? { meta: withDelivered(meta, tx.json) } : {}) }),
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
  if (json.Sequence === undefined && json.TicketSequence === undefined && !exists) throw rpcError('srcActNotFound');
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
