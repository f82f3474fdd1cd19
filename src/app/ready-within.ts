import type { AssetSymbol } from '../contract/assets.ts';
import { firstWithin } from '../kernel/clock.ts';
import type { App } from './compose.ts';

/** Resolves when the ledgers, by default both, are ready. Throws after `limitMs`, with the missing parts. */
export async function readyWithin(
  { ready, missing }: Pick<App, 'ready' | 'missing'>,
  limitMs: number,
  symbols?: readonly AssetSymbol[],
): Promise<void> {
  const isOver = await firstWithin(limitMs, [ready(symbols).then(() => true)]);
  if (!isOver) throw new Error(`robot-vasp is not ready after ${limitMs / 1000} s: ${missing().join('; ')}.`);
}
