import { type Broadcast, OWN_MONEY, type PlannedPayment } from '../../chains/payments.ts';
import { type Chain, ChainUnreachable, type Fee, type TransferOrder, type ValueTransfer } from '../../chains/port.ts';
import { type AssetSymbol, addressText, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { type Synchronous, type Tx, write, writeDurably } from '../../db/transaction.ts';
import { recordEvent } from '../../db/transition.ts';
import { isStopped } from '../deposit/cursor-store.ts';
import type { RobotDeps } from '../deps.ts';
import { take } from '../numbers/store.ts';
import { beginOwn, cancelTransfer, markBroadcast, scheduleWallet, setNote } from './lifecycle.ts';
import { transferStatus } from './machine.ts';
import * as transfers from './store.ts';
import { type Attempt, isOver, type OpenWallet, type Transfer } from './store.ts';

/** SEND-1, SEND-2: a transaction is signed, then stored for good, then broadcast from the store. */

export const unitsOf = ({ symbol, amount }: Transfer): bigint => toBaseUnits(symbol, amount);

export const paymentOf = (transfer: Transfer): PlannedPayment => ({
  from: transfer.account,
  to: transfer.toAccount,
  amount: unitsOf(transfer),
});

interface SigningOrder {
  transfer: Transfer;
  sequence: number;
  fee: Fee;
  /**
   * Why the transfer is signed again, with the same sequence: either transaction may get into a block, but never both.
   * Undefined: for the first time.
   */
  again?: string;
}

/** Signs all, and stores them in one transaction. `freeUpTo`: with new numbers, which were free up to this block. */
export async function signAndStore(wallet: OpenWallet, orders: SigningOrder[], freeUpTo?: number): Promise<void> {
  const { deps, chain } = wallet;
  const signed = await Promise.all(
    orders.map(async order => ({ ...order, signed: await chain.sign(transferOrder(order)) })),
  );
  storeSigned(wallet, tx => {
    const at = deps.clock.machineNow();
    for (const { transfer, sequence, fee, signed: transaction, again } of signed) {
      transfers.addAttempt(tx, transfer, { sequence, fee, signed: transaction, freeUpTo }, at);
      if (again === undefined) continue;
      const detail = { txHash: transaction.hash, sequence, fee, replaces: transfer.txHash };
      const entry = { at: deps.clock.now(transfer.vaspId), cause: again, detail };
      recordEvent(tx, transferStatus, transfer, 'signed-again', entry);
    }
    if (freeUpTo !== undefined) take(tx, wallet, orders.at(-1)!.sequence + 1, freeUpTo);
  });
}

/** D-33: what was signed for a chain that starts over may be the same transaction on the new one. Then it is not stored. */
export const storeSigned = <T>({ deps, symbol }: OpenWallet, store: (tx: Tx) => Synchronous<T>): T =>
  writeDurably(deps.db, tx => {
    refuseStopped(tx, symbol);
    return store(tx);
  });

function refuseStopped(db: Db, symbol: AssetSymbol): void {
  if (isStopped(db, symbol)) throw new ChainUnreachable('the chain has started over');
}

const transferOrder = ({ transfer, sequence, fee }: SigningOrder): TransferOrder => ({
  from: transfer.walletIndex,
  to: { account: transfer.toAccount, ...(transfer.toTag === null ? {} : { tag: transfer.toTag }) },
  amount: unitsOf(transfer),
  sequence,
  fee,
  reference: transfer.verificationUuid,
  ...(transfer.tag === null ? {} : { sourceTag: transfer.tag }),
});

/**
 * SEND-2: broadcasts the stored bytes of each transfer's newest attempt, in the order of numbers, as far as a node has those
 * before. D-47: behind a gap it would wait unseen, and pay when a restored copy has paid again. An unclear answer counts
 * as sent. The answers are stored in one transaction, also when a broadcast throws. `waiting`: numbers that a node has.
 * D-33: what was signed before a chain started over would pay on the new one, too.
 */
export async function broadcast(
  { deps, chain, account }: OpenWallet,
  stored: readonly Transfer[],
  waiting: ReadonlySet<number> = new Set(),
): Promise<void> {
  const sending = transfers
    .attemptsOfAll(deps.db, withoutCanceled(deps, stored))
    .filter(signed => !isUnknown(signed.at(-1)!))
    .sort((one, other) => one.at(-1)!.sequence - other.at(-1)!.sequence);
  let { next } = await chain.numbers(account);
  const answers: Broadcast[] = [];
  try {
    for (const signed of sending) {
      while (waiting.has(next)) next += 1;
      const { sequence, bytes } = signed.at(-1)!;
      if (sequence > next) break;
      refuseStopped(deps.db, chain.symbol);
      const answer = await chain.broadcast(bytes);
      answers.push(answer);
      if (sequence === next && TAKES_NUMBER.includes(answer.status)) next += 1;
    }
  } finally {
    write(deps.db, tx => {
      const current = transfers.current(tx, stored);
      for (const [i, answer] of answers.entries()) {
        const transfer = current.get(sending[i]![0]!.verificationUuid);
        if (transfer) applyAnswer(deps, tx, transfer, sending[i]!, answer);
      }
    });
  }
}

/** The node has it, or another transaction with its number. */
const TAKES_NUMBER: readonly Broadcast['status'][] = ['accepted', 'already-known', 'outbid'];

/** Signed before a restore: this database does not know its bytes. It is signed again, with the same sequence. */
export const isUnknown = ({ bytes }: Attempt): boolean => bytes === '';

function withoutCanceled(deps: RobotDeps, stored: readonly Transfer[]): Transfer[] {
  const current = transfers.current(deps.db, stored);
  return stored.filter(({ verificationUuid }) => current.get(verificationUuid)?.status !== 'CANCELED');
}

function applyAnswer(deps: RobotDeps, tx: Tx, transfer: Transfer, signed: Attempt[], answer: Broadcast): void {
  const attempt = signed.at(-1)!;
  const { hash } = attempt;
  if (isOver(transfer)) return;
  const isAccepted = answer.status !== 'rejected' && answer.status !== 'outbid';
  const rejection = answer.status === 'rejected' ? answer.reason : null;
  transfers.saveAnswer(tx, attempt, { rejection, isAccepted });
  if (isAccepted) {
    const cause = `broadcast: ${answer.status} ${hash}`;
    if (transfer.status === 'PENDING') markBroadcast(deps, tx, transfer, { hash, cause });
    return;
  }
  const cause = `the node refused it (${rejection ?? answer.status}): ${answer.text}`.slice(0, 500);
  // A repeated refusal would replace a newer note, such as why no higher fee is paid.
  if (rejection === null || rejection !== attempt.rejection) setNote(deps, tx, transfer, 'refused', cause);
  if (answer.status === 'rejected' && answer.final && signed.length === 1 && transfer.status === 'PENDING')
    // No node will ever accept its only transaction. An empty one takes the number.
    cancelTransfer(deps, tx, transfer, answer.text);
}

/** D-31: the treasury pays the fees of the robot's other accounts. A top-up is a transfer like every other. */

/** 0.05 ETH. One top-up is less. */
const LIMIT_WEI = 50_000_000_000_000_000n;

/** The account that pays the fees of the others. Undefined: this chain needs none. */
export function treasuryOf(deps: RobotDeps, chain: Chain): string | undefined {
  const { treasuryIndex } = deps.walletSettings(chain.symbol);
  return treasuryIndex === undefined ? undefined : chain.ownAccount(treasuryIndex);
}

/** D-31: what the treasury or an embedded chain gives the robot for amounts and fees. It is no deposit. */
export function isOwnMoney(deps: RobotDeps, chain: Chain): (transfer: ValueTransfer) => boolean {
  const treasury = treasuryOf(deps, chain);
  return ({ from, via }) => via === OWN_MONEY || from === treasury;
}

/**
 * Orders a top-up, unless one is under way: twice the fees, as they may rise. Returns why the wallet waits. Base units:
 * `lacks` for amounts and fees, of which fees are at most `fees`.
 */
export function orderTopUp(wallet: OpenWallet, { lacks, fees }: { lacks: bigint; fees: bigint }): string {
  const { deps, chain } = wallet;
  const treasury = treasuryOf(deps, chain);
  const text = (units: bigint) => toCoins(wallet.symbol, units);
  const account = addressText(wallet.account);
  if (treasury === undefined || wallet.account === treasury || lacks > fees)
    return `${account} lacks ${text(lacks)} ${wallet.symbol}`;
  const wanted = lacks + fees;
  const amount = text(wanted < LIMIT_WEI ? wanted : LIMIT_WEI - 1n);
  const { symbol, account: toAccount } = wallet;
  const { treasuryIndex } = deps.walletSettings(symbol);
  const topUp = { kind: 'top-up', symbol, account: treasury, walletIndex: treasuryIndex!, toAccount, amount } as const;
  write(deps.db, tx => {
    if (transfers.topUpUnderWay(tx, wallet)) return;
    scheduleWallet(deps, tx, beginOwn(deps, tx, topUp, `${amount} ${symbol} for the fees of ${account}`));
  });
  return `${account} waits for fees from the treasury ${addressText(treasury)}`;
}

/** A top-up stands in a block: the account that waited for it goes on. */
export function wakeToppedUp(deps: RobotDeps, tx: Tx, transfer: Transfer): void {
  const { symbol, toAccount: account } = transfer;
  if (transfer.kind === 'top-up') scheduleWallet(deps, tx, { symbol, account });
}

/** For people: the beginning of the note of a transfer that waits for money. */
export const LOW_FUNDS = 'low funds';

export const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);

/** The balance has already paid for what stands in a block. */
export const inNoBlock = (wallet: OpenWallet): Transfer[] =>
  transfers.underWay(wallet.deps.db, wallet).filter(({ status }) => status !== 'WAIT-CONFIRM');

/** Base units that these signed transfers may still cost. */
export function costOfAll({ deps, chain }: OpenWallet, unconfirmed: readonly Transfer[]): bigint {
  const signed = transfers.attemptsOfAll(deps.db, unconfirmed);
  const costOf = (transfer: Transfer, i: number) => unitsOf(transfer) + chain.costOf(signed[i]!.at(-1)!.fee);
  return sum(unconfirmed.map(costOf));
}

/** Embedded chains only: gives the account new money, so that the robot never lacks fees there. */
export async function giveMoney({ deps, symbol, account }: OpenWallet, units: bigint): Promise<bigint> {
  const { fund } = deps.walletSettings(symbol);
  if (!fund) return 0n;
  await fund(account, units);
  return units;
}

/** D-31: why no transfer that is in no block can be paid now, with `more` base units. Orders the money for it. */
export async function whyNotAffordable(wallet: OpenWallet, more: bigint): Promise<string | undefined> {
  const { chain } = wallet;
  const { spendable } = await chain.balanceOf(wallet.account);
  const unmined = inNoBlock(wallet);
  const cost = costOfAll(wallet, unmined) + more;
  const lacks = cost - spendable;
  if (lacks <= 0n || (await giveMoney(wallet, lacks)) > 0n) return undefined;
  const fees = cost - sum(unmined.map(unitsOf));
  const what = more > 0n ? `${LOW_FUNDS} for a higher fee` : LOW_FUNDS;
  return `${what}: ${orderTopUp(wallet, { lacks, fees })}`;
}
