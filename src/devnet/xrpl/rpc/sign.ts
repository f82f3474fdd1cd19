import { encode, encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import * as keypairs from 'ripple-keypairs';
import type { Signer } from 'xrpl';
import { accountId, addressOfKey, compareAccounts } from '../addresses.ts';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import type { AccountRoot } from '../entries.ts';
import { fromHex } from '../hash.ts';
import { InvalidTransaction, parseTransaction, requireFew, unsignedTransaction } from '../parse-transaction.ts';
import type { Transaction } from '../transaction.ts';
import { autofilled, checkPayment, isObject, signableJson } from './autofill.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { booleanField } from './fields.ts';
import { type KeyPair, keyPairOf } from './key-pair.ts';
import type { RpcRequest } from './request.ts';
import { withDeliverMax } from './transaction-json.ts';

const deprecated = (what: string): Json => ({
  deprecated: `${what} has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.`,
});
export const SUBMIT_DEPRECATED = deprecated("Signing support in the 'submit' command");

/** Secrets are for admins only. */
export function requireSigning({ admin }: RpcRequest): void {
  if (!admin) throw rpcError('notSupported', 'Signing is not supported by this server.');
}

/** `sign`: fills in what is missing, signs with the secret of the request, submits nothing. */
export function sign(request: RpcRequest): Json {
  requireSigning(request);
  return { ...signedAnswer(signWithSecret(request), request), ...deprecated('This command') };
}

export function signWithSecret(request: RpcRequest): Transaction {
  const { engine, params, apiVersion } = request;
  const pair = keyPairOf(params, apiVersion);
  const stated = signableJson(params);
  const isOffline = booleanField(request, 'offline');
  if (isOffline && stated.Sequence === undefined) throw missingField('tx_json.Sequence');
  const account = engine.open.view.account(stated.Account as string);
  if (!isOffline && !account) throw rpcError('srcActNotFound');
  if (isOffline && stated.Fee === undefined) throw missingField('tx_json.Fee');
  const json = checkPayment(autofilled(engine, { Flags: 0x80000000, ...stated }, params), params);
  if (json.Signers !== undefined) throw rpcError('alreadyMultisig');
  if (!isOffline) checkOwner(json.Account as string, account, pair);
  const unsigned = asTransaction({ ...json, SigningPubKey: pair.publicKey }).json;
  const TxnSignature = keypairs.sign(encodeForSigning(unsigned), pair.privateKey);
  return parsed({ ...unsigned, TxnSignature });
}

/** The key must be the master key or the regular key of the account. Without an account only the master key fits. */
function checkOwner(address: string, account: AccountRoot | undefined, { publicKey }: KeyPair): void {
  const keyAddress = addressOfKey(fromHex(publicKey));
  if (keyAddress !== address) {
    if (account?.RegularKey !== keyAddress) throw rpcError('badSecret');
    return;
  }
  if (account && account.Flags & ACCOUNT_FLAGS.lsfDisableMaster) throw rpcError('masterDisabled');
}

/** `sign_for`: adds the signature of one signer to a multi-signed transaction. */
export function signFor(request: RpcRequest): Json {
  requireSigning(request);
  const { engine, params, apiVersion } = request;
  const { account } = params;
  if (account === undefined) throw missingField('account');
  if (!accountId(account)) throw rpcError('srcActMalformed', "Invalid field 'account'.");
  const signer = account as string;
  const stated = multiSignableJson({ ...params, tx_json: withEmptyKey(params.tx_json) });
  const pair = keyPairOf(params, apiVersion);
  const json = checkPayment(signableJson({ tx_json: stated }), params);
  if (!engine.open.view.account(json.Account as string)) throw rpcError('srcActNotFound');
  if (json.Fee === undefined) throw missingField('tx_json.Fee');
  if (json.TxnSignature !== undefined) throw rpcError('alreadySingleSig');
  checkOwner(signer, engine.open.view.account(signer), pair);
  const message = encodeForMultisigning(asTransaction(json).json, signer);
  const Signer = {
    Account: signer,
    SigningPubKey: pair.publicKey,
    TxnSignature: keypairs.sign(message, pair.privateKey),
  };
  const signers = [...((json.Signers as readonly Signer[] | undefined) ?? []), { Signer }];
  const Signers = sortedSigners(signers, json.Account as string);
  return { ...signedAnswer(parsed({ ...json, Signers }), request), ...deprecated('This command') };
}

const withEmptyKey = (json: unknown): unknown =>
  isObject(json) && json.SigningPubKey === undefined ? { ...json, SigningPubKey: '' } : json;

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

export function sortedSigners(signers: readonly Signer[], account: string): Signer[] {
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

const asTransaction = (json: Json): Transaction => asParameters(() => unsignedTransaction(json));
export const parsed = (json: Json): Transaction =>
  asParameters(() => {
    requireFew(json);
    return parseTransaction(encode(json));
  });

function asParameters(read: () => Transaction): Transaction {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof InvalidTransaction)) throw error;
    throw rpcError('invalidParams', error.message.replace('fails local checks: ', ''));
  }
}

/** The signed transaction as these commands answer it. API 2 shows the hash at the top level. */
export function signedAnswer(tx: Transaction, { apiVersion }: RpcRequest): Json {
  const json = withDeliverMax(tx.json, apiVersion);
  return apiVersion === 1
    ? { tx_blob: tx.blob, tx_json: { ...json, hash: tx.hash } }
    : { tx_blob: tx.blob, tx_json: json, hash: tx.hash };
}
