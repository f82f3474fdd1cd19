import { Failure } from '../../../src/cli/command.ts';
import type { Client } from '../../../src/client/client.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { elapsedMs } from '../../../src/kernel/clock.ts';
import { play, type Scenario } from './play.ts';
import { FAULT_APPLIED } from './play-fault.ts';

export interface Judged {
  id: string;
  symbol: AssetSymbol;
  result: 'PASSED' | 'FAILED' | 'SKIPPED';
  why: string | null;
  expected: unknown;
  got: unknown;
  durationMs: number;
}

/** Plays one scenario and compares what happened with what the catalogue expects. */
export async function judge(api: Client, scenario: Scenario, symbol: AssetSymbol): Promise<Judged> {
  const began = elapsedMs();
  const expected = scenario.expect ?? (scenario.fault ? FAULT_APPLIED : null);
  const outcome = await play(api, scenario, symbol).catch((error: Error) => {
    if (error instanceof Failure && error.exitCode === 3) throw error;
    return { got: error.message };
  });
  const durationMs = Math.round(elapsedMs() - began);
  const common = { id: scenario.id, symbol, expected, durationMs };
  if ('why' in outcome) return { ...common, result: 'SKIPPED', why: outcome.why, got: null };
  const { got } = outcome;
  return { ...common, result: contains(got, expected) ? 'PASSED' : 'FAILED', why: null, got };
}

/** Every member that is expected is there. */
function contains(got: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(got, expected);
  if (typeof got !== 'object' || got === null) return false;
  if (Array.isArray(expected) && (!Array.isArray(got) || got.length !== expected.length)) return false;
  return Object.entries(expected).every(([name, value]) => contains((got as Record<string, unknown>)[name], value));
}
