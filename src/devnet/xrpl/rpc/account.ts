import { ACCOUNT_FLAGS } from '../definitions.ts';
import { type AccountRoot, accountKey, type Entry, type ReadView, signerListKey, type TrustLine } from '../entries.ts';
import { parseHash } from '../hash-tree.ts';
import { amountOf, rounded, type TokenAmount } from '../quantities.ts';
import { accountId, ZERO_ADDRESS } from '../signature.ts';
import { idOf, POSITIONS } from '../storage.ts';
import { isDepositAuthorized } from '../transactors/account.ts';
import { ownedEntries } from '../transactors/directory.ts';
import { balanceOf, hasFlag, limitOf, type OwnLine, ownLine } from '../transactors/trust-line.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import {
  accountField,
  addressOf,
  booleanField,
  limitField,
  type OwnedEntry,
  ownedPage,
  ownerOf,
  selectLedger,
  wholeOf,
} from './fields.ts';
import { queueDataOf } from './ledger.ts';
import { entryTypeField } from './ledger-entry.ts';
import type { RpcRequest } from './request.ts';
import { historyEntry } from './transaction-json.ts';

/** The flags that have another name in the answer. */
const FLAG_NAMES: Readonly<Record<string, string>> = {
  lsfDisableMaster: 'disableMasterKey',
  lsfDisallowXRP: 'disallowIncomingXRP',
  lsfRequireAuth: 'requireAuthorization',
  lsfRequireDestTag: 'requireDestinationTag',
};
const flagName = (lsf: string): string => FLAG_NAMES[lsf] ?? lsf.charAt(3).toLowerCase() + lsf.slice(4);

export function accountInfo(request: RpcRequest): Json {
  const { engine, apiVersion, params } = request;
  const address = accountField(request, () => selectLedger(request).named);
  const ledger = selectLedger(request);
  const { named } = ledger;
  const key = accountKey(address);
  const entry = ledger.view.read(key);
  if (!entry) throw rpcError('actNotFound', undefined, { ...named, account: address });
  const queue = booleanField(request, 'queue');
  if (queue && ledger.header) throw rpcError('invalidParams', undefined, named);
  const badSignerLists = params.signer_lists !== undefined && typeof params.signer_lists !== 'boolean';
  if (apiVersion > 1 && badSignerLists) throw rpcError('invalidParams', undefined, named);
  const signerLists = booleanField(request, 'signer_lists') ? signerListsOf(ledger.view, address) : {};
  return {
    account_data: { ...entry, index: key, ...avatarOf(entry), ...(apiVersion === 1 ? signerLists : {}) },
    account_flags: Object.fromEntries(
      Object.entries(ACCOUNT_FLAGS).map(([lsf, bit]) => [flagName(lsf), (entry.Flags & bit) !== 0]),
    ),
    ...(apiVersion > 1 ? signerLists : {}),
    ...(queue ? { queue_data: queueDataOf(engine, address) } : {}),
    ...named,
  };
}

function signerListsOf(view: ReadView, address: string): Json {
  const key = signerListKey(address);
  const list = view.read(key);
  return { signer_lists: list ? [{ ...list, index: key }] : [] };
}

function avatarOf({ EmailHash }: Entry): Json {
  if (typeof EmailHash !== 'string') return {};
  return { urlgravatar: `http://www.gravatar.com/avatar/${EmailHash.toLowerCase()}` };
}

/** The trust lines of an account, from its own view. */
export function accountLines(request: RpcRequest): Json {
  const { peer } = request.params;
  if (peer !== undefined && peer !== '' && !accountId(peer)) throw rpcError('actMalformed');
  const { address, ledger } = ownerOf(request);
  const ignoresDefault = booleanField(request, 'ignore_default');
  const { entries, more } = ownedPage(request, ledger.view, address);
  const lines = entries
    .flatMap(owned => lineOf(owned, address))
    .filter(line => !peer || line.peer === peer)
    .filter(line => !ignoresDefault || hasFlag(line, line.own.reserve))
    .map(shown);
  return { account: address, lines, ...ledger.named, ...more };
}

const lineOf = ({ key, entry }: OwnedEntry, address: string): OwnLine[] =>
  entry.LedgerEntryType === 'RippleState' ? [ownLine(key, entry as TrustLine, address)] : [];

function shown(line: OwnLine): Json {
  const { entry, own, theirs, peer } = line;
  const { currency } = entry.Balance;
  const text = (quantity: bigint) => amountOf({ currency, issuer: peer }, quantity).value;
  const flags = {
    authorized: own.auth,
    peer_authorized: theirs.auth,
    no_ripple: own.noRipple,
    no_ripple_peer: theirs.noRipple,
    freeze: own.freeze,
    freeze_peer: theirs.freeze,
  };
  return {
    account: peer,
    balance: text(balanceOf(line)),
    currency,
    limit: text(limitOf(line, own)),
    limit_peer: text(limitOf(line, theirs)),
    quality_in: entry[own.qualityIn] ?? 0,
    quality_out: entry[own.qualityOut] ?? 0,
    ...Object.fromEntries(
      Object.entries(flags)
        .filter(([, bit]) => hasFlag(line, bit))
        .map(([name]) => [name, true]),
    ),
  };
}

function linesOf(view: ReadView, address: string): OwnLine[] {
  return ownedEntries(view, address).flatMap(({ key }) => {
    const entry = view.read(key);
    return entry ? lineOf({ key, entry }, address) : [];
  });
}

/** The tokens that an account can receive and send. */
export function accountCurrencies(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const lines = linesOf(ledger.view, address);
  const named = (fits: (line: OwnLine) => boolean) =>
    [...new Set(lines.filter(fits).map(({ entry }) => entry.Balance.currency))].sort();
  return {
    receive_currencies: named(line => balanceOf(line) < limitOf(line, line.own)),
    send_currencies: named(line => balanceOf(line) > 0n || -balanceOf(line) < limitOf(line, line.theirs)),
    ...ledger.named,
  };
}

/** Entries of these types are in no owner directory. */
const NEVER_OWNED = new Set(['Amendments', 'DirectoryNode', 'FeeSettings', 'LedgerHashes', 'NegativeUNL']);
/** Entries of these types keep their owner from being deleted. */
const BLOCKERS = new Set(['Escrow', 'RippleState']);

/** The owned entries of an account, page by page. */
export function accountObjects(request: RpcRequest): Json {
  const { address, ledger } = ownerOf(request);
  const matches = filterOf(request);
  const { entries, more } = ownedPage(request, ledger.view, address);
  const objects = entries.map(({ key, entry }): Json => ({ ...entry, index: key }));
  return { account: address, account_objects: objects.filter(matches), ...ledger.named, ...more };
}

function filterOf(request: RpcRequest): (entry: Json) => boolean {
  const type = entryTypeField(request.params);
  if (booleanField(request, 'deletion_blockers_only'))
    return ({ LedgerEntryType }) =>
      BLOCKERS.has(String(LedgerEntryType)) && (type === undefined || LedgerEntryType === type);
  if (type !== undefined && NEVER_OWNED.has(type)) throw invalidField('type');
  return entry => type === undefined || entry.LedgerEntryType === type;
}

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
  const [ledger, seq] = [wholeOf(marker.ledger), wholeOf(marker.seq)];
  if (ledger !== undefined && seq !== undefined) return idOf(ledger, Math.min(seq, POSITIONS - 1));
  throw rpcError(
    'invalidParams',
    'invalid marker. Provide ledger index via ledger field, and transaction sequence number via seq field',
  );
}

const MAX_CREDENTIALS = 8;

/** True: the one account may send a payment to the other one. */
export function depositAuthorized(request: RpcRequest): Json {
  const from = addressOf(request.params, 'source_account');
  const to = addressOf(request.params, 'destination_account');
  const { view, named } = selectLedger(request);
  if (!view.read(accountKey(from))) throw rpcError('srcActNotFound', undefined, named);
  const destination = view.read(accountKey(to)) as AccountRoot | undefined;
  if (!destination) throw rpcError('dstActNotFound', undefined, named);
  checkCredentials(request.params, named);
  return {
    ...named,
    source_account: from,
    destination_account: to,
    deposit_authorized: isDepositAuthorized(view, from, destination),
  };
}

/** This ledger has no credentials. */
function checkCredentials({ credentials }: Json, named: Json): void {
  if (credentials === undefined) return;
  if (!Array.isArray(credentials) || credentials.length === 0)
    throw invalidField('credentials', 'is non-empty array of CredentialID(hash256)');
  if (credentials.length > MAX_CREDENTIALS) throw invalidField('credentials', 'array too long');
  if (!credentials.every(parseHash)) throw invalidField('credentials', 'an array of CredentialID(hash256)');
  throw rpcError('badCredentials', "credentials don't exist", named);
}

export function gatewayBalances(request: RpcRequest): Json {
  const { params, apiVersion } = request;
  const { view, named } = selectLedger(request);
  const account = accountField(request);
  if (apiVersion > 1 && !view.read(accountKey(account)))
    throw rpcError('actNotFound', undefined, { ...named, account });
  const { hotwallet } = params;
  const wallets = Array.isArray(hotwallet) ? hotwallet : hotwallet == null ? [] : [hotwallet];
  if (!wallets.every(accountId))
    throw rpcError(apiVersion === 1 ? 'invalidHotWallet' : 'invalidParams', undefined, { ...named, account });
  return { ...named, account, ...balancesOf(view, account, new Set(wallets as string[])) };
}

/** The obligations of an issuer: to everybody together, and to each of its own wallets. */
function balancesOf(view: ReadView, account: string, wallets: ReadonlySet<string>): Json {
  const obligations = new Map<string, bigint>();
  const balances: Record<string, TokenValue[]> = {};
  const assets: Record<string, TokenValue[]> = {};
  const frozen: Record<string, TokenValue[]> = {};
  for (const line of linesOf(view, account)) {
    const { currency } = line.entry.Balance;
    const held = balanceOf(line);
    if (held === 0n) continue;
    const listed = (list: Record<string, TokenValue[]>, quantity: bigint) => {
      list[line.peer] = [...(list[line.peer] ?? []), { currency, value: valueText(currency, quantity) }];
    };
    if (wallets.has(line.peer)) listed(balances, -held);
    else if (held > 0n) listed(assets, held);
    else if (hasFlag(line, line.own.freeze)) listed(frozen, -held);
    else obligations.set(currency, (obligations.get(currency) ?? 0n) - held);
  }
  const sums = [...obligations].map(([currency, owed]) => [currency, valueText(currency, owed)]);
  return {
    ...(sums.length ? { obligations: Object.fromEntries(sums) } : {}),
    ...filled({ balances, frozen_balances: frozen, assets }),
  };
}

type TokenValue = Omit<TokenAmount, 'issuer'>;

/** A sum of many balances may have more digits than an amount. */
function valueText(currency: string, quantity: bigint): string {
  const token = { currency, issuer: ZERO_ADDRESS };
  return amountOf(token, rounded(token, quantity, 'nearest')).value;
}

const filled = (lists: Record<string, object>): Json =>
  Object.fromEntries(Object.entries(lists).filter(([, list]) => Object.keys(list).length > 0));

const DEFAULT_RIPPLE_SET =
  'You appear to have set your default ripple flag even though you are not a gateway. This is not recommended unless you are experimenting';
const DEFAULT_RIPPLE_MISSING = 'You should immediately set your default ripple flag';

export function norippleCheck(request: RpcRequest): Json {
  const { params, engine, apiVersion } = request;
  if (params.role === undefined) throw missingField('role');
  if (params.role !== 'gateway' && params.role !== 'user') throw invalidField('role');
  limitField(request);
  const { transactions } = params;
  if (apiVersion > 1 && transactions !== undefined && typeof transactions !== 'boolean')
    throw invalidField('transactions');
  const { view, named } = selectLedger(request);
  const account = addressOf(params, 'account', () => named);
  const root = view.read(accountKey(account));
  if (!root) throw rpcError('actNotFound');
  const ripples = (root.Flags & ACCOUNT_FLAGS.lsfDefaultRipple) !== 0;
  const isGateway = params.role === 'gateway';
  const problem = ripples === isGateway ? undefined : ripples ? DEFAULT_RIPPLE_SET : DEFAULT_RIPPLE_MISSING;
  const fix = {
    Account: account,
    Fee: Number(engine.fees.base) * engine.loadFactor,
    Sequence: root.Sequence,
    SetFlag: 8,
    TransactionType: 'AccountSet',
  };
  return {
    ...named,
    problems: problem === undefined ? [] : [problem],
    ...(booleanField(request, 'transactions') ? { transactions: problem === DEFAULT_RIPPLE_MISSING ? [fix] : [] } : {}),
  };
}
