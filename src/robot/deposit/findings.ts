import type { TransactionState } from '../../chains/port.ts';
import { ASSETS, addressText, toBaseUnits } from '../../contract/assets.ts';
import type { TransactionStatus, TransactionStatusResult, VerificationResult } from '../../contract/verification.ts';
import { beginningOf } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { addFinding, type NewFinding } from '../../findings/store.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { paymentText } from '../report/judge-report.ts';
import { type Deposit, isFor } from './store.ts';

const MAX_READ = 100;

/** D-27: of the originating VASP. */
export function noteConduct(
  { clock }: RobotDeps,
  tx: Tx,
  of: Pick<Expectation, 'verificationUuid' | 'vaspId'>,
  finding: NewFinding,
): void {
  const { verificationUuid, vaspId } = of;
  addFinding(tx, { verificationUuid, vaspId, at: clock.now(vaspId), ...finding });
}

/** D-27: the deposit of no open verification may be the payment of one that was denied or has failed. */
export function addPaidAfterEnd(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const ended = newestEnded(deps, deposit);
  if (!ended) return;
  const { verificationUuid, result, reason } = ended;
  const expectation = expectations.find(tx, verificationUuid);
  if (expectation?.endedHeight != null && deposit.firstHeight <= expectation.endedHeight)
    return addErrorAfterPayment(deps, tx, expectation, deposit);
  noteConduct(
    deps,
    tx,
    { verificationUuid, vaspId: ended.originatingVaspId },
    {
      code: result === 'ERROR' ? 'PAID-AFTER-ERROR' : 'PAID-AFTER-DENIED',
      field: 'txHash',
      expected: `no payment after ${result} / ${reason}`,
      got: `${deposit.txHash}: ${paymentText(deposit)}`,
    },
  );
}

/** WIRE-2.8: an error report cancels a transfer for good. This one was paid already. */
export const addErrorAfterPayment = (deps: RobotDeps, tx: Tx, expectation: Expectation, deposit: Deposit): void =>
  noteConduct(deps, tx, expectation, {
    code: 'ERROR-AFTER-PAYMENT',
    field: 'result',
    expected: 'no error report after a payment',
    got: `${deposit.txHash}: ${paymentText(deposit)}`,
  });

/** The newest verification of exactly this payment when it was seen first, unless it was VERIFIED in the end. */
function newestEnded(deps: RobotDeps, deposit: Deposit): VerificationResult | undefined {
  const { symbol, account, tag } = deposit;
  const page = { fromDate: '1970-01-01', page: 1, rpp: MAX_READ };
  const { verifications } = deps.enclave.list(
    { ...page, symbol, actionType: 'RECEIVE', beneficiaryAccountNumber: addressText(account, tag) },
    deps.vaspId,
  );
  const amount = toBaseUnits(symbol, deposit.amount);
  const newest = verifications.find(
    ({ assetInfo, originatingVaspId, verificationUuid }) =>
      parseUnits(assetInfo.amount, ASSETS[symbol].decimals) === amount &&
      isFor(deposit, originatingVaspId) &&
      beginningOf(deps.db, verificationUuid) <= deposit.afterHistory,
  );
  return newest?.result === undefined || newest.result === 'VERIFIED' ? undefined : newest;
}

/** D-27: the status answer says something else of its transaction than the chain. `state`: what the chain says. */
export function addContradiction(
  deps: RobotDeps,
  tx: Tx,
  expectation: Expectation,
  { transactionStatus, txHash }: TransactionStatusResult,
  state: TransactionState,
): void {
  if (isForgotten(expectation, txHash, state) || !CONTRADICTS[transactionStatus](state)) return;
  noteConduct(deps, tx, expectation, {
    code: 'STATUS-CONTRADICTS-CHAIN',
    field: 'transactionStatus',
    expected: `a status that fits ${txHash || expectation.txHash}, which ${onChain(state)}`,
    got: transactionStatus,
  });
}

/** The robot has credited it. A node may have forgotten it since, and the chain may have started over. */
const isForgotten = ({ status, txHash: credited }: Expectation, txHash: string | undefined, state: TransactionState) =>
  status === 'CREDITED' && !isIncluded(state) && (txHash || credited)?.toLowerCase() === credited?.toLowerCase();

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
  if (!('succeeded' in state)) return state.status === 'pending' ? 'is in no block yet' : 'is known to no node';
  return state.succeeded
    ? `has succeeded in block ${state.height}`
    : `has failed in block ${state.height}: ${state.failure}`;
}
