import { type Chain, FeeTooHigh, type TransactionState } from '../../chains/port.ts';
import { write } from '../../db/write.ts';
import type { RobotDeps } from '../deps.ts';
import { broadcast } from './broadcast.ts';
import { confirmed, failed, mined, reorged } from './settle.ts';
import { signAgain } from './sign.ts';
import type { Attempt, Transfer, Wallet } from './store.ts';

type Found = { attempt: Attempt; state: TransactionState };

/** Looks up every hash of a transfer and does what follows. §6 Sending (2), (3), (5) */
export async function follow(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
): Promise<void> {
  const found = await lookUp(deps, chain, transfer);
  const inBlock = found.find(({ state }) => 'blockHash' in state);
  if (inBlock) return take(deps, transfer.verificationUuid, inBlock);
  if (transfer.status === 'WAIT-CONFIRM')
    write(deps.db, tx => void reorged(deps, tx, deps.transfers.find(transfer.verificationUuid)!));
  await pursue(deps, chain, wallet, transfer, found);
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

function take(deps: RobotDeps, uuid: string, { attempt, state }: Found): void {
  if (!('blockHash' in state)) return;
  write(deps.db, tx => {
    const transfer = deps.transfers.find(uuid);
    if (!transfer || transfer.status === 'CONFIRMED' || transfer.status === 'CANCELED') return;
    const cause = `${attempt.hash} in block ${state.height}`;
    if (state.status === 'final' && state.succeeded) confirmed(deps, tx, transfer, attempt.hash, cause);
    else if (state.status === 'final') {
      const row = transfer.status === 'PENDING' ? mined(deps, tx, transfer, attempt.hash, cause) : transfer;
      failed(deps, tx, row, `${attempt.hash} is final and has not paid`);
    } else if (transfer.status !== 'WAIT-CONFIRM') mined(deps, tx, transfer, attempt.hash, cause);
  });
}

/** It stands in no block: sent again, bid higher, or signed anew, whichever can never pay twice. */
async function pursue(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
  found: Found[],
): Promise<void> {
  const newest = found.at(-1)!;
  const isDead = found.every(({ state }) => state.status === 'expired');
  if (isDead) return signAfterExpiry(deps, chain, wallet, transfer, newest.attempt);
  if ((await chain.settledNumber(wallet.account)) > newest.attempt.number)
    return renumber(deps, chain, wallet, transfer);
  if (newest.attempt.rejection === 'fee-too-low' || isStuck(deps, wallet, newest))
    await bidMore(deps, chain, wallet, transfer, newest.attempt);
  else if (newest.state.status === 'pending' && transfer.status !== 'PENDING') return;
  return broadcast(deps, chain, deps.transfers.find(transfer.verificationUuid)!);
}

/** Above the cap what was sent is kept, and may still win. */
async function bidMore(
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
    write(deps.db, tx => deps.transfers.patch(tx, transfer.verificationUuid, { note: error.message }));
  }
}

const isStuck = (deps: RobotDeps, { symbol }: Wallet, { attempt }: Found): boolean =>
  attempt.lastLedgerSequence === null &&
  deps.clock.now('') - attempt.signedAt > deps.paying(symbol).stuckAfterMs;

/** XRP: LastLedgerSequence has passed and every ledger in between is known, so the same number is free for another. */
async function signAfterExpiry(
  deps: RobotDeps,
  chain: Chain,
  wallet: Wallet,
  transfer: Transfer,
  last: Attempt,
): Promise<void> {
  if ((await chain.settledNumber(wallet.account)) > last.number)
    return renumber(deps, chain, wallet, transfer);
  await signAgain(deps, chain, wallet, transfer, last, false);
  return broadcast(deps, chain, deps.transfers.find(transfer.verificationUuid)!);
}

/**
 * The number belongs to a final transaction. If it is one of ours it has just become final; if it is none of them,
 * somebody else uses this key, and all of ours with that number are dead: the transfer is signed with a new one.
 */
async function renumber(deps: RobotDeps, chain: Chain, wallet: Wallet, transfer: Transfer): Promise<void> {
  const again = (await lookUp(deps, chain, transfer)).find(({ state }) => 'blockHash' in state);
  if (again) return take(deps, transfer.verificationUuid, again);
  deps.log.warn(
    { symbol: wallet.symbol, uuid: transfer.verificationUuid },
    'a foreign transaction took the number',
  );
  write(deps.db, tx =>
    deps.transfers.patch(tx, transfer.verificationUuid, {
      txHash: null,
      note: 'its number was used by others',
    }),
  );
}
