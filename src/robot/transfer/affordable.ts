import { type Fee, FeeTooHigh } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import { availableAt } from '../balance/amounts.ts';
import { costOfAll, giveMoney, LOW_FUNDS, sum } from './funds.ts';
import { cancelTransfer, setNote } from './lifecycle.ts';
import { paymentOf, unitsOf } from './send.ts';
import * as transfers from './store.ts';
import { orderTopUp } from './top-up.ts';
import { NOBODY, type OpenWallet, type Transfer } from './transfer.ts';

type Deps = OpenWallet['deps'];

export interface Priced {
  transfer: Transfer;
  fee: Fee;
}

/** Those that the wallet can pay now, each with its fee. The others get a note and wait, or are canceled. */
export async function affordableOf(
  wallet: OpenWallet,
  unsigned: Transfer[],
): Promise<{ affordable: Priced[]; lacksMoney: boolean }> {
  const covered = coveredOf(wallet.deps, unsigned);
  const payable = await payableOf(wallet, covered);
  const affordable = payable.length === 0 ? [] : await paidByBalance(wallet, payable);
  return {
    affordable,
    lacksMoney: covered.length < unsigned.length || affordable.length < payable.length,
  };
}

/** After a credit was taken back a balance may be negative: its transfers wait. */
function coveredOf(deps: Deps, unsigned: Transfer[]): Transfer[] {
  const isCovered = (transfer: Transfer) =>
    transfer.vaspId === NOBODY || availableAt(deps, transfer.vaspId, transfer) >= 0n;
  const covered = unsigned.filter(isCovered);
  const uncovered = unsigned.filter(transfer => !covered.includes(transfer));
  noteAll(deps, uncovered, `${LOW_FUNDS}: the balance is negative, because a credit was taken back`);
  return covered;
}

/** D-32: without those that no payment can reach. They are canceled with an error report. */
async function payableOf({ deps, chain }: OpenWallet, covered: Transfer[]): Promise<Transfer[]> {
  const reasons = await Promise.all(
    covered.map(({ toAccount, toTag }) =>
      chain.whyUnpayable({ account: toAccount, ...(toTag === null ? {} : { tag: toTag }) }),
    ),
  );
  if (!reasons.some(reason => reason !== undefined)) return covered;
  write(deps.db, tx => {
    for (const [i, { verificationUuid }] of covered.entries()) {
      const transfer = transfers.find(tx, verificationUuid);
      if (reasons[i] && transfer?.status === 'PENDING') cancelTransfer(deps, tx, transfer, reasons[i]);
    }
  });
  return covered.filter((_, i) => reasons[i] === undefined);
}

/** D-31: the oldest ones, as far as the money reaches beside the transfers that are signed. The others wait. */
async function paidByBalance(wallet: OpenWallet, payable: Transfer[]): Promise<Priced[]> {
  const { deps, chain } = wallet;
  const priced = await withFees(wallet, payable);
  const feeOf = ({ fee }: Priced) => chain.costOf(fee);
  const costOf = (each: Priced) => unitsOf(each.transfer) + feeOf(each);
  const cost = sum(priced.map(costOf));
  const costUnderWay = costOfAll(wallet, transfers.underWay(deps.db, wallet));
  let left = (await chain.balanceOf(wallet.account)).spendable - costUnderWay;
  const lacks = cost - left;
  if (lacks > 0n) left += await giveMoney(wallet, cost + costUnderWay);
  const affordable: Priced[] = [];
  for (const each of priced) {
    if (costOf(each) > left) break;
    left -= costOf(each);
    affordable.push(each);
  }
  const short = payable.slice(affordable.length);
  if (short.length > 0) {
    const why = orderTopUp(wallet, { lacks, fees: sum(priced.map(feeOf)) });
    noteAll(deps, short, `${LOW_FUNDS}: ${why}`);
  }
  return affordable;
}

/** The network is asked once for all payments of one amount to one account. */
async function withFees({ deps, chain }: OpenWallet, waiting: Transfer[]): Promise<Priced[]> {
  const quotes = new Map<string, Promise<Fee>>();
  const quoteFor = (transfer: Transfer): Promise<Fee> => {
    const payment = `${transfer.toAccount} ${transfer.amount}`;
    const quote = quotes.get(payment) ?? chain.quoteFee(paymentOf(transfer));
    quotes.set(payment, quote);
    return quote;
  };
  try {
    return await Promise.all(waiting.map(async transfer => ({ transfer, fee: await quoteFor(transfer) })));
  } catch (error) {
    if (error instanceof FeeTooHigh) noteAll(deps, waiting, error.message);
    throw error;
  }
}

function noteAll(deps: Deps, waiting: Transfer[], cause: string): void {
  if (waiting.length === 0) return;
  write(deps.db, tx => {
    for (const transfer of waiting) setNote(deps, tx, transfer, 'waits', cause);
  });
}
