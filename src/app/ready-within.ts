import type { AssetSymbol } from '../contract/assets.ts';
import { pause } from '../timers/loop.ts';
import type { App } from './compose.ts';

/** Resolves when the ledgers, by default both, are ready. Throws after `limitMs`, with the missing parts. */
export async function readyWithin(
  { ready, missing }: Pick<App, 'ready' | 'missing'>,
  limitMs: number,
  symbols?: readonly AssetSymbol[],
): Promise<void> {
  const done = new AbortController();
  const late = pause(limitMs, done.signal).then(() => 'late');
  const first = await Promise.race([ready(symbols), late]);
  done.abort();
  if (first === 'late') throw new Error(`robot-vasp is not ready after ${limitMs / 1000} s: ${missing().join('; ')}.`);
}
