import type { AssetSymbol } from '../../contract/assets.ts';
import { firstWithin } from '../../kernel/interval.ts';

/** The embedded ledgers that runs hold. A VASP has one run at a time. */
export type HeldLedgers = ReturnType<typeof heldLedgers>;

interface Hold {
  vaspId: string;
  over: Promise<void>;
  end(): void;
}

/** The runs of all VASPs share the ledgers: what one of them holds, another must not release. */
export function heldLedgers() {
  const holds = new Map<AssetSymbol, Hold>();
  return {
    /** Waits until the run of no other VASP holds it. */
    async take(symbol: AssetSymbol, vaspId: string): Promise<void> {
      for (let hold = holds.get(symbol); hold; hold = holds.get(symbol)) await hold.over;
      let end = () => {};
      const over = new Promise<void>(resolve => {
        end = resolve;
      });
      holds.set(symbol, { vaspId, over, end });
    },
    /** Waits until it is free, at most `ms`. */
    async whenFree(symbol: AssetSymbol, vaspId: string, ms: number): Promise<void> {
      const hold = holds.get(symbol);
      if (hold && hold.vaspId !== vaspId) await firstWithin(ms, [hold.over]);
    },
    /** False: the run of another VASP holds it. */
    isFree: (symbol: AssetSymbol, vaspId: string) => (holds.get(symbol)?.vaspId ?? vaspId) === vaspId,
    release(symbol: AssetSymbol, vaspId: string): void {
      const hold = holds.get(symbol);
      if (hold?.vaspId !== vaspId) return;
      holds.delete(symbol);
      hold.end();
    },
  };
}
