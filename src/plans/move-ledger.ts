import type { AssetSymbol } from '../contract/assets.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { awakeSince } from '../kernel/standstill.ts';
import type { RunWorld } from './world.ts';

/** Few, because everybody reads them. */
const BLOCKS_AFTER = { firstMs: 1_000, factor: 1.5 };

interface Mover {
  symbol: AssetSymbol;
  movesTime: boolean;
  world: Pick<RunWorld, 'moveLedgerOn'>;
}

/**
 * Moves an embedded ledger on while a module waits; the caller says for how long. The XRP Ledger closes at once. Ethereum
 * gets blocks from time to time: most VASPs want 3 to 32 confirmations.
 */
export function ledgerMover({ symbol, movesTime, world }: Mover): (waitedMs: number) => Promise<void> {
  let blocksAfter = BLOCKS_AFTER.firstMs;
  return async waitedMs => {
    if (symbol === 'XRP') return movesTime ? world.moveLedgerOn('XRP') : undefined;
    if (waitedMs < blocksAfter) return;
    blocksAfter = waitedMs * BLOCKS_AFTER.factor;
    await world.moveLedgerOn('ETH');
  };
}

/** Real time from now on in which neither the sandbox stood still nor another run held the ledger. */
export function stopwatch({
  symbol,
  world,
}: {
  symbol: AssetSymbol;
  world: Pick<RunWorld, 'isLedgerFree'>;
}): () => number {
  const start = elapsedMs();
  let readAt = start;
  let heldMs = 0;
  return () => {
    if (!world.isLedgerFree(symbol)) heldMs += elapsedMs() - readAt;
    readAt = elapsedMs();
    return awakeSince(start) - heldMs;
  };
}
