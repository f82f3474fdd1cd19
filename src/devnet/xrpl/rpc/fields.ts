import { viewOf } from '../close.ts';
import { accountKey, type Entry, type ReadView } from '../entries.ts';
import { type LedgerHeader, parseHash } from '../hash-tree.ts';
import { accountId } from '../signature.ts';
import { ownedEntries } from '../transactors/directory.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';
import type { RpcRequest } from './request.ts';

/** The ledger of a request (XRPL-1.3). Only a closed ledger has a header. */
export interface SelectedLedger {
  readonly index: number;
  readonly header: LedgerHeader | undefined;
  readonly view: ReadView;
  /** The fields of the answer that name the ledger. */
  readonly named: Json;
}

export function selectLedger(request: RpcRequest): SelectedLedger {
  const { params } = request;
  const selectors = ['ledger', 'ledger_hash', 'ledger_index'].filter(field => params[field] !== undefined);
  if (selectors.length > 1) {
    const names =
      selectors[0] === 'ledger' ? "'ledger', 'ledger_hash', or 'ledger_index'" : "'ledger_hash' or 'ledger_index'";
    throw rpcError('invalidParams', `Exactly one of ${names} can be specified.`);
  }
  const [field = 'ledger_index'] = selectors;
  const value = params[field] ?? 'current';
  const byHash = field === 'ledger_hash' || (field === 'ledger' && typeof value === 'string' && value.length === 64);
  return byHash ? ledgerByHash(request, field, value) : ledgerByIndex(request, field, value);
}

function ledgerByHash({ engine }: RpcRequest, field: string, value: unknown): SelectedLedger {
  const hash = parseHash(value);
  if (!hash) throw invalidField(field, 'hex string');
  return closedLedger(engine, engine.storage.headerByHash(hash));
}

function ledgerByIndex({ engine }: RpcRequest, field: string, value: unknown): SelectedLedger {
  if (value === 'current' || value === '') return openLedger(engine);
  if (value === 'closed' || value === 'validated') return closedLedger(engine, engine.closed);
  const index = wholeOf(value);
  if (index === undefined) throw invalidField(field, 'string or number');
  return index === engine.open.index ? openLedger(engine) : closedLedger(engine, engine.storage.header(index));
}

function closedLedger(engine: RpcRequest['engine'], header: LedgerHeader | undefined): SelectedLedger {
  if (!header) throw rpcError('lgrNotFound', 'ledgerNotFound');
  return {
    index: header.index,
    header,
    view: viewOf(engine.storage, header.index),
    named: { ledger_hash: header.hash, ledger_index: header.index, validated: true },
  };
}

function openLedger({ open }: RpcRequest['engine']): SelectedLedger {
  const named = { ledger_current_index: open.index, validated: false };
  return { index: open.index, header: undefined, view: open.view, named };
}

/** A number of 32 bits, which may be a text. Undefined: it is none. */
export function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value;
  const isWhole = typeof number === 'number' && Number.isInteger(number) && number >= 0 && number <= 0xffffffff;
  return isWhole ? number : undefined;
}

/** A flag of a request. `strict`: API 2 takes only true and false. */
export function booleanField({ params, apiVersion }: RpcRequest, field: string, strict = false): boolean {
  const value = params[field];
  if (strict && apiVersion > 1 && value !== undefined && typeof value !== 'boolean') throw invalidField(field);
  return Boolean(value);
}

/** The classic address in `account`. `extra`: further fields of the error for a malformed address. */
export function accountField({ params }: RpcRequest, extra: () => Json = () => ({})): string {
  const isOlder = params.account === undefined && params.ident !== undefined;
  return addressOf(params, isOlder ? 'ident' : 'account', extra);
}

export function addressOf(params: Json, field: string, extra: () => Json = () => ({})): string {
  const address = params[field];
  if (address === undefined) throw missingField(field);
  if (typeof address !== 'string') throw invalidField(field);
  const context = extra();
  if (!accountId(address)) throw rpcError('actMalformed', undefined, context);
  return address;
}

/** The account of the request. Throws if the selected ledger does not have it. */
export function ownerOf(request: RpcRequest): { address: string; ledger: SelectedLedger } {
  const address = addressOf(request.params, 'account', () => selectLedger(request).named);
  const ledger = selectLedger(request);
  if (!ledger.view.read(accountKey(address))) throw rpcError('actNotFound');
  return { address, ledger };
}

const PAGE = { min: 10, usual: 200, max: 400 };
const ADMIN_MAX = 5_000;

/** Entries per page: 10 to 400, up to 5000 for an admin. */
export function limitField({ params, admin }: RpcRequest): number {
  const { limit } = params;
  if (limit === undefined) return PAGE.usual;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0)
    throw invalidField('limit', 'unsigned integer');
  if (limit === 0) return PAGE.usual;
  return admin ? Math.min(limit, ADMIN_MAX) : Math.min(Math.max(limit, PAGE.min), PAGE.max);
}

export interface OwnedEntry {
  readonly key: string;
  readonly entry: Entry;
}

/** A page of what an account owns. `more`: the fields of the answer that lead to the next page, which its marker begins. */
export function ownedPage(request: RpcRequest, view: ReadView, address: string): { entries: OwnedEntry[]; more: Json } {
  const limit = limitField(request);
  const owned = ownedEntries(view, address);
  const start = startOf(request, owned);
  const entries = owned.slice(start, start + limit).map(({ key }) => ({ key, entry: view.read(key) as Entry }));
  const next = owned[start + limit];
  return { entries, more: next ? { limit, marker: `${next.page},${next.key}` } : {} };
}

function startOf({ params }: RpcRequest, owned: readonly { page: string; key: string }[]): number {
  const { marker } = params;
  if (marker === undefined) return 0;
  if (typeof marker !== 'string') throw invalidField('marker', 'string');
  const [page, key] = marker.split(',').map(parseHash);
  const start = owned.findIndex(entry => entry.page === page && entry.key === key);
  if (start < 0) throw invalidField('marker');
  return start;
}
