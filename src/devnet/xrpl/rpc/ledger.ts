import { encode } from 'ripple-binary-codec';
import type { Engine } from '../engine.ts';
import type { Entry, ReadView } from '../entries.ts';
import { CLOSE_TIME_RESOLUTION, headerBytes, humanOf, isoOf, type LedgerHeader, toHex } from '../hash-tree.ts';
import { byLevel, compareWithinAccount, type Queued } from '../retry-pool.ts';
import type { StoredTransaction } from '../storage.ts';
import { type Json, rpcError } from './errors.ts';
import { booleanField, type SelectedLedger, selectLedger } from './fields.ts';
import type { RpcRequest } from './request.ts';
import { metaKey, placeIn, withDelivered, withDeliverMax } from './transaction-json.ts';

/** `queue_data` of `account_info`: the queued transactions of one account. */
export function queueDataOf({ submissions }: Engine, address: string): Record<string, unknown> {
  const queued = submissions.retryPool.queued(address).sort((a, b) => compareWithinAccount(a.tx, b.tx));
  const sequences = queued.filter(({ tx }) => tx.ticket === undefined).map(({ tx }) => tx.sequence);
  const [lowest_sequence, highest_sequence] = [Math.min(...sequences), Math.max(...sequences)];
  return {
    txn_count: queued.length,
    ...(queued.length === 0 ? {} : { transactions: queued.map(described) }),
    ...(sequences.length === 0 ? {} : { sequence_count: sequences.length, lowest_sequence, highest_sequence }),
  };
}

/** `queue_data` of `ledger`: the whole queue. Without a queue there is no such field. */
function queueDump({ submissions }: Engine): Record<string, unknown> {
  const list = submissions.retryPool
    .queued()
    .sort(byLevel)
    .map(each => ({ ...described(each), account: each.tx.account, tx: { ...each.tx.json, hash: each.tx.hash } }));
  return list.length === 0 ? {} : { queue_data: list };
}

const described = ({ tx, level }: Queued): Record<string, unknown> => ({
  ...(tx.ticket === undefined ? { seq: tx.sequence } : { ticket: tx.ticket }),
  fee: String(tx.fee),
  fee_level: level.toString(),
  ...(tx.lastLedger === undefined ? {} : { LastLedgerSequence: tx.lastLedger }),
});

const SELECTORS = ['ledger', 'ledger_hash', 'ledger_index'];

export function ledger(request: RpcRequest): Json {
  const { admin, engine, params } = request;
  if (SELECTORS.every(field => params[field] === undefined))
    return {
      closed: { ledger: headOf(request, engine.closed, false) },
      open: { ledger: headOf(request, undefined, false) },
    };
  const flag = (field: string) => booleanField(request, field);
  const selected = selectLedger(request);
  const accounts = flag('accounts');
  if (accounts && !admin) throw rpcError('noPermission');
  const queue = flag('queue');
  if (queue && selected.header) throw rpcError('invalidParams');
  const content = {
    ...headOf(request, selected.header, flag('binary')),
    ...(flag('transactions') ? { transactions: transactionsOf(request, selected) } : {}),
    ...(accounts ? { accountState: accountStateOf(request, selected) } : {}),
  };
  return { ledger: content, ...selected.named, ...(queue ? queueDump(engine) : {}) };
}

/** The header of a ledger in JSON or binary. */
export function headOf({ engine, apiVersion }: RpcRequest, header: LedgerHeader | undefined, binary: boolean): Json {
  const index = (value: number) => (apiVersion === 1 ? String(value) : value);
  if (!header) {
    const open = { parent_hash: engine.closed.hash, ledger_index: index(engine.open.index), closed: false };
    return binary ? { closed: false } : open;
  }
  if (binary) return { ledger_data: toHex(headerBytes(header)), closed: true };
  return {
    account_hash: header.accountHash,
    close_flags: 0,
    close_time: header.closeTime,
    ...(header.closeTime > 0
      ? { close_time_human: humanOf(header.closeTime), close_time_iso: isoOf(header.closeTime) }
      : {}),
    close_time_resolution: CLOSE_TIME_RESOLUTION,
    closed: true,
    ledger_hash: header.hash,
    ledger_index: index(header.index),
    parent_close_time: header.parentCloseTime,
    parent_hash: header.parentHash,
    total_coins: header.totalCoins.toString(),
    transaction_hash: header.transactionHash,
  };
}

/** Sorted by hash, like the transaction tree. */
function transactionsOf(request: RpcRequest, { header, index }: SelectedLedger): unknown[] {
  const { engine } = request;
  const expand = booleanField(request, 'expand');
  if (header) {
    const stored = byHash(engine.storage.transactionsOf(index));
    return expand ? stored.map(tx => expanded(request, tx, header)) : stored.map(tx => tx.hash);
  }
  const open = byHash([...engine.open.transactions.values()]);
  return expand ? open.map(tx => expanded(request, tx, undefined)) : open.map(tx => tx.hash);
}

const byHash = <T extends { readonly hash: string }>(list: T[]): T[] => list.sort((a, b) => (a.hash < b.hash ? -1 : 1));

type Expandable = Pick<StoredTransaction, 'hash' | 'json'> & Partial<Pick<StoredTransaction, 'meta'>>;

function expanded(request: RpcRequest, tx: Expandable, header: LedgerHeader | undefined): Json {
  const { apiVersion } = request;
  if (booleanField(request, 'binary'))
    return {
      tx_blob: encode(tx.json),
      ...(apiVersion > 1 ? { hash: tx.hash } : {}),
      ...(tx.meta ? { [metaKey(apiVersion)]: encode(tx.meta) } : {}),
    };
  const json = withDeliverMax(tx.json, apiVersion);
  const meta = tx.meta && withDelivered(tx.meta, tx.json);
  if (apiVersion === 1) return { ...json, hash: tx.hash, ...(meta ? { metaData: meta } : {}) };
  return {
    tx_json: json,
    hash: tx.hash,
    ...(meta ? { meta } : {}),
    validated: header !== undefined,
    ...(header && placeIn(header)),
  };
}

function accountStateOf(request: RpcRequest, selected: SelectedLedger): unknown[] {
  const expand = booleanField(request, 'expand');
  const binary = booleanField(request, 'binary');
  return [...stateOf(selected.view)].map(({ key, entry }) => {
    if (binary) return { hash: key, tx_blob: encode(entry) };
    return expand ? { ...entry, index: key } : key;
  });
}

const LAST_KEY = 'F'.repeat(64);

/** The state of a ledger behind the key `after`, sorted by key. */
export function* stateOf(view: ReadView, after = ''): Generator<{ key: string; entry: Entry }> {
  for (let key = view.next(after, LAST_KEY); key !== undefined; key = view.next(key, LAST_KEY))
    yield { key, entry: view.read(key) as Entry };
}
