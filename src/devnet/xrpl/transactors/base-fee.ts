import { defaultBaseFee, type Fees } from '../fees.ts';
import type { ReadView } from '../ledger-view.ts';
import type { Transaction } from '../transaction.ts';
import { TRANSACTORS } from './registry.ts';

/** The minimum fee of a transaction without load, in drops. */
export const baseFee = (tx: Transaction, view: ReadView, fees: Fees): bigint =>
  TRANSACTORS[tx.type]?.baseFee?.(tx, view, fees) ?? defaultBaseFee(tx, fees);
