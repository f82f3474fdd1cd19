import type { ConditionReport, ModuleReport } from '../../../src/contract/plans.ts';
import { ModuleContext } from '../../../src/plans/context.ts';
import type { LoggedExchange } from '../../../src/plans/evidence.ts';
import type { RunWorld } from '../../../src/plans/world.ts';

/** One module without a run: nothing happens around it but what `world` says. */
export function singleModule<W extends string>(
  id: string,
  words: readonly W[],
  world: object = {},
  { startsLeft = 0, severity = 'FAILURE' } = {},
) {
  const conditions = words.map(word => ({ id: `${id}.${word}`, severity, result: 'SKIPPED' }) as ConditionReport);
  const report = { id, symbol: 'ETH', starts: 1, exchanges: [], conditions } as unknown as ModuleReport;
  const around = {
    settings: {},
    timeoutMs: {},
    sandboxMs: 0,
    symbolOf: new Map(),
    exchanges: exchangesOf([]),
    watch: { creditsSince: undefined, held: new Set(), moves: [], isResumed: false, ends: new Set() },
    silence: { failed() {} },
    selfDelay: () => () => 0,
    longestWaitSince: () => 0,
    longestStallWithin: () => 0,
    clockJumpMs: () => 0,
    isLedgerFree: () => true,
    isEmbedded: () => true,
    now: () => 0,
    signal: new AbortController().signal,
    ...world,
  } as unknown as RunWorld;
  const ctx = new ModuleContext<W>({
    ...{ world: around, report, position: 0, since: 0, runSince: 0, startsLeft },
    onChange: () => {},
  });
  return { ctx, report, conditions };
}

/** A log with these exchanges. */
export const exchangesOf = (rows: readonly object[]) => ({
  newest: () => 0,
  after: (_: string, { after }: { after: number }) => (rows as LoggedExchange[]).filter(({ id }) => id > after),
});
