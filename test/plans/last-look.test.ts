import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import { type ExchangeReader, readOnce } from '../../src/plans/evidence.ts';
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

test('a payment at the end of the run does not blame a VASP whose call the sandbox could not serve then', () => {
  const row = { direction: 'IN', verificationUuid: null, request: null };
  const rows = [{ ...row, id: 1, operation: 'verify-user', status: 200, response: '{}' }];
  const log = {
    newest: () => rows.length,
    after: (_: string, { after }: { after: number }) => rows.filter(({ id }) => id > after),
  } as unknown as ExchangeReader;
  const world = {
    settings: {},
    timeoutMs: { verifyAccount: 1_000 },
    exchanges: readOnce(log, '1', 0),
    longestWaitSince: () => 0,
  } as unknown as RunWorld;
  const conditions = [{ id: 'D19.credited', result: 'SKIPPED' }];
  const report = { id: 'D19', symbol: 'ETH', conditions } as unknown as ModuleReport;
  const ctx = new ModuleContext({ world, report, position: 0, since: 0, runSince: 0, onChange: () => {} });
  expect(ctx.evidence.all()).toHaveLength(1);
  const response = '{"code":"STORAGE-UNAVAILABLE"}';
  rows.push({ ...row, id: 2, operation: 'inquire-transaction', status: 503, response });
  ctx.check('credited', false, { expected: '+1 ETH', got: '+0 ETH', ifServed: true });
  expect(report.conditions[0]).toMatchObject({ result: 'REVIEW', got: expect.stringContaining('503') });
});
