import { type Chain, ChainRefused, ChainUnreachable, type Fee, FeeTooHigh } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import { availableAt } from '../balance/amounts.ts';
import type { PayDeps, RobotDeps } from '../deps.ts';
import { explainOutgoing } from '../restored/explain.ts';
import { fillGaps } from './fill-gaps.ts';
import { costOfAll, giveMoney, LOW_FUNDS } from './funds.ts';
import { cancelTransfer, setNote } from './lifecycle.ts';
import { walletOwner } from './schedule-wallet.ts';
import { broadcast, paymentOf, signAndStore, unitsOf } from './send.ts';
import { orderTopUp } from './top-up.ts';
import { track } from './track.ts';
import { NOBODY, type Transfer, type Wallet } from './transfer.ts';

type Deps = PayDeps &
  Pick<RobotDeps, 'chain' | 'deposits' | 'log' | 'restored' | 'timers' | 'walletSettings'>;

/** Most transfers that one run sends. */
const SENT_BY_ONE_RUN = 256;
/** Most lookups or broadcasts at the same time. */
const CALLS_AT_ONCE = 32;
/** Reasons of the network that pass: the wallet tries again at the same pace, however long it takes. */
const TEMPORARY = [ChainUnreachable, ChainRefused, FeeTooHigh];

/** Timer `robot.wallet.pay`, the only writer of a wallet: tracks the sent transfers, then sends the waiting ones. */
export async function runWallet(deps: Deps, wallet: Wallet): Promise<Outcome> {
  const settings = deps.walletSettings(wallet.symbol);
  const { retryMs, lowFundsRetryMs, trackEveryMs, trackFirstMs = trackEveryMs } = settings;
  const now = () => deps.clock.now(walletOwner(wallet.symbol));
  // After a reset of the network nothing on it proves what was paid.
  const stopReason = deps.deposits.cursor(wallet.symbol)?.stopReason;
  if (stopReason) return { againAt: now() + retryMs, why: stopReason };
  let sent: Sent = { hasSent: false, lacksMoney: false };
  try {
    const chain = await deps.chain(wallet.symbol);
    for (const part of inParts(deps.transfers.underWay(wallet))) await track(deps, chain, wallet, part);
    await fillGaps(deps, chain, wallet);
    if (deps.transfers.unsigned(wallet, 1).length > 0) {
      const why = await explainOutgoing(deps, chain, wallet);
      if (why !== undefined) return { againAt: now() + retryMs, why };
    }
    sent = await sendUnsigned(deps, chain, wallet);
  } catch (error) {
    if (!TEMPORARY.some(kind => error instanceof kind)) throw error;
    return { againAt: now() + retryMs, why: (error as Error).message };
  }
  if (deps.transfers.unsigned(wallet, 1).length > 0)
    return { againAt: now() + (sent.lacksMoney ? lowFundsRetryMs : 0) };
  if (deps.transfers.underWay(wallet).length === 0) return {};
  return { againAt: now() + (sent.hasSent ? trackFirstMs : trackEveryMs) };
}

interface Sent {
  hasSent: boolean;
  /** Some transfers wait for money. */
  lacksMoney: boolean;
}

async function sendUnsigned(deps: Deps, chain: Chain, wallet: Wallet): Promise<Sent> {
  const unsigned = deps.transfers.unsigned(wallet, SENT_BY_ONE_RUN);
  const covered = coveredOf(deps, unsigned);
  const payable = await payableOf(deps, chain, covered);
  const isUncovered = covered.length < unsigned.length;
  if (payable.length === 0) return { hasSent: false, lacksMoney: isUncovered };
  const fees = await quotes(chain, payable).catch(error => {
    if (error instanceof FeeTooHigh) noteAll(deps, payable, error.message);
    throw error;
  });
  const affordable = await affordableOf(deps, chain, wallet, payable, fees);
  const lacksMoney = isUncovered || affordable.length < payable.length;
  if (affordable.length === 0) return { hasSent: false, lacksMoney };
  const first = Math.max(deps.transfers.nextSequence(wallet), await chain.nextSequence(wallet.account));
  const orders = affordable.map((transfer, i) => ({
    transfer,
    sequence: first + i,
    fee: fees.get(quoteKey(transfer))!,
  }));
  // SEND-2: each part is stored before it is broadcast.
  for (const part of inParts(orders)) {
    await signAndStore(deps, chain, wallet, part, part.at(-1)!.sequence + 1);
    const transfers = part.map(({ transfer }) => transfer);
    await broadcast(deps, chain, transfers);
  }
  return { hasSent: true, lacksMoney };
}

/** After a credit was taken back a balance may be negative: its transfers get a note and wait. */
function coveredOf(deps: Deps, unsigned: Transfer[]): Transfer[] {
  const isCovered = (transfer: Transfer) =>
    transfer.vaspId === NOBODY || availableAt(deps, transfer.vaspId, transfer) >= 0n;
  const covered = unsigned.filter(isCovered);
  const uncovered = unsigned.filter(transfer => !covered.includes(transfer));
  if (uncovered.length > 0)
    noteAll(deps, uncovered, `${LOW_FUNDS}: the balance is negative, because a credit was taken back`);
  return covered;
}

/** D-32: without those that no payment can reach. They are canceled with an error report. */
async function payableOf(deps: Deps, chain: Chain, covered: Transfer[]): Promise<Transfer[]> {
  const reasons = await Promise.all(
    covered.map(({ toAccount, toTag }) =>
      chain.whyUnpayable({ account: toAccount, ...(toTag === null ? {} : { tag: toTag }) }),
    ),
  );
  if (!reasons.some(reason => reason !== undefined)) return covered;
  write(deps.db, tx => {
    for (const [i, { verificationUuid }] of covered.entries()) {
      const transfer = deps.transfers.find(verificationUuid);
      if (reasons[i] && transfer?.status === 'PENDING') cancelTransfer(deps, tx, transfer, reasons[i]);
    }
  });
  return covered.filter((_, i) => reasons[i] === undefined);
}

/** Equal payments share one quote. */
async function quotes(chain: Chain, transfers: Transfer[]): Promise<Map<string, Fee>> {
  const different = new Map(transfers.map(transfer => [quoteKey(transfer), paymentOf(transfer)]));
  return new Map(
    await Promise.all(
      [...different].map(async ([key, payment]) => [key, await chain.quoteFee(payment)] as const),
    ),
  );
}

const quoteKey = ({ toAccount, amount }: Transfer): string => `${toAccount} ${amount}`;

/** The oldest transfers that the wallet can pay beside those under way. The others get a note and wait. */
async function affordableOf(
  deps: Deps,
  chain: Chain,
  wallet: Wallet,
  payable: Transfer[],
  fees: Map<string, Fee>,
): Promise<Transfer[]> {
  const feeOf = (transfer: Transfer) => chain.costOf(fees.get(quoteKey(transfer))!);
  const costOf = (transfer: Transfer) => unitsOf(transfer) + feeOf(transfer);
  const underWay = costOfAll(deps, chain, deps.transfers.underWay(wallet));
  const needed = payable.reduce((sum, transfer) => sum + costOf(transfer), underWay);
  let left = (await chain.balanceOf(wallet.account)).spendable - underWay;
  const lacks = needed - underWay - left;
  if (lacks > 0n) left += await giveMoney(deps, wallet, needed);
  const affordable: Transfer[] = [];
  for (const transfer of payable) {
    if (costOf(transfer) > left) break;
    left -= costOf(transfer);
    affordable.push(transfer);
  }
  const short = payable.slice(affordable.length);
  if (short.length > 0) {
    const owedFees = payable.reduce((sum, transfer) => sum + feeOf(transfer), 0n);
    const why = orderTopUp(deps, chain, wallet, { lacks, fees: owedFees });
    noteAll(deps, short, `${LOW_FUNDS}: ${why}`);
  }
  return affordable;
}

const noteAll = (deps: Deps, transfers: Transfer[], cause: string): void =>
  write(deps.db, tx => {
    for (const transfer of transfers) setNote(deps, tx, transfer, 'waits', cause);
  });

const inParts = <T>(all: readonly T[]): T[][] =>
  Array.from({ length: Math.ceil(all.length / CALLS_AT_ONCE) }, (_, i) =>
    all.slice(i * CALLS_AT_ONCE, (i + 1) * CALLS_AT_ONCE),
  );
