import type { TransactionState } from '../../chains/port.ts';
import type { TransactionStatus, TransactionStatusResult } from '../../contract/transaction-status.ts';
import type { Tx } from '../../db/transaction.ts';
import { addRemark } from '../../remarks/store.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';

/** D-27: the status answer says something else of its transaction than the chain. `state`: what the chain says. */
export function remarkContradiction(
  deps: Pick<RobotDeps, 'clock'>,
  tx: Tx,
  { verificationUuid, vaspId, txHash: named }: Expectation,
  { transactionStatus, txHash }: TransactionStatusResult,
  state: TransactionState,
): void {
  if (!CONTRADICTS[transactionStatus](state)) return;
  addRemark(tx, {
    verificationUuid,
    vaspId,
    code: 'STATUS-CONTRADICTS-CHAIN',
    field: 'transactionStatus',
    expected: `${onChain(state)}: ${txHash || named}`,
    got: transactionStatus,
    at: deps.clock.now(vaspId),
  });
}

const isIncluded = (state: TransactionState) => 'succeeded' in state;
const hasFailed = (state: TransactionState) => 'succeeded' in state && !state.succeeded;
const hasSucceeded = (state: TransactionState) => 'succeeded' in state && state.succeeded;

/** REF-3. PROCESSING of a transaction in a block is only an old answer. */
const CONTRADICTS: Record<TransactionStatus, (state: TransactionState) => boolean> = {
  PENDING: state => state.status === 'pending' || isIncluded(state),
  PROCESSING: hasFailed,
  'WAIT-CONFIRM': state => !isIncluded(state) || hasFailed(state),
  CONFIRMED: state => !isIncluded(state) || hasFailed(state),
  CANCELED: hasSucceeded,
};

function onChain(state: TransactionState): string {
  if (!('succeeded' in state)) return state.status === 'pending' ? 'in no block yet' : 'known to no node';
  return state.succeeded
    ? `succeeded in block ${state.height}`
    : `failed in block ${state.height}: ${state.failure}`;
}
