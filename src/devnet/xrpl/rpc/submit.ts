import { decodeSeed, encodeSeed } from 'ripple-address-codec';
import { encode, encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import * as keypairs from 'ripple-keypairs';
import type { Signer } from 'xrpl';
import { ACCOUNT_FLAGS } from '../definitions.ts';
import type { Engine } from '../engine.ts';
import { type AccountRoot, type Escrow, escrowKey } from '../entries.ts';
import { fromHex, parseHex, sha512Half } from '../hash-tree.ts';
import { describeOutcome } from '../metadata.ts';
import {
  decodeBlob,
  InvalidTransaction,
  parseTransaction,
  requireFew,
  unsignedTransaction,
} from '../parse-transaction.ts';
import { resultFields } from '../results.ts';
import { accountId, addressOfSigner, compareAccounts, sendingOf, type Transaction } from '../signature.ts';
import { preflight } from '../transactors/registry.ts';
import { autofilled, checkPayment, isObject, signableJson } from './autofill.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import { booleanField } from './fields.ts';
import type { RpcRequest } from './request.ts';
import { withDelivered, withDeliverMax } from './transaction-json.ts';

const deprecated = (what: string): Json => ({
  deprecated: `${what} has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.`,
});
const SUBMIT_DEPRECATED = deprecated("Signing support in the 'submit' command");

/** Secrets are for admins only. */
function requireSigning({ admin }: RpcRequest): void {
  if (!admin) throw rpcError('notSupported', 'Signing is not supported by this server.');
}

/** `sign`: fills in what is missing, signs with the secret of the request, submits nothing. */
export function sign(request: RpcRequest): Json {
  requireSigning(request);
  return { ...signedAnswer(signWithSecret(request), request), ...deprecated('This command') };
}

function signWithSecret(request: RpcRequest): Transaction {
  const { engine, params, apiVersion } = request;
  const pair = keyPairOf(params, apiVersion);
  const stated = signableJson(params);
  const isOffline = booleanField(request, 'offline');
  if (isOffline && stated.Sequence === undefined) throw missingField('tx_json.Sequence');
  const account = engine.open.view.account(stated.Account as string);
  if (!isOffline && !account) throw rpcError('srcActNotFound');
  if (isOffline && stated.Fee === undefined) throw missingField('tx_json.Fee');
  const json = checkPayment(autofilled(engine, { Flags: 0x80000000, ...stated }), params);
  if (json.Signers !== undefined) throw rpcError('alreadyMultisig');
  if (!isOffline) checkOwner(json.Account as string, account, pair);
  const unsigned = asTransaction({ ...json, SigningPubKey: pair.publicKey }).json;
  const TxnSignature = keypairs.sign(encodeForSigning(unsigned), pair.privateKey);
  return parsed({ ...unsigned, TxnSignature });
}

/** The key must be the master key or the regular key of the account. Without an account only the master key fits. */
function checkOwner(address: string, account: AccountRoot | undefined, { publicKey }: KeyPair): void {
  const keyAddress = addressOfSigner(publicKey);
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
  return {
    ...signedAnswer(parsed({ ...json, Signers: sortedSigners(signers) }), request),
    ...deprecated('This command'),
  };
}

const withEmptyKey = (json: unknown): unknown =>
  isObject(json) && json.SigningPubKey === undefined ? { ...json, SigningPubKey: '' } : json;

/** The caller states Sequence and an empty SigningPubKey. */
function multiSignableJson({ tx_json: json }: Json): Json {
  if (json === undefined) throw missingField('tx_json');
  if (!isObject(json)) throw invalidField('tx_json', 'object');
  if (json.Sequence === undefined) throw missingField('tx_json.Sequence');
  if (json.SigningPubKey === undefined) throw missingField('tx_json.SigningPubKey');
  if (json.SigningPubKey !== '')
    throw rpcError('invalidParams', "When multi-signing 'tx_json.SigningPubKey' must be empty.");
  return json;
}

const sortedSigners = (signers: readonly Signer[]): Signer[] =>
  signers.toSorted((a, b) => compareAccounts(a.Signer.Account, b.Signer.Account));

const asTransaction = (json: Json): Transaction => asParameters(() => unsignedTransaction(json));
const parsed = (json: Json): Transaction =>
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
function signedAnswer(tx: Transaction, { apiVersion }: RpcRequest): Json {
  const json = withDeliverMax(tx.json, apiVersion);
  return apiVersion === 1
    ? { tx_blob: tx.blob, tx_json: { ...json, hash: tx.hash } }
    : { tx_blob: tx.blob, tx_json: json, hash: tx.hash };
}

type KeyType = 'ed25519' | 'secp256k1';
type KeyPair = ReturnType<typeof keypairs.deriveKeypair>;

/** The fields of a request that may hold a secret. */
export const SECRET_FIELDS = ['passphrase', 'secret', 'seed', 'seed_hex'];

/** Throws unless the request has one secret. */
function keyPairOf(params: Json, apiVersion: 1 | 2): KeyPair {
  const [field, another] = SECRET_FIELDS.filter(name => params[name] !== undefined);
  if (field === undefined) throw missingField('secret');
  if (another !== undefined)
    throw rpcError(
      'invalidParams',
      'Exactly one of the following must be specified: passphrase, secret, seed or seed_hex',
    );
  const value = params[field];
  if (typeof value !== 'string') throw invalidField(field, 'string');
  const stated = statedKeyType(params, apiVersion);
  if (stated && field === 'secret')
    throw rpcError('invalidParams', 'The secret field is not allowed if key_type is used.');
  const seed = field === 'seed_hex' ? undefined : decoded(value);
  const ofEd25519 = seed?.type === 'ed25519' ? seed.bytes : undefined;
  if (ofEd25519 && stated === 'secp256k1') throw rpcError('badSeed', 'Specified seed is for an Ed25519 wallet.');
  if (!stated && !ofEd25519 && field !== 'secret') throw invalidField('secret', 'string');
  const entropy = ofEd25519 ?? entropyOf(stated ? field : 'secret', value);
  if (!entropy) throw rpcError('badSeed', stated ? undefined : `Invalid field '${field}'.`);
  return keypairs.deriveKeypair(encodeSeed(entropy, ofEd25519 ? 'ed25519' : (stated ?? 'secp256k1')));
}

function statedKeyType({ key_type: type }: Json, apiVersion: 1 | 2): KeyType | undefined {
  if (type === undefined) return undefined;
  if (typeof type !== 'string') throw invalidField('key_type', 'string');
  if (type === 'ed25519' || type === 'secp256k1') return type;
  throw apiVersion > 1 ? rpcError('badKeyType') : invalidField('key_type');
}

function decoded(text: string): { bytes: Uint8Array; type: string | null } | undefined {
  try {
    return decodeSeed(text);
  } catch {
    return undefined;
  }
}

/** Sixteen bytes. A `secret` or `passphrase` may be a seed, hex digits or any other text. */
function entropyOf(field: string, value: string): Uint8Array | undefined {
  const ofHex = /^[0-9A-Fa-f]{32}$/.test(value) ? fromHex(value) : undefined;
  if (field === 'seed_hex') return ofHex;
  const seed = decoded(value)?.bytes;
  if (field === 'seed') return seed;
  if (value === '') return undefined;
  return ofHex ?? seed ?? sha512Half(Buffer.from(value)).subarray(0, 16);
}

export function submit(request: RpcRequest): Json {
  const { engine, params } = request;
  if (params.tx_blob === undefined) {
    if (params.tx_json === undefined) throw missingField('tx_json');
    requireSigning(request);
    return { ...submitted(request, signWithSecret(request)), ...SUBMIT_DEPRECATED };
  }
  const blob = parseHex(params.tx_blob);
  if (blob === undefined) throw rpcError('invalidParams');
  const tx = parseTransaction(blob);
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

function submitted(request: RpcRequest, tx: Transaction): Json {
  const { result } = send(request, tx);
  return { ...signedAnswer(tx, request), ...resultFields(result) };
}

/** Submits a transaction with the signatures of several signers. They may come in any order. */
export function submitMultisigned(request: RpcRequest): Json {
  const { engine, params } = request;
  multiSignableJson(params);
  const stated = signableJson(params);
  if (!engine.open.view.account(stated.Account as string)) throw rpcError('srcActNotFound');
  if (stated.Fee === undefined) throw missingField('tx_json.Fee');
  const json = checkPayment(stated, params);
  if (json.TxnSignature !== undefined) throw rpcError('signingMalformed');
  checkFee(json.Fee);
  return submitted(request, parsed({ ...json, Signers: sortedSigners(signersOf(json)) }));
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

const WOULD_BE_APPLIED = 'The simulated transaction would have been applied.';

/** The result and the metadata that an unsigned transaction would have in the open ledger. Nothing is kept. */
export function simulate(request: RpcRequest): Json {
  const { engine, params } = request;
  const { binary } = params;
  if (binary !== undefined && typeof binary !== 'boolean') throw invalidField('binary');
  for (const field of SECRET_FIELDS) if (params[field] !== undefined) throw invalidField(field);
  const tx = unsignedTransaction(filled(engine, statedJson(params)));
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

function filled(engine: Engine, stated: Json): Json {
  const { TxnSignature = '', ...json } = stated;
  if (TxnSignature !== '') throw rpcError('transactionSigned');
  const Signers = json.Signers === undefined ? {} : { Signers: emptySigners(json.Signers) };
  if (!accountId(json.Account)) throw rpcError('srcActMalformed', "Invalid field 'tx.Account'.");
  const exists = engine.open.view.account(json.Account as string) !== undefined;
  if (json.Sequence === undefined && json.TicketSequence === undefined && !exists) throw rpcError('srcActNotFound');
  return autofilled(engine, { SigningPubKey: '', ...json, ...Signers });
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
