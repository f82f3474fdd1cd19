import { encode } from 'ripple-binary-codec';
import { InvalidTransaction, parseTransaction } from '../parse-transaction.ts';
import type { SignerJson, Transaction } from '../transaction.ts';
import { compareAccounts } from '../transactors/check-signers.ts';
import { isObject } from './autofill.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';
import { withDeliverMax } from './transaction-json.ts';

/** The caller states Sequence and an empty SigningPubKey. */
export function multiSignableJson({ tx_json: json }: Json): Json {
  if (json === undefined) throw missingField('tx_json');
  if (!isObject(json)) throw invalidField('tx_json', 'object');
  if (json.Sequence === undefined) throw missingField('tx_json.Sequence');
  if (json.SigningPubKey === undefined) throw missingField('tx_json.SigningPubKey');
  if (json.SigningPubKey !== '')
    throw rpcError('invalidParams', "When multi-signing 'tx_json.SigningPubKey' must be empty.");
  return json;
}

export function sortedSigners(signers: readonly SignerJson[], account: string): SignerJson[] {
  const sorted = [...signers].sort((a, b) => compareAccounts(a.Signer.Account, b.Signer.Account));
  const twice = sorted.find((entry, n) => entry.Signer.Account === sorted[n + 1]?.Signer.Account);
  if (twice)
    throw rpcError(
      'invalidParams',
      `Duplicate Signers:Signer:Account entries (${twice.Signer.Account}) are not allowed.`,
    );
  if (sorted.some(({ Signer }) => Signer.Account === account))
    throw rpcError('invalidParams', `A Signer may not be the transaction's Account (${account}).`);
  return sorted;
}

export function parsed(json: Json): Transaction {
  try {
    return parseTransaction(encode(json));
  } catch (error) {
    throw paramsError(error);
  }
}

function paramsError(error: unknown): unknown {
  if (!(error instanceof InvalidTransaction)) return error;
  return rpcError('invalidParams', error.message.replace('fails local checks: ', ''));
}

/** The signed transaction as these commands answer it. API 2 shows the hash at the top level. */
export function signedAnswer(tx: Transaction, { apiVersion }: RpcRequest): Json {
  const json = withDeliverMax(tx.json, apiVersion);
  return apiVersion === 1
    ? { tx_blob: tx.blob, tx_json: { ...json, hash: tx.hash } }
    : { tx_blob: tx.blob, tx_json: json, hash: tx.hash };
}
