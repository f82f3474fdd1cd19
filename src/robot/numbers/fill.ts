import type { OutgoingPayment } from '../../chains/payments.ts';
import { type Chain, ChainUnreachable } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import * as readBlocks from '../deposit/read-block-store.ts';
import type { LivingAttempt } from '../transfer/attempt-store.ts';
import * as attempts from '../transfer/attempt-store.ts';
import { beginTransfer, cancelTransfer, moveTransfer, reopen } from '../transfer/lifecycle.ts';
import { broadcast, storeSigned } from '../transfer/send.ts';
import * as transfers from '../transfer/store.ts';
import { NOBODY, type OpenWallet, type Transfer } from '../transfer/transfer.ts';
import { keep } from './explain.ts';

const BATCH_SIZE = 32;

const PAID_AFTER_ALL = 'a reorganisation removed the block in which it failed, and in another one it paid';

/**
 * SEND-3: a sequence without a transaction that may still get into a block stops the wallet for ever. Its transaction was
 * refused, was deleted, or failed in a block that a reorganisation removed. An empty transaction to the wallet itself takes the
 * sequence: it pays nobody, and then no former transaction with this sequence can pay any more. A transaction that was
 * CONFIRMED is broadcast again: a chain that mines only what it is sent makes no block before.
 */
export async function fillGaps(wallet: OpenWallet, first: number, next: number): Promise<void> {
  const { deps, chain } = wallet;
  const { walletIndex } = transfers.underWay(deps.db, wallet)[0] ?? transfers.unsigned(deps.db, wallet, 1)[0] ?? {};
  if (walletIndex === undefined) return;
  const living = attempts.living(deps.db, wallet, first);
  // On the XRP Ledger no reorganisation removes a transaction.
  const removed = chain.symbol === 'ETH' ? await removedOf(chain, living) : [];
  reopen(deps, removed);
  const usedSequences = new Set(living.map(({ sequence }) => sequence));
  const gaps = Array.from({ length: next - first }, (_, i) => first + i).filter(each => !usedSequences.has(each));
  const fillers: Transfer[] = [];
  for (const sequence of gaps.slice(0, BATCH_SIZE)) fillers.push(await fill(wallet, walletIndex, sequence));
  const unsent = [...removed, ...fillers];
  if (unsent.length > 0) await broadcast(wallet, unsent);
}

async function removedOf(chain: Chain, living: readonly LivingAttempt[]): Promise<Transfer[]> {
  const confirmed = living
    .filter(({ hash, transfer }) => transfer.status === 'CONFIRMED' && transfer.txHash === hash)
    .slice(0, BATCH_SIZE);
  const states = await Promise.all(confirmed.map(({ hash }) => chain.stateOf(hash)));
  return confirmed.filter((_, i) => !('blockHash' in states[i]!)).map(({ transfer }) => transfer);
}

/** The fee is above that of the former transaction, which nodes may still have. */
async function fill(wallet: OpenWallet, walletIndex: number, sequence: number): Promise<Transfer> {
  const { deps, chain, symbol, account } = wallet;
  const former = attempts.at(deps.db, wallet, sequence);
  const fee = await chain.quoteFee({ from: account, to: account, amount: 0n }, former.at(-1)?.fee);
  const to = { account };
  const signed = await chain.sign({ from: walletIndex, to, amount: 0n, sequence, fee, reference: 'filler' });
  const createdAt = deps.clock.machineNow();
  return storeSigned(wallet, tx => {
    const filler = {
      verificationUuid: `filler ${deps.random.uuid()}`,
      kind: 'filler' as const,
      vaspId: NOBODY,
      userId: '',
      symbol,
      account,
      walletIndex,
      toAccount: account,
      amount: '0',
      omitTxReport: true,
      isHeld: false,
      createdAt,
    };
    const row = beginTransfer(tx, filler, `takes the sequence ${sequence}, which no transaction has`);
    attempts.add(tx, row, { sequence, fee, signed }, createdAt);
    return row;
  });
}

/** Another transaction has taken the number of a filler. Nothing is left to fill. */
export async function endFiller(wallet: OpenWallet, filler: Transfer, used: OutgoingPayment): Promise<void> {
  const { deps } = wallet;
  await notePaidAfterAll(wallet, used.sequence);
  write(deps.db, tx => {
    const isOurs = attempts.at(tx, wallet, used.sequence).some(({ hash }) => hash === used.hash);
    if (!isOurs) keep(wallet, tx, used, { status: 'ACCEPTED', at: deps.clock.machineNow() });
    cancelTransfer(deps, tx, filler, 'another transaction has taken the number');
  });
}

/** A canceled transfer may succeed in the block that replaces the one in which it failed. Then it has paid. */
export async function notePaidAfterAll(wallet: OpenWallet, sequence: number): Promise<void> {
  const { deps, chain } = wallet;
  for (const { verificationUuid, hash } of attempts.at(deps.db, wallet, sequence)) {
    const state = await chain.stateOf(hash);
    if (state.status !== 'final' || !state.succeeded) continue;
    const { height, blockHash } = state;
    if (!readBlocks.isRead(deps.db, wallet.symbol, { height, hash: blockHash }))
      throw new ChainUnreachable(`block ${height} is not read yet`);
    write(deps.db, tx => {
      const transfer = transfers.find(tx, verificationUuid);
      if (transfer?.status !== 'CANCELED') return;
      moveTransfer(tx, transfer, 'paid-after-all', {
        patch: { txHash: hash, note: PAID_AFTER_ALL },
        at: deps.clock.now(transfer.vaspId),
        cause: PAID_AFTER_ALL,
        detail: { txHash: hash, height, blockHash },
      });
    });
  }
}
