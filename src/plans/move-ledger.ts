import type { AssetSymbol } from '../contract/assets.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { RunWorld } from './world.ts';

/** Few, because everybody reads them. */
const BLOCKS_AFTER = { firstMs: 1_000, factor: 1.5 };

type Clocks = Pick<RunWorld, 'isLedgerFree' | 'selfDelay'>;

/** Of one wait. A run on a busy machine takes longer, and ends. */
const MAX_LATE_MS = 600_000;

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

/** Real time from now on in which the VASP could act: no other run held the ledger, and the sandbox was not late itself. */
export function stopwatch({ symbol, world }: { symbol: AssetSymbol; world: Clocks }): () => number {
  let readAt = elapsedMs();
  let delayMs = world.selfDelay();
  let waitedMs = 0;
  let lateMs = 0;
  return () => {
    const ms = elapsedMs() - readAt;
    const ownMs = delayMs();
    lateMs += ownMs;
    if (lateMs > MAX_LATE_MS)
      throw new Error(`The sandbox was late itself for more than ${MAX_LATE_MS / 60_000} minutes.`);
    if (world.isLedgerFree(symbol)) waitedMs += Math.max(0, ms - ownMs);
    readAt += ms;
    delayMs = world.selfDelay();
    return waitedMs;
  };
}
