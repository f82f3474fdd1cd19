import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import type { RunWorld } from '../../src/plans/world.ts';

/** A sandbox that reads its chain only when it is told to. */
function lagging() {
  const paid = { inBlock: true, read: false };
  const world = {
    settings: {},
    exchanges: { newest: () => 0, after: () => [] },
    selfDelay: () => () => 0,
    isLedgerFree: () => true,
    isEmbedded: () => true,
    moveLedgerOn: async () => {},
    nextCommit: async () => {},
    signal: new AbortController().signal,
    api: {
      async advance() {
        paid.read = paid.inBlock;
      },
    },
  } as unknown as RunWorld;
  const report = { id: 'W4.7', symbol: 'ETH', conditions: [] } as unknown as ModuleReport;
  const ctx = new ModuleContext({ world, report, position: 0, onChange: () => {} });
  return { paid, ctx };
}

test('a payment that the sandbox reads late is found by a last look', async () => {
  const { paid, ctx } = lagging();
  expect(await ctx.untilPaid(1, () => (paid.read ? 'paid' : undefined))).toBe('paid');
});

test('a payment that is in no block is not found', async () => {
  const { paid, ctx } = lagging();
  paid.inBlock = false;
  expect(await ctx.untilPaid(1, () => (paid.read ? 'paid' : undefined))).toBeUndefined();
});
