import type { TransactionLookup, TransactionState, Validity } from '../port.ts';
import type { XrplConnection } from './connection.ts';
import { type PaymentFields, valueTransferOf } from './incoming.ts';
import { validatedLedger } from './ledgers.ts';
import { XrplRefusal } from './session.ts';

interface TxResult {
  validated?: boolean;
  ledger_index: number;
  ledger_hash: string;
  meta: { TransactionResult: string; delivered_amount?: unknown };
  tx_json: PaymentFields;
}

const HASH = /^[0-9A-F]{64}$/i;
/** The widest range that a server searches. */
const MOST_LEDGERS = 1_000;

/**
 * A transfer has expired only when its last ledger is validated and the server has searched every ledger that could
 * hold it. A server with a gap in its history proves nothing.
 */
export async function stateOf(
  connection: XrplConnection,
  txHash: string,
  validity?: Validity,
): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  // Read before the search: a ledger that is validated later was not searched.
  const range = validity && (await rangeOf(connection, validity));
  try {
    const fields = { transaction: txHash, ...range };
    return stateFrom(await connection.request<TxResult>('tx', fields, ['txnNotFound']));
  } catch (error) {
    if (!(error instanceof XrplRefusal)) throw error;
    return { status: range && error.data.searched_all === true ? 'expired' : 'unknown' };
  }
}

/** As `Chain.lookup`. A payment moves value once. */
export async function lookup(connection: XrplConnection, txHash: string): Promise<TransactionLookup> {
  if (!HASH.test(txHash)) return { state: { status: 'unknown' }, transfers: [] };
  try {
    const result = await connection.request<TxResult>('tx', { transaction: txHash }, ['txnNotFound']);
    const state = stateFrom(result);
    const transfer = result.validated ? valueTransferOf(result.tx_json, result.meta) : undefined;
    return { state, transfers: transfer ? [transfer] : [] };
  } catch (error) {
    if (!(error instanceof XrplRefusal)) throw error;
    return { state: { status: 'unknown' }, transfers: [] };
  }
}

function stateFrom({ validated, ledger_index, ledger_hash, meta }: TxResult): TransactionState {
  if (!validated) return { status: 'pending' };
  return {
    status: 'final',
    height: ledger_index,
    blockHash: ledger_hash,
    succeeded: meta.TransactionResult === 'tesSUCCESS',
  };
}

async function rangeOf(connection: XrplConnection, { signedAfter, lastLedgerSequence }: Validity) {
  const { height } = await validatedLedger(connection);
  if (height < lastLedgerSequence || lastLedgerSequence - signedAfter > MOST_LEDGERS) return undefined;
  return { min_ledger: signedAfter + 1, max_ledger: lastLedgerSequence };
}
