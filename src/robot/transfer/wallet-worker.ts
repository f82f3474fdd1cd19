import { type Chain, ChainRefused, ChainUnreachable, type Fee, FeeTooHigh } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import type { RobotDeps } from '../deps.ts';
import { broadcast } from './broadcast.ts';
import { setNote } from './lifecycle.ts';
import { signAndStore, unitsOf } from './sign.ts';
import type { Transfer, Wallet } from './store.ts';
import { track } from './track.ts';

/** How many are signed in one transaction, and how many lookups or broadcasts are under way at once. */
const BATCH = 64;
const AT_ONCE = 32;
/** It waits for the network, however long: no back-off, nothing lost. */
const PASSING = [ChainUnreachable, ChainRefused, FeeTooHigh];
export const LOW_FUNDS = 'low funds';

/** The one writer of a wallet runs on the chain's own time: nobody's sandbox clock makes blocks. */
export const walletOwner = (symbol: AssetSymbol): string => `chain ${symbol}`;

export const walletKey = ({ symbol, account }: { symbol: string; account: string }): string =>
  `${symbol} ${account}`;

export function scheduleWallet(deps: RobotDeps, tx: Tx, { symbol, account }: Wallet): void {
  const owner = walletOwner(symbol);
  deps.timers.schedule(tx, 'robot.wallet.pay', {
    key: walletKey({ symbol, account }),
    owner,
    dueAt: deps.clock.now(owner),
    why: 'transfers of this wallet',
    payload: { symbol, account },
  });
}

/** Timer `robot.wallet.pay`: what was sent is reconciled first, then what waits is signed, stored and sent. */
export async function runWallet(deps: RobotDeps, wallet: Wallet): Promise<Outcome> {
  const { trackEveryMs, retryMs } = deps.walletSettings(wallet.symbol);
  const now = () => deps.clock.now(walletOwner(wallet.symbol));
  // On a network that started over nothing proves any more what was paid.
  const startedOver = deps.deposits.cursor(wallet.symbol)?.stopReason;
  if (startedOver) return { againAt: now() + retryMs, why: startedOver };
  try {
    const chain = await deps.chain(wallet.symbol);
    for (const some of inParts(deps.transfers.unfinished(wallet))) await track(deps, chain, wallet, some);
    await sendNew(deps, chain, wallet);
  } catch (error) {
    if (!PASSING.some(kind => error instanceof kind)) throw error;
    return { againAt: now() + retryMs, why: (error as Error).message };
  }
  if (deps.transfers.unsigned(wallet, 1).length > 0)
    return { againAt: now() + (isShort(deps, wallet) ? retryMs : 0) };
  return deps.transfers.unfinished(wallet).length > 0 ? { againAt: now() + trackEveryMs } : {};
}

const isShort = (deps: RobotDeps, wallet: Wallet): boolean =>
  deps.transfers.unsigned(wallet, 1)[0]!.note.startsWith(LOW_FUNDS);

async function sendNew(deps: RobotDeps, chain: Chain, wallet: Wallet): Promise<void> {
  const waiting = deps.transfers.unsigned(wallet, BATCH);
  if (waiting.length === 0) return;
  const fees = await quotes(chain, waiting).catch(error => {
    if (error instanceof FeeTooHigh) noteAll(deps, waiting, error.message);
    throw error;
  });
  const affordable = await withinFunds(deps, chain, wallet, waiting, fees);
  if (affordable.length === 0) return;
  const first = Math.max(deps.transfers.nextSequence(wallet), await chain.nextSequence(wallet.account));
  const orders = affordable.map((transfer, i) => ({
    transfer,
    sequence: first + i,
    fee: fees.get(transfer.toAccount)!,
  }));
  await signAndStore(deps, chain, wallet, orders, first + orders.length);
  for (const some of inParts(affordable)) await broadcast(deps, chain, some);
}

/** One quote per recipient: a batch is signed at one moment. */
async function quotes(chain: Chain, transfers: Transfer[]): Promise<Map<string, Fee>> {
  const accounts = [...new Set(transfers.map(transfer => transfer.toAccount))];
  return new Map(
    await Promise.all(accounts.map(async account => [account, await chain.quoteFee(account)] as const)),
  );
}

/** As many as the wallet can pay beside what is under way. The others wait, and say for what. */
async function withinFunds(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  waiting: Transfer[],
  fees: Map<string, Fee>,
): Promise<Transfer[]> {
  const costOf = (transfer: Transfer) => unitsOf(transfer) + chain.costOf(fees.get(transfer.toAccount)!);
  const underWay = deps.transfers
    .unfinished(wallet)
    .reduce((sum, transfer) => sum + unitsOf(transfer) + chain.costOf(newestFee(deps, transfer)), 0n);
  const wanted = waiting.reduce((sum, transfer) => sum + costOf(transfer), underWay);
  let left = (await chain.balanceOf(wallet.account)).spendable - underWay;
  if (left + underWay < wanted) left += await topUp(deps, wallet, wanted);
  const affordable: Transfer[] = [];
  for (const transfer of waiting) {
    if (costOf(transfer) > left) break;
    left -= costOf(transfer);
    affordable.push(transfer);
  }
  const short = waiting.slice(affordable.length);
  if (short.length > 0) noteAll(deps, short, `${LOW_FUNDS}: the robot's account cannot pay amount and fee`);
  return affordable;
}

const noteAll = (deps: RobotDeps, transfers: Transfer[], cause: string): void =>
  write(deps.db, tx => {
    for (const transfer of transfers) setNote(deps, tx, transfer, { event: 'waits', cause });
  });

/** Embedded chains only: fees are the robot's own, and there the robot is as rich as it needs to be. */
async function topUp(deps: RobotDeps, { symbol, account }: Wallet, units: bigint): Promise<bigint> {
  const { fund } = deps.walletSettings(symbol);
  if (!fund) return 0n;
  await fund(account, units);
  return units;
}

const newestFee = (deps: RobotDeps, { verificationUuid }: Transfer): Fee =>
  JSON.parse(deps.transfers.attemptsOf(verificationUuid).at(-1)!.fee) as Fee;

const inParts = (transfers: Transfer[]): Transfer[][] =>
  Array.from({ length: Math.ceil(transfers.length / AT_ONCE) }, (_, i) =>
    transfers.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  );
