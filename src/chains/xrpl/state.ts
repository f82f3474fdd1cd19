import type { TransactionState } from '../port.ts';
import { type XrplConnection, XrplRefusal } from './connection.ts';

interface TxResult {
  validated?: boolean;
  ledger_index: number;
  ledger_hash: string;
  meta: { TransactionResult: string };
}

const HASH = /^[0-9A-F]{64}$/i;

export async function stateOf(connection: XrplConnection, txHash: string): Promise<TransactionState> {
  if (!HASH.test(txHash)) return { status: 'unknown' };
  try {
    const result = await connection.request<TxResult>('tx', { transaction: txHash });
    if (!result.validated) return { status: 'pending' };
    return {
      status: 'final',
      height: result.ledger_index,
      blockHash: result.ledger_hash,
      succeeded: result.meta.TransactionResult === 'tesSUCCESS',
    };
  } catch (error) {
    if (error instanceof XrplRefusal && error.code === 'txnNotFound') return { status: 'unknown' };
    throw error;
  }
}
