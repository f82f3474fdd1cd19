import { setMaxListeners } from 'node:events';
import type { AssetSymbol } from '../contract/assets.ts';
import { firstAborted } from '../kernel/turns.ts';
import { pause } from '../timers/loop.ts';

/** The embedded ledgers that runs hold. A VASP has one run at a time. */
export type HeldLedgers = ReturnType<typeof heldLedgers>;

/** The longest time of a timer of Node.js: 24 days. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** The runs of all VASPs share the ledgers: what one of them holds, another must not release. */
export function heldLedgers() {
  const holds = new Map<AssetSymbol, { vaspId: string; over: AbortController }>();
  return {
    /** Waits until no run holds it. Throws the reason of the signal: a run that is stopped waits for no other one. */
    async take(symbol: AssetSymbol, vaspId: string, signal: AbortSignal): Promise<void> {
      for (let hold = holds.get(symbol); hold; hold = holds.get(symbol)) {
        await pause(FOR_EVER_MS, firstAborted(hold.over.signal, signal).signal);
        signal.throwIfAborted();
      }
      const over = new AbortController();
      // Any number of VASPs may wait for it.
      setMaxListeners(0, over.signal);
      holds.set(symbol, { vaspId, over });
    },
    /** Waits until it is free, at most `ms`. */
    async whenFree(symbol: AssetSymbol, vaspId: string, ms: number): Promise<void> {
      const hold = holds.get(symbol);
      if (hold && hold.vaspId !== vaspId) await pause(ms, hold.over.signal);
    },
    /** False: the run of another VASP holds it. */
    isFree: (symbol: AssetSymbol, vaspId: string) => (holds.get(symbol)?.vaspId ?? vaspId) === vaspId,
    release(symbol: AssetSymbol, vaspId: string): void {
      const hold = holds.get(symbol);
      if (hold?.vaspId !== vaspId) return;
      holds.delete(symbol);
      hold.over.abort();
    },
  };
}
