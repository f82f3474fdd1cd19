import { encode } from 'ripple-binary-codec';
import { parseHash } from '../hash.ts';
import { entryTypeField } from './entry-types.ts';
import { invalidField, type Json } from './errors.ts';
import { booleanField } from './fields.ts';
import { headOf, stateOf } from './ledger.ts';
import { selectLedger } from './ledger-selector.ts';
import type { RpcRequest } from './request.ts';

const PAGE = { json: 256, binary: 2048 };

/** `ledger_data`: the state page by page, sorted by key. */
export function ledgerData(request: RpcRequest): Json {
  const { engine, params } = request;
  const selected = selectLedger(request);
  const marker = markerOf(params);
  const binary = booleanField(request, 'binary');
  const limit = limitOf(request, binary);
  const type = entryTypeField(params);
  const state: Json[] = [];
  let next: string | undefined;
  let seen = 0;
  for (const { key, entry } of stateOf(engine, selected, marker)) {
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
  const most = binary ? PAGE.binary : PAGE.json;
  if (limit === undefined) return most;
  if (typeof limit !== 'number' || !Number.isInteger(limit)) throw invalidField('limit', 'integer');
  return limit < 0 || (limit > most && !admin) ? most : limit;
}

/** The marker is one below the next key: a page begins behind its marker. */
const before = (key: string): string =>
  (BigInt(`0x${key}`) - 1n).toString(16).toUpperCase().padStart(64, '0');
