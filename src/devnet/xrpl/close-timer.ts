import type { Log } from '../../kernel/log.ts';
import type { Engine } from './engine.ts';

/** More than the 20 ledgers after which clients let a transaction expire (`LastLedgerSequence`). */
const QUIET_AFTER_LEDGERS = 30;
/** A quiet ledger closes once in this number of intervals. */
const QUIET_INTERVALS = 5;

export type CloseTimer = ReturnType<typeof closeTimer>;

/**
 * Closes the ledger once per interval. Without submissions it does so more rarely, because every empty ledger costs its
 * readers as much as it costs the server. The first submission brings back the interval.
 */
export function closeTimer(engine: Engine, intervalMs: number, log: Log) {
  let held = false;
  let skipped = 0;
  const tick = () => {
    if (held) return;
    if (isQuiet(engine) && ++skipped < QUIET_INTERVALS) return;
    skipped = 0;
    try {
      engine.close();
    } catch (error) {
      log.error({ err: String(error) }, 'xrpl: the ledger could not be closed');
    }
  };
  const timer = intervalMs > 0 ? setInterval(tick, intervalMs) : undefined;
  return {
    /** The timer closes nothing. */
    get held() {
      return held;
    },
    /** False: the interval is 0, so no timer runs. */
    isRunning: timer !== undefined,
    hold(on: boolean): void {
      held = on;
    },
    /** One interval is over. */
    tick,
    stop: () => clearInterval(timer),
  };
}

const isQuiet = ({ open, ledgersSinceSubmission }: Engine): boolean =>
  open.transactions.size === 0 && ledgersSinceSubmission >= QUIET_AFTER_LEDGERS;
