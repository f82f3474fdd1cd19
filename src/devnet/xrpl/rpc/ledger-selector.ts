import { viewOf } from '../close.ts';
import type { ReadView } from '../entries.ts';
import { type LedgerHeader, parseHash } from '../hash-tree.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
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
  const text = typeof value === 'number' || typeof value === 'string' ? String(value) : '';
  if (!/^\d{1,10}$/.test(text) || Number(text) > 0xffffffff) throw invalidField(field, 'string or number');
  const index = Number(text);
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
