import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { refusalText } from '../steps/answers.ts';
import { type ConductMemo, memoOf, watchedText } from '../steps/conduct.ts';
import { bringHeld, HELD_BACK_MS, withoutCallback } from '../steps/robot-pays.ts';
import { type Ordered, orderWithdrawal, paymentsOf, resultOf, verificationOf, withdraw } from '../steps/withdrawals.ts';
import { assessedOrPaid } from './r-withdrawals.ts';

/** W3.z and R11: what a withdrawal waits for never comes. Judged at the end of the run: the other modules go on meanwhile. */

type Memo = ConductMemo & { at: number };
const noResult = planModule({
  id: 'W3.z',
  title: 'No result comes',
  needs: ['driver'],
  symbols: [],
  alone: true,
  lateAfterMs: HELD_BACK_MS,
  awaitsTimers: true,
  holdsBack: 'VERIFICATION_RESULT',
  conditions: { waits: { clause: 'REF-4.6.2', text: 'The VASP does not pay as long as no result has come.' } },
  async run(ctx) {
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'never-answers' });
    const { uuid, exchange } = await verificationOf(ctx, 'waits', ordered);
    if (uuid === undefined) {
      ctx.check('waits', false, {
        expected: 'a user verification that the enclave accepts',
        got: refusalText(exchange),
        from: [exchange],
      });
      return ctx.stop();
    }
    const { world } = ctx;
    await withoutCallback(ctx, uuid, 'VERIFICATION_RESULT', async () => {
      await ctx.advance(`${world.timeoutMs.verifyUser + 1_000}ms`);
      await resultOf(ctx, uuid);
    });
    remember(ctx, ordered, uuid);
  },
  late: (ctx, memo) => judgeWaiting(ctx, memo as Memo, 'no payment without a result'),
});

const noAssessment = planModule({
  id: 'R11',
  title: 'The result of an assessment before the payment does not come',
  needs: ['driver', 'moved time'],
  symbols: [],
  alone: true,
  lateAfterMs: HELD_BACK_MS,
  awaitsTimers: true,
  holdsBack: 'PROVIDER_A_KYT_RESULT',
  conditions: { waits: { clause: 'REF-3', text: 'The VASP does not pay as long as the assessment is REGISTERED.' } },
  async run(ctx) {
    const { ordered, uuid } = await withdraw(ctx, 'waits', { payee: 'sanctioned-address', kinds: ['kyt'] });
    await withoutCallback(ctx, uuid, 'PROVIDER_A_KYT_RESULT', async () => {
      const assessed = await assessedOrPaid(ctx, { kind: 'kyt' }, { ordered, uuid });
      if (assessed?.status !== 200) ctx.skip('The VASP has requested no assessment that the enclave accepts: see R8.');
      await ctx.advance('3s');
    });
    remember(ctx, ordered, uuid);
  },
  late: (ctx, memo) => judgeWaiting(ctx, memo as Memo, 'no payment without the result of the assessment'),
});

function remember(ctx: ModuleContext, ordered: Ordered, uuid: string): void {
  ctx.memo = { ...memoOf(ordered, { uuid }), at: vaspNow(ctx) };
}

/** By the clock of its timers. */
const vaspNow = ({ world }: ModuleContext): number => (world.followsSandboxClock ? world.sandboxNow() : world.now());

async function judgeWaiting(ctx: ModuleContext<'waits'>, memo: Memo, expected: string): Promise<void> {
  const [early] = await paymentsOf(ctx, memo);
  ctx.check('waits', early === undefined, {
    expected,
    got: early ? `paid in transaction ${early.txHash}` : watchedText(vaspNow(ctx) - memo.at),
  });
  await bringHeld(ctx.world);
}

export const heldResults = [noAssessment, noResult];
