import { NotPayable } from '../../chains/payments.ts';
import { type Fee, FeeTooHigh } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import { availableAt } from '../balance/amounts.ts';
import { costOfAll, giveMoney, inNoBlock, LOW_FUNDS, sum } from './funds.ts';
import { cancelTransfer, setNote } from './lifecycle.ts';
import { paymentOf, unitsOf } from './send.ts';
import * as transfers from './store.ts';
import { orderTopUp } from './top-up.ts';
import { isOver, NOBODY, type OpenWallet, type Transfer } from './transfer.ts';

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
  const priced = await withFees(wallet, await payableOf(wallet, covered));
  const affordable = priced.length === 0 ? [] : await paidByBalance(wallet, priced);
  return { affordable, lacksMoney: covered.length < unsigned.length || affordable.length < priced.length };
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
  for (const [i, transfer] of covered.entries()) if (reasons[i]) cancelUnpayable(deps, transfer, reasons[i]);
  return covered.filter((_, i) => reasons[i] === undefined);
}

/** Nothing that was signed for it can get into a block any more. */
const cancelUnpayable = (deps: Deps, { verificationUuid }: Transfer, reason: string): void =>
  write(deps.db, tx => {
    const transfer = transfers.find(tx, verificationUuid);
    if (transfer && transfer.txHash === null && !isOver(transfer)) cancelTransfer(deps, tx, transfer, reason);
  });

/** D-31: the oldest ones, as far as the money reaches beside the transfers that are signed. One that is too large holds no smaller one. */
async function paidByBalance(wallet: OpenWallet, priced: Priced[]): Promise<Priced[]> {
  const { deps, chain } = wallet;
  const feeOf = ({ fee }: Priced) => chain.costOf(fee);
  const costOf = (each: Priced) => unitsOf(each.transfer) + feeOf(each);
  const cost = sum(priced.map(costOf));
  const costUnderWay = costOfAll(wallet, inNoBlock(wallet));
  let left = (await chain.balanceOf(wallet.account)).spendable - costUnderWay;
  const lacks = cost - left;
  if (lacks > 0n) left += await giveMoney(wallet, cost + costUnderWay);
  const affordable: Priced[] = [];
  for (const each of priced) {
    if (costOf(each) > left) continue;
    left -= costOf(each);
    affordable.push(each);
  }
  const short = priced.filter(each => !affordable.includes(each)).map(({ transfer }) => transfer);
  if (short.length > 0) {
    const why = orderTopUp(wallet, { lacks, fees: sum(priced.map(feeOf)) });
    noteAll(deps, short, `${LOW_FUNDS}: ${why}`);
  }
  return affordable;
}

/**
 * The network is asked once for all payments of one amount to one account, and one after the other: what a recipient's
 * contract does takes time of the node. D-48: without those that the recipient does not take. They are canceled.
 */
async function withFees({ deps, chain }: OpenWallet, waiting: Transfer[]): Promise<Priced[]> {
  const quotes = new Map<string, Fee | NotPayable>();
  const priced: Priced[] = [];
  try {
    for (const transfer of waiting) {
      const payment = `${transfer.toAccount} ${transfer.amount}`;
      const quote = quotes.get(payment) ?? (await chain.quoteFee(paymentOf(transfer)).catch(asNotPayable));
      quotes.set(payment, quote);
      if (quote instanceof NotPayable) cancelUnpayable(deps, transfer, quote.message);
      else priced.push({ transfer, fee: quote });
    }
    return priced;
  } catch (error) {
    if (error instanceof FeeTooHigh) noteAll(deps, waiting, error.message);
    throw error;
  }
}

function asNotPayable(error: unknown): NotPayable {
  if (error instanceof NotPayable) return error;
  throw error;
}

function noteAll(deps: Deps, waiting: Transfer[], cause: string): void {
  if (waiting.length === 0) return;
  write(deps.db, tx => {
    for (const transfer of waiting) setNote(deps, tx, transfer, 'waits', cause);
  });
}
