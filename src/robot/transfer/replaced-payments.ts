import type { Chain, TransactionState } from '../../chains/port.ts';
import type { RobotDeps } from '../deps.ts';
import { notePaidAfterAll } from './fill-gaps.ts';
import { costOfAll, giveMoney } from './funds.ts';
import { sendAgain } from './send.ts';
import type { SentTransfer } from './store.ts';

/** Payments that are looked up at the same time. */
const LOOKED_UP_AT_ONCE = 16;
/** Without money or with too low a fee a payment may wait for ever, and every look asks the node. */
const SENT_AGAIN_BLOCKS = 1_024;

interface Found extends SentTransfer {
  state: TransactionState;
}

/**
 * SEND-5: a reorganisation deeper than the confirmations removes payments that were CONFIRMED. Their bytes are broadcast
 * again, which cannot pay twice. A transaction that failed is not: its amount is free again, and an empty transaction
 * takes its sequence. `from`: height of the last block that stayed. False: look again later, because one that was
 * CONFIRMED is in no block yet, or one that failed may still succeed. Throws `ChainUnreachable`.
 */
export async function sendReplacedAgain(deps: RobotDeps, chain: Chain, from: number): Promise<boolean> {
  const found = await foundAfter(deps, chain, from);
  const removed = found.filter(
    ({ transfer, bytes, state }) => transfer.status === 'CONFIRMED' && bytes !== '' && !isInBlock({ state }),
  );
  await giveMissingMoney(deps, chain, removed);
  await sendAgain(deps, chain, removed.reverse());
  const failed = found.filter(({ transfer }) => transfer.status === 'CANCELED');
  for (const { transfer, sequence } of failed) await notePaidAfterAll(deps, chain, transfer, sequence);
  if (failed.some(({ state }) => state.status === 'pending' || state.status === 'included')) return false;
  const { height } = deps.deposits.cursor(chain.symbol)!;
  return height - from > SENT_AGAIN_BLOCKS || !(await mayStillPay(chain, removed));
}

/** Embedded chains only: the reorganisation may have removed the money for these payments, too. */
async function giveMissingMoney(deps: RobotDeps, chain: Chain, removed: readonly Found[]): Promise<void> {
  for (const account of new Set(removed.map(({ transfer }) => transfer.account))) {
    const transfers = removed.map(({ transfer }) => transfer).filter(each => each.account === account);
    const { spendable } = await chain.balanceOf(account);
    const lacks = costOfAll(deps, chain, transfers) - spendable;
    if (lacks > 0n) await giveMoney(deps, { symbol: chain.symbol, account }, lacks);
  }
}

/** False: final transactions have their sequences, these or others. */
async function mayStillPay(chain: Chain, removed: readonly Found[]): Promise<boolean> {
  for (const { transfer, sequence } of removed)
    if ((await chain.finalizedSequence(transfer.account)) <= sequence) return true;
  return false;
}

const isInBlock = ({ state }: Pick<Found, 'state'>): boolean => 'blockHash' in state;

/** Newest first. The search ends at a page whose transactions are in blocks that stayed. */
async function foundAfter(deps: RobotDeps, chain: Chain, from: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const sent = deps.transfers.overBefore(chain.symbol, before, LOOKED_UP_AT_ONCE);
    const page = await Promise.all(
      sent.map(async each => ({ ...each, state: await chain.stateOf(each.hash) })),
    );
    found.push(...page);
    const last = sent.at(-1);
    if (!last || (page.some(isInBlock) && page.every(each => hasStayed(each, from)))) return found;
    before = last.attemptId;
  }
}

/** A canceled transfer without a block may never have had one. */
const hasStayed = ({ transfer, state }: Found, from: number): boolean =>
  'height' in state ? state.height <= from : transfer.status === 'CANCELED';
