import { Refused } from '../../client/client.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import * as books from '../books.ts';
import type { VaspDeps } from '../deps.ts';
import { CannotPay, type Ledger } from '../ledgers/port.ts';
import * as withdrawals from './store.ts';
import { unitsOf, type Withdrawal } from './withdrawal.ts';

/** SEND-1: signs and stores the payment before it is sent. The booking makes it happen once. */
export async function pay(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, order } = withdrawal;
  const { store, ledgers, customers } = deps;
  const account = customers.customers.findIndex(each => each.id === order.customer.id);
  const units = unitsOf(order);
  if (account < 0 || units === undefined) return void withdrawals.move(store, id, 'CANCELS', 'NOT-ALLOWED');
  const symbol = order.symbol as AssetSymbol;
  const ledger = ledgers[symbol];
  await deps.funded.catch(() => {});
  await ledger.inTurn(async () => {
    if (books.balance(store, order.customer.id, symbol) < units)
      return void withdrawals.move(store, id, 'CANCELS', 'NOT-ALLOWED');
    try {
      const signed = await ledger.sign(account, order.beneficiary.account, units);
      store.together(() => {
        books.book(store, { key: `withdrawal ${id}`, customer: order.customer.id, symbol, units: -units });
        withdrawals.signed(store, id, signed);
      });
      await ledger.send(signed);
    } catch (error) {
      if (!(error instanceof CannotPay)) throw error;
      return void withdrawals.move(store, id, 'CANCELS', 'NOT-ALLOWED');
    }
    withdrawals.move(store, id, 'SENT');
  });
}

/** After a failure or a restart: the same bytes again. */
export async function send(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const ledger = ledgerOf(deps, withdrawal);
  await ledger.inTurn(() => ledger.send(withdrawal.signed!));
  withdrawals.move(deps.store, withdrawal.id, 'SENT');
}

/** WIRE-2.7: as soon as the hash exists. Repeated until the enclave has accepted it. */
export async function report(deps: VaspDeps, { id, uuid, order, signed }: Withdrawal): Promise<void> {
  if (order.goal === 'report') await accepted(deps.enclave.reportTransaction(uuid!, signed!.hash));
  withdrawals.move(deps.store, id, 'FOLLOWED');
}

const SENDS_AGAIN_EVERY = 6;

export async function follow(deps: VaspDeps, withdrawal: Withdrawal, attempt: number): Promise<void> {
  const { id, signed } = withdrawal;
  const ledger = ledgerOf(deps, withdrawal);
  const status = await ledger.statusOf(signed!);
  if (status === 'CONFIRMED') withdrawals.move(deps.store, id, 'DONE');
  else if (status === 'CANCELED') withdrawals.move(deps.store, id, 'CANCELS', 'UNDEFINED-ERROR');
  else if (attempt % SENDS_AGAIN_EVERY === SENDS_AGAIN_EVERY - 1) await ledger.send(signed!);
}

/** WIRE-2.8: the error report. The customer gets the amount back. */
export async function cancel(deps: VaspDeps, withdrawal: Withdrawal): Promise<void> {
  const { id, uuid, order, note } = withdrawal;
  await accepted(deps.enclave.reportError(uuid!, 'ERROR', note, 'The withdrawal was canceled.'));
  deps.store.together(() => {
    const units = unitsOf(order);
    if (withdrawal.signed && units !== undefined)
      books.book(deps.store, {
        key: `withdrawal ${id} canceled`,
        customer: order.customer.id,
        symbol: order.symbol,
        units,
      });
    withdrawals.move(deps.store, id, 'CANCELED', note);
  });
}

const ledgerOf = ({ ledgers }: VaspDeps, { order }: Withdrawal): Ledger => ledgers[order.symbol as AssetSymbol];

/** Time-out and limit of calls. Any other 4xx is final: the enclave will never accept it. */
const TRY_AGAIN = [408, 429];

async function accepted(report: Promise<unknown>): Promise<void> {
  try {
    await report;
  } catch (error) {
    const isFinal = error instanceof Refused && error.status < 500 && !TRY_AGAIN.includes(error.status);
    if (!isFinal) throw error;
  }
}
