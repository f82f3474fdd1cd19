import type { Chain, TransactionState } from '../../chains/port.ts';
import { notePaidAfterAll } from '../numbers/fill.ts';
import type { SentTransfer } from './attempt-store.ts';
import * as attempts from './attempt-store.ts';
import { reopen } from './lifecycle.ts';
import { isForgotten, type OpenWallet, type Transfer } from './transfer.ts';

type Deps = OpenWallet['deps'];

/** Payments that are looked up at the same time. */
const BATCH_SIZE = 16;

interface Found extends SentTransfer {
  state: TransactionState;
}

/**
 * SEND-5: a reorganisation deeper than the confirmations removes payments that were CONFIRMED. They are PROCESSING again,
 * and their wallets go on with them. A transaction that failed is not sent again: its amount is free, and an empty
 * transaction takes its sequence. `from`: height of the last block that stayed. False: one that failed may still
 * succeed, so look again later. Throws `ChainUnreachable`.
 */
export async function reopenReplaced(deps: Deps, chain: Chain, from: number): Promise<boolean> {
  const found = await foundAfter(deps, chain, from);
  reopen(deps, await removedAmong(chain, found, from));
  let isOver = true;
  for (const { transfer, sequence } of found.filter(({ transfer }) => transfer.status === 'CANCELED'))
    if (await mayStillSucceed({ ...transfer, deps, chain }, sequence)) isOver = false;
  return isOver;
}

/**
 * Somebody may send its bytes again until a final transaction has its number, also where no node has it now. The number is
 * read first: the transaction that has it was final before it is looked up.
 */
async function mayStillSucceed(wallet: OpenWallet, sequence: number): Promise<boolean> {
  const { finalized } = await wallet.chain.numbers(wallet.account);
  await notePaidAfterAll(wallet, sequence);
  return finalized <= sequence;
}

async function removedAmong(chain: Chain, found: readonly Found[], from: number): Promise<Transfer[]> {
  const removed: Transfer[] = [];
  for (const each of found) {
    const { transfer, sequence, state } = each;
    if (transfer.status !== 'CONFIRMED' || isForgotten(transfer)) continue;
    if (isPaid(each) || hasStayed(each, from)) continue;
    // A node may have forgotten an old transaction. Its sequence is final for good.
    const isFree = async () => (await chain.numbers(transfer.account)).finalized <= sequence;
    if (state.status === 'final' || (await isFree())) removed.push(transfer);
  }
  return removed;
}

const isPaid = ({ state }: Found): boolean => state.status === 'final' && state.succeeded;
const isInBlock = ({ state }: Found): boolean => 'blockHash' in state;

/** Newest first. The search ends at a page whose transactions are in blocks that stayed. */
async function foundAfter(deps: Deps, chain: Chain, from: number): Promise<Found[]> {
  const found: Found[] = [];
  for (let before = Number.MAX_SAFE_INTEGER; ; ) {
    const sent = attempts.overBefore(deps.db, chain.symbol, before, BATCH_SIZE);
    const page = await Promise.all(sent.map(async each => ({ ...each, state: await chain.stateOf(each.hash) })));
    found.push(...page);
    const last = sent.at(-1);
    if (!last || (page.some(isInBlock) && page.every(each => hasStayed(each, from)))) return found;
    before = last.attemptId;
  }
}

/** A canceled transfer without a block may never have had one. */
const hasStayed = ({ transfer, state }: Found, from: number): boolean =>
  'height' in state ? state.height <= from : transfer.status === 'CANCELED';
