import { encode } from 'ripple-binary-codec';
import { ENTRY_TYPES } from '../definitions.ts';
import {
  accountKey,
  depositPreauthKey,
  directoryPageKey,
  escrowKey,
  offerKey,
  ownerDirectoryKey,
  ticketKey,
  trustLineKey,
} from '../entries.ts';
import { parseHash } from '../hash-tree.ts';
import { accountId } from '../signature.ts';
import { invalidField, type Json, RpcError, rpcError } from './errors.ts';
import { booleanField, selectLedger, wholeOf } from './fields.ts';
import { headOf, stateOf } from './ledger.ts';
import { CURRENCY } from './offers.ts';
import type { RpcRequest } from './request.ts';

const malformed = (error: string, message: string): RpcError =>
  new RpcError({ error, error_code: 31, error_message: message });
const wrongField = (error: string, field: string, expected: string): RpcError =>
  malformed(error, `Invalid field '${field}', not ${expected}.`);

function hashKey(value: unknown, field: string): string {
  const key = parseHash(value);
  if (!key) throw wrongField('malformedRequest', field, 'hex string');
  return key;
}

/** By the hash of the entry, or by the fields of an object. */
const byHashOr =
  (keyOf: (value: Json) => string) =>
  (value: unknown, field: string): string =>
    value !== null && typeof value === 'object' ? keyOf(value as Json) : hashKey(value, field);

function address(value: Json, field: string, error: string): string {
  const text = value[field];
  if (text === undefined) throw malformed('malformedRequest', `Missing field '${field}'.`);
  if (!accountId(text)) throw wrongField(error, field, 'AccountID');
  return text as string;
}

function number(value: Json, field: string, error: string): number {
  if (value[field] === undefined) throw malformed('malformedRequest', `Missing field '${field}'.`);
  const parsed = wholeOf(value[field]);
  if (parsed === undefined) throw wrongField(error, field, 'number');
  return parsed;
}

function depositPreauth(value: Json): string {
  const { authorized, authorized_credentials } = value;
  if ((authorized === undefined) === (authorized_credentials === undefined))
    throw malformed('malformedRequest', 'Must have exactly one of `authorized` and `authorized_credentials`.');
  const owner = address(value, 'owner', 'malformedOwner');
  // No entry is authorised by credentials.
  if (authorized === undefined) throw rpcError('entryNotFound');
  if (!accountId(authorized)) throw wrongField('malformedAuthorized', 'authorized', 'Account');
  return depositPreauthKey(owner, authorized as string);
}

function directoryPage(value: Json): string {
  const page = value.sub_index === undefined ? 0 : number(value, 'sub_index', 'malformedRequest');
  if ((value.owner === undefined) === (value.dir_root === undefined))
    throw malformed('malformedRequest', 'Cannot have both `owner` and `dir_root` fields.');
  if (value.owner !== undefined)
    return directoryPageKey(ownerDirectoryKey(address(value, 'owner', 'malformedAddress')), BigInt(page));
  const root = parseHash(value.dir_root);
  if (!root) throw wrongField('malformedDirRoot', 'dir_root', 'hash');
  return directoryPageKey(root, BigInt(page));
}

function trustLine({ accounts, currency }: Json): string {
  if (!Array.isArray(accounts) || accounts.length !== 2)
    throw malformed('malformedRequest', "Invalid field 'accounts', not length-2 array of Accounts.");
  const [one, other] = accounts as unknown[];
  if (!accountId(one) || !accountId(other)) throw wrongField('malformedAddress', 'accounts', 'array of Accounts');
  if (one === other) throw malformed('malformedRequest', 'Cannot have a trustline to self.');
  if (currency === undefined) throw malformed('malformedRequest', "Missing field 'currency'.");
  if (typeof currency !== 'string' || !CURRENCY.test(currency))
    throw wrongField('malformedCurrency', 'currency', 'Currency');
  return trustLineKey(one as string, other as string, currency);
}

function accountRoot(value: unknown, field: string): string {
  if (!accountId(value)) throw wrongField('malformedAddress', field, 'AccountID');
  return accountKey(value as string);
}

const BY_HASH = ['index', 'amendments', 'check', 'fee', 'nft_offer', 'nft_page', 'payment_channel', 'signer_list'];

type Named = readonly [field: string, error: string];
const ACCOUNT: Named = ['account', 'malformedAddress'];
/** By the account that made it, and the Sequence or the ticket. */
const bySequence = (keyOf: (owner: string, sequence: number) => string, owner: Named, sequence: Named) =>
  byHashOr(value => keyOf(address(value, ...owner), number(value, ...sequence)));

/** Field of a request -> the key of the entry. The field names the type of the entry, too. */
const LOCATORS: Readonly<Record<string, (value: unknown, field: string) => string>> = {
  ...Object.fromEntries(BY_HASH.map(field => [field, hashKey])),
  account_root: accountRoot,
  deposit_preauth: byHashOr(depositPreauth),
  directory: byHashOr(directoryPage),
  escrow: bySequence(escrowKey, ['owner', 'malformedOwner'], ['seq', 'malformedSeq']),
  offer: bySequence(offerKey, ACCOUNT, ['seq', 'malformedRequest']),
  ripple_state: byHashOr(trustLine),
  state: byHashOr(trustLine),
  ticket: bySequence(ticketKey, ACCOUNT, ['ticket_seq', 'malformedRequest']),
};

/** One entry of the state, by its key or by the fields that make up its key. */
export function ledgerEntry(request: RpcRequest): Json {
  const { params, apiVersion } = request;
  const fields = Object.keys(LOCATORS).filter(field => params[field] !== undefined);
  if (fields.length > 1) throw rpcError('invalidParams', 'Too many fields provided.');
  const { view, named } = selectLedger(request);
  const [field] = fields;
  if (field === undefined) {
    if (apiVersion === 1) throw new RpcError({ ...named, error: 'unknownOption' });
    throw rpcError('invalidParams', 'No ledger_entry params provided.');
  }
  const key = LOCATORS[field]!(params[field], field);
  const entry = view.read(key);
  if (!entry) throw rpcError('entryNotFound');
  const type = entryTypeOf(field) ?? entryTypeOf(field.replaceAll('_', ''));
  if (field !== 'index' && type !== entry.LedgerEntryType) throw rpcError('unexpectedLedgerType');
  const node = booleanField(request, 'binary') ? { node_binary: encode(entry) } : { node: { ...entry, index: key } };
  return { index: key, ...node, ...named };
}

const PAGE = { json: 256, binary: 2048 };

/** `ledger_data`: the state page by page, sorted by key. */
export function ledgerData(request: RpcRequest): Json {
  const { params } = request;
  const selected = selectLedger(request);
  const marker = markerOf(params);
  const binary = booleanField(request, 'binary');
  const limit = limitOf(request, binary);
  const type = entryTypeField(params);
  const state: Json[] = [];
  let next: string | undefined;
  let seen = 0;
  for (const { key, entry } of stateOf(selected.view, marker)) {
    if (seen++ === limit) {
      next = before(key);
      break;
    }
    if (type !== undefined && entry.LedgerEntryType !== type) continue;
    state.push(binary ? { data: encode(entry), index: key } : { ...entry, index: key });
  }
  return {
    ...selected.named,
    ledger_index: selected.index,
    ...(marker === undefined ? { ledger: headOf(request, selected.header, binary) } : {}),
    state,
    ...(next ? { marker: next } : {}),
  };
}

function markerOf({ marker }: Json): string | undefined {
  if (marker === undefined) return undefined;
  const key = parseHash(marker);
  if (!key) throw invalidField('marker', 'valid');
  return key;
}

function limitOf({ params: { limit }, admin }: RpcRequest, binary: boolean): number {
  const max = binary ? PAGE.binary : PAGE.json;
  if (limit === undefined) return max;
  if (typeof limit !== 'number' || !Number.isInteger(limit)) throw invalidField('limit', 'integer');
  return limit < 0 || (limit > max && !admin) ? max : limit;
}

/** The marker is one below the next key: a page begins behind its marker. */
const before = (key: string): string => (BigInt(`0x${key}`) - 1n).toString(16).toUpperCase().padStart(64, '0');

/** The types whose names in requests are not their own in small letters. */
const SHORT_NAMES: Readonly<Record<string, string>> = {
  AccountRoot: 'account',
  DirectoryNode: 'directory',
  FeeSettings: 'fee',
  LedgerHashes: 'hashes',
  MPTokenIssuance: 'mpt_issuance',
  NFTokenOffer: 'nft_offer',
  NFTokenPage: 'nft_page',
  NegativeUNL: 'nunl',
  PayChannel: 'payment_channel',
  RippleState: 'state',
};

const entryTypeOf = (name: string): string | undefined =>
  ENTRY_TYPES.find(type => {
    const small = type.toLowerCase();
    const short = SHORT_NAMES[type];
    return name === small || (short === undefined ? name.replaceAll('_', '') === small : name === short);
  });

/** The LedgerEntryType of `type`; undefined: every type. */
export function entryTypeField({ type }: Json): string | undefined {
  if (type === undefined) return undefined;
  if (typeof type !== 'string') throw invalidField('type', 'string');
  const found = entryTypeOf(type.toLowerCase());
  if (!found) throw invalidField('type');
  return found;
}
