import type { Chain, TransactionState } from '../../chains/port.ts';
import { toCoins } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import { orderLookUp } from '../expectation/schedule.ts';
import * as expectations from '../expectation/store.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { reopenReplaced } from '../transfer/replaced-payments.ts';
import * as cursors from './cursor-store.ts';
import { markReorganised } from './lifecycle.ts';
import { seenAgain } from './record-transfer.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** The number of blocks during which a removed deposit is looked up. The reader and reports find it later, too. */
const WATCHED_BLOCKS = 1_024;

/** Read up to `height`, looks up deposits that are not final: final by now, in another block, or gone. Throws `ChainUnreachable`. */
export async function recheck(deps: RobotDeps, chain: Chain, height: number): Promise<void> {
  for (const deposit of deposits.notFinal(deps.db, chain.symbol, height - WATCHED_BLOCKS))
    await look(deps, chain, deposit);
}

/**
 * After a reorganisation, when the chain is read up to its head again: looks up the final deposits and payments
 * of the replaced blocks. This is kept until it is done, so a stop in between loses nothing. Throws `ChainUnreachable`.
 */
export async function recheckReplaced(deps: RobotDeps, chain: Chain, from: number): Promise<void> {
  const { symbol } = chain;
  for (const deposit of deposits.finalAfter(deps.db, symbol, from)) await look(deps, chain, deposit);
  await restoreBaselines(deps, chain, from);
  if (!(await reopenReplaced(deps, chain, from))) return;
  write(deps.db, tx => cursors.saveRecheckFrom(tx, symbol, null));
}

async function look(deps: RobotDeps, chain: Chain, deposit: Deposit): Promise<void> {
  const state = await chain.stateOf(deposit.txHash);
  const isThere = 'blockHash' in state && state.succeeded && (await holds(chain, deposit, state));
  write(deps.db, tx => {
    const current = deposits.byId(tx, deposit.id);
    if (!current || current.status !== deposit.status) return;
    if (isThere) seenAgain(deps, tx, current, { ...state, final: state.status === 'final' });
    else if (current.status !== 'REORGANISED' && current.status !== 'TAKEN-BACK') remove(deps, tx, current);
  });
}

type InBlock = Extract<TransactionState, { blockHash: string }>;

/** In another block the calls of a transaction may end otherwise. */
async function holds(chain: Chain, deposit: Deposit, { blockHash }: InBlock): Promise<boolean> {
  if (deposit.via === null || (blockHash === deposit.blockHash && deposit.status !== 'TAKEN-BACK')) return true;
  const { transfers } = await chain.lookup(deposit.txHash, deposit.account);
  return transfers.some(
    ({ index, to, amount }) =>
      to.account === deposit.account && index === deposit.index && toCoins(deposit.symbol, amount) === deposit.amount,
  );
}

/** No block holds it any more. A credit is taken back, and the reports that named it are judged again. */
function remove(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const { symbol, txHash, account, index, verificationUuid: uuid } = deposit;
  if (deposit.via !== null) reconciliation.removeMovement(tx, symbol, txHash, account, index);
  markReorganised(deps, tx, deposit);
  const expectation = uuid === null ? undefined : expectations.find(tx, uuid);
  if (expectation?.status === 'CREDITED') {
    transition(tx, expectationStatus, expectation, 'credit-taken-back', {
      at: deps.clock.now(expectation.vaspId),
      cause: `a reorganisation removed ${deposit.amount} ${symbol} of ${txHash}, which were credited`,
      detail: { txHash, height: deposit.height, blockHash: deposit.blockHash },
    });
    expectations.patch(tx, expectation.verificationUuid, { creditLostAt: deps.clock.now(expectation.vaspId) });
    deps.enclave.setCredited(expectation.verificationUuid, false, deps.vaspId);
  }
  for (const named of expectations.ofTxHash(tx, symbol, txHash)) orderLookUp(deps, tx, named);
}

/**
 * The baselines of replaced blocks are gone. The balances before these blocks take their place, where the node still
 * has them. Throws `ChainUnreachable`.
 */
async function restoreBaselines(deps: RobotDeps, { symbol, payouts }: Chain, height: number): Promise<void> {
  const cursor = cursors.find(deps.db, symbol);
  if (!payouts || !cursor) return;
  const present = new Set(reconciliation.baselinesOf(deps.db, symbol, cursor).map(({ account }) => account));
  const { accounts } = await deps.users.watched(symbol);
  const missing = [...accounts].filter(account => !present.has(account));
  const balances = missing.length > 0 ? await payouts.balances({ height }, missing) : undefined;
  const { genesis } = cursor;
  write(deps.db, tx => {
    for (const [account, units] of balances ?? [])
      reconciliation.saveBaseline(tx, { symbol, account, height, genesis, balance: units.toString() });
  });
}
