import { expect, test, vi } from 'vitest';
import { type ExchangeReader, readOnce } from '../../src/plans/evidence.ts';
import { untilActed } from '../../src/plans/steps/robot-pays.ts';
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

test.each([0, 1])(
  'what the run holds back when the VASP has waited for %i halves of its time is brought',
  async halves => {
    const { ctx } = singleModule('W4.7', []);
    const brought = vi.fn(async () => {});
    const waited: number[] = [];
    const act = await untilActed(ctx, 10, async ms => {
      if (waited.push(ms) === halves + 1) ctx.world.watch.held.add(brought);
      return brought.mock.calls.length > 0 ? 'acted' : undefined;
    });
    expect([act, waited]).toEqual(['acted', halves === 0 ? [5, 10] : [5, 5, 10]]);
  },
);

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
