import type { Chain, Cursor, IncomingPage, IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, toCoins } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { findReplacedHeads } from '../expectation/replaced-head.ts';
import { orderLookUp } from '../expectation/schedule.ts';
import * as expectations from '../expectation/store.ts';
import * as numbers from '../numbers/store.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { treasuryOf } from '../transfer/top-up.ts';
import * as cursors from './cursor-store.ts';
import * as readBlocks from './read-block-store.ts';
import { recordTransfer } from './record-transfer.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** Reads one bounded step from the stored cursor. Deposits and cursor commit together. True: the head was reached. */
export async function readPage(deps: RobotDeps, chain: Chain): Promise<boolean> {
  const watched = await deps.users.watched(chain.symbol);
  const cursor = cursors.find(deps.db, chain.symbol);
  const page = await chain.incoming(cursor, watched.accounts, () => readBlocks.of(deps.db, chain.symbol));
  // D-31: a top-up is no deposit.
  const treasury = treasuryOf(deps, chain);
  const transfers = page.transfers.filter(({ from }) => from !== treasury);
  const noteReplacedHeads = await findReplacedHeads(deps, chain, newPayments(deps, chain, transfers));
  write(deps.db, tx => {
    const from = page.rereadFrom ?? rolledBackFrom(deps, chain.symbol, cursor, page);
    if (from !== undefined) noteReorganisation(tx, chain.symbol, from);
    noteReplacedHeads(tx);
    for (const movement of page.movements ?? []) reconciliation.saveMovement(tx, chain.symbol, movement);
    for (const transfer of transfers) recordTransfer(deps, tx, chain.symbol, transfer, watched.ownerOf(transfer.to));
    if (cursor?.hash !== page.cursor.hash || cursor.stopReason !== null) cursors.save(tx, chain.symbol, page.cursor);
    if (page.read) readBlocks.save(tx, chain.symbol, page.read, page.cursor);
    if (cursor?.hash !== page.cursor.hash) lookUpReplaceable(deps, tx, chain.symbol);
  });
  return page.caughtUp;
}

/** Most reports that one block lets look up. Their timers look them up too. */
const MAX_LOOKED_UP = 100;

/** D-36: the block may hold another transaction with the number of a named one. */
function lookUpReplaceable(deps: RobotDeps, tx: Tx, symbol: AssetSymbol): void {
  for (const expectation of expectations.replaceableOn(tx, symbol, MAX_LOOKED_UP)) orderLookUp(deps, tx, expectation);
}

const newPayments = (deps: RobotDeps, { symbol }: Chain, transfers: readonly IncomingTransfer[]) =>
  transfers
    .filter(transfer => !deposits.find(deps.db, symbol, transfer))
    .map(({ to: { account, tag = null }, amount, height }) => {
      return { account, tag, amount: toCoins(symbol, amount), height };
    });

/**
 * A look-up finds deposits in blocks that are not read yet. Where other blocks are read in their places, everything after
 * the cursor is looked up again.
 */
function rolledBackFrom(
  deps: RobotDeps,
  symbol: AssetSymbol,
  cursor: Cursor | null,
  { read, cursor: { height: readTo }, isAll = false }: IncomingPage,
): number | undefined {
  if (!cursor || !read) return undefined;
  const hashes = new Map(read.map(({ height, hash }) => [height, hash]));
  const isGone = ({ height, blockHash }: Deposit) => (height <= readTo || isAll) && hashes.get(height) !== blockHash;
  return deposits.finalAfter(deps.db, symbol, cursor.height).some(isGone) ? cursor.height : undefined;
}

function noteReorganisation(tx: Tx, symbol: AssetSymbol, from: number): void {
  const earlier = cursors.find(tx, symbol)?.recheckFrom ?? from;
  reconciliation.forgetAfter(tx, symbol, from);
  numbers.forgetAfter(tx, symbol, from);
  cursors.saveRecheckFrom(tx, symbol, Math.min(from, earlier));
}
