import { encode } from 'ripple-binary-codec';
import { isoOf, type LedgerHeader } from '../hash-tree.ts';
import type { Metadata } from '../metadata.ts';
import type { TransactionJson } from '../signature.ts';
import type { StoredTransaction } from '../storage.ts';
import type { Json } from './errors.ts';

/** A Payment in JSON (XRPL-1.4): API 1 shows Amount and DeliverMax, API 2 only DeliverMax. `submit` does not use this. */
export function withDeliverMax(json: TransactionJson, apiVersion: 1 | 2): Json {
  if (json.TransactionType !== 'Payment') return { ...json };
  if (apiVersion === 1) return { ...json, DeliverMax: json.Amount };
  const { Amount, ...rest } = json;
  return { ...rest, DeliverMax: Amount };
}

/** Adds `delivered_amount`, which is not part of the stored metadata. */
export function withDelivered(meta: Metadata, json: TransactionJson): Json {
  const isPayment = json.TransactionType === 'Payment' && meta.TransactionResult === 'tesSUCCESS';
  const delivered = meta.DeliveredAmount ?? (isPayment ? json.Amount : undefined);
  return delivered === undefined ? { ...meta } : { ...meta, delivered_amount: delivered };
}

const MAX_POSITION = 0xffff;
const MAX_LEDGER = 0x0fffffff;

/** Concise transaction id; undefined: ledger, position or network do not fit into it. */
export function ctidOf(ledgerIndex: number, position: number, networkId: number): string | undefined {
  if (position > MAX_POSITION || networkId >= 0xffff || ledgerIndex >= MAX_LEDGER) return undefined;
  const hex = (value: number, digits: number) => value.toString(16).toUpperCase().padStart(digits, '0');
  return `C${hex(ledgerIndex, 7)}${hex(position, 4)}${hex(networkId, 4)}`;
}

export interface Rendered {
  readonly apiVersion: 1 | 2;
  readonly binary: boolean;
  readonly networkId: number;
}

/** `tx_json` (API 2) or `tx` (API 1) of a transaction in a closed ledger. */
export function placedJson(tx: StoredTransaction, header: LedgerHeader, { apiVersion, networkId }: Rendered): Json {
  const ctid = ctidOf(tx.ledgerIndex, tx.position, networkId);
  const place = { date: header.closeTime, ledger_index: tx.ledgerIndex, ...(ctid ? { ctid } : {}) };
  const json = { ...withDeliverMax(tx.json, apiVersion), ...place };
  return apiVersion === 1 ? { ...json, hash: tx.hash, inLedger: tx.ledgerIndex } : json;
}

/** The ledger of a transaction, as API 2 names it. */
export const placeIn = ({ hash, index, closeTime }: LedgerHeader): Json => ({
  ledger_hash: hash,
  ledger_index: index,
  close_time_iso: isoOf(closeTime),
});

export const metaKey = (apiVersion: 1 | 2): string => (apiVersion === 1 ? 'meta' : 'meta_blob');

/** One entry of `account_tx`. */
export function historyEntry(tx: StoredTransaction, header: LedgerHeader, rendered: Rendered): Json {
  if (rendered.binary)
    return {
      tx_blob: encode(tx.json),
      [metaKey(rendered.apiVersion)]: encode(tx.meta),
      ledger_index: tx.ledgerIndex,
      validated: true,
    };
  const meta = withDelivered(tx.meta, tx.json);
  if (rendered.apiVersion === 1) return { tx: placedJson(tx, header, rendered), meta, validated: true };
  return { tx_json: placedJson(tx, header, rendered), hash: tx.hash, ...placeIn(header), meta, validated: true };
}
