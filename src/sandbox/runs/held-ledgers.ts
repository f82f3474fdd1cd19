import type { AssetSymbol } from '../../contract/assets.ts';

/** The embedded ledgers that runs hold. */
export interface HeldLedgers {
  /** Waits until no other run holds it. */
  take(symbol: AssetSymbol, runId: string): Promise<void>;
  /** False: another run holds it. */
  isFree(symbol: AssetSymbol, runId: string): boolean;
  release(symbol: AssetSymbol, runId: string): void;
}

interface Hold {
  runId: string;
  over: Promise<void>;
  end(): void;
}

/** The runs of all VASPs share the ledgers: what one of them holds, another must not release. */
export function heldLedgers(): HeldLedgers {
  const holds = new Map<AssetSymbol, Hold>();
  return {
    async take(symbol, runId) {
      for (let hold = holds.get(symbol); hold; hold = holds.get(symbol)) await hold.over;
      let end = () => {};
      const over = new Promise<void>(resolve => {
        end = resolve;
      });
      holds.set(symbol, { runId, over, end });
    },
    isFree: (symbol, runId) => (holds.get(symbol)?.runId ?? runId) === runId,
    release(symbol, runId) {
      const hold = holds.get(symbol);
      if (hold?.runId !== runId) return;
      holds.delete(symbol);
      hold.end();
    },
  };
}
