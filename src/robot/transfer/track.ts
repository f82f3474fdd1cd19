import { type Chain, FeeTooHigh, type TransactionState } from '../../chains/port.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { broadcast } from './broadcast.ts';
import { cancelTransfer, markConfirmed, markMined, markReorganised, setNote } from './lifecycle.ts';
import { signAgain } from './sign.ts';
import type { Attempt, Transfer, Wallet } from './store.ts';

type Found = { attempt: Attempt; state: TransactionState };

/** Looks up every hash of these transfers and does what follows. SEND-2, SEND-3, SEND-5 */
export async function track(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfers: readonly Transfer[],
): Promise<void> {
  const all = await Promise.all(
    transfers.map(async transfer => {
      const found = await lookUp(deps, chain, transfer);
      return { transfer, found, inBlock: found.find(({ state }) => 'blockHash' in state) };
    }),
  );
  write(deps.db, tx => {
    for (const { transfer, inBlock } of all) {
      if (inBlock) applyBlock(deps, tx, transfer.verificationUuid, inBlock);
      else if (transfer.status === 'WAIT-CONFIRM')
        markReorganised(deps, tx, deps.transfers.find(transfer.verificationUuid)!);
    }
  });
  const missing = all.filter(({ inBlock }) => !inBlock);
  if (missing.length === 0) return;
  // Asked after the lookups: whoever has a number below it should have been found.
  const settled = await chain.finalizedSequence(wallet.account);
  const again: Transfer[] = [];
  for (const { transfer, found } of missing)
    if (await resolveMissing(deps, chain, wallet, transfer, found, settled))
      again.push(deps.transfers.find(transfer.verificationUuid)!);
  if (again.length > 0) await broadcast(deps, chain, again);
}

async function lookUp(deps: RobotDeps, chain: Chain, transfer: Transfer): Promise<Found[]> {
  const attempts = deps.transfers.attemptsOf(transfer.verificationUuid);
  return Promise.all(
    attempts.map(async attempt => ({
      attempt,
      state: await chain.stateOf(attempt.hash, validityOf(attempt)),
    })),
  );
}

const validityOf = ({ signedAfter, lastLedgerSequence }: Attempt) =>
  signedAfter === null || lastLedgerSequence === null ? undefined : { signedAfter, lastLedgerSequence };

function applyBlock(deps: RobotDeps, tx: Tx, uuid: string, { attempt, state }: Found): void {
  if (!('blockHash' in state)) return;
  const transfer = deps.transfers.find(uuid);
  if (!transfer || transfer.status === 'CONFIRMED' || transfer.status === 'CANCELED') return;
  const { height, blockHash } = state;
  const cause = `${attempt.hash} in block ${height}`;
  const news = { hash: attempt.hash, cause, block: { height, blockHash } };
  if (state.status === 'final' && state.succeeded) markConfirmed(deps, tx, transfer, news);
  else if (state.status === 'final') {
    const row = transfer.status === 'PENDING' ? markMined(deps, tx, transfer, news) : transfer;
    cancelTransfer(deps, tx, row, `${attempt.hash} is final and has not paid`);
  } else if (transfer.status !== 'WAIT-CONFIRM') markMined(deps, tx, transfer, news);
}

/** It stands in no block: to be sent again (true), bid higher, or signed anew, whichever can never pay twice. */
async function resolveMissing(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
  found: Found[],
  settled: number,
): Promise<boolean> {
  const newest = found.at(-1)!;
  const isDead = found.every(({ state }) => state.status === 'expired');
  if (settled > newest.attempt.sequence) {
    if (isDead || (await isSequenceUsedByAnother(chain, wallet, found)))
      releaseSequence(deps, wallet, transfer);
    return false;
  }
  if (isDead) await signAgain(deps, chain, wallet, transfer, newest.attempt, false);
  else if (newest.attempt.rejection === 'fee-too-low' || isStuck(deps, wallet, newest))
    await replaceWithHigherFee(deps, chain, wallet, transfer, newest.attempt);
  else if (newest.state.status === 'pending' && transfer.status !== 'PENDING') return false;
  return true;
}

/** Above the cap what was sent is kept, and may still win. */
async function replaceWithHigherFee(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
  last: Attempt,
): Promise<void> {
  try {
    await signAgain(deps, chain, wallet, transfer, last, true);
  } catch (error) {
    if (!(error instanceof FeeTooHigh)) throw error;
    write(deps.db, tx => setNote(deps, tx, transfer, { event: 'waits', cause: error.message }));
  }
}

const isStuck = (deps: RobotDeps, { symbol }: Wallet, { attempt }: Found): boolean =>
  attempt.lastLedgerSequence === null &&
  deps.clock.machineNow() - attempt.signedAt > deps.walletSettings(symbol).stuckAfterMs;

/**
 * The number belongs to a final transaction, and the lookups have found none of ours. That alone proves nothing: the
 * node that answered them may lag behind the one that counted.
 */
async function isSequenceUsedByAnother(chain: Chain, { account }: Wallet, found: Found[]): Promise<boolean> {
  const user = await chain.findTransactionByNonce(account, found.at(-1)!.attempt.sequence);
  return user !== undefined && found.every(({ attempt }) => attempt.hash !== user);
}

/** Somebody else uses this key: all of ours with that number are dead, and it is signed with a new one. */
function releaseSequence(deps: RobotDeps, { symbol }: Wallet, transfer: Transfer): void {
  const { verificationUuid: uuid } = transfer;
  deps.log.warn({ symbol, uuid }, 'a foreign transaction took the number');
  write(deps.db, tx => {
    deps.transfers.patch(tx, uuid, { txHash: null });
    setNote(deps, tx, transfer, { event: 'waits', cause: 'its number was used by others' });
  });
}
