import { expect, test } from 'vitest';
import { type ExchangeReader, readOnce } from '../../src/plans/evidence.ts';
import { singleModule } from '../support/plans/single-module.ts';

/** A sandbox that reads its chain only when it is told to. */
function lagging() {
  const paid = { inBlock: true, read: false };
  const { ctx } = singleModule('W4.7', [], {
    moveLedgerOn: async () => {},
    nextCommit: async () => {},
    api: {
      async advance() {
        paid.read = paid.inBlock;
      },
    },
  });
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
  const world = { timeoutMs: { verifyAccount: 1_000 }, exchanges: readOnce(log, '1', 0) };
  const { ctx, report } = singleModule('D19', ['credited'], world);
  expect(ctx.evidence.all()).toHaveLength(1);
  const response = '{"code":"STORAGE-UNAVAILABLE"}';
  rows.push({ ...row, id: 2, operation: 'inquire-transaction', status: 503, response });
  ctx.check('credited', false, { expected: '+1 ETH', got: '+0 ETH', ifServed: true });
  expect(report.conditions[0]).toMatchObject({ result: 'REVIEW', got: expect.stringContaining('503') });
});
