import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { payFromFaucet } from '../steps/robot-pays.ts';
import { requireFaucet } from '../steps/wrong-payments.ts';

/** The status inquiries of the VASP, from here to the end of the run. */

const WINDOW_MS = 5_000;
const MOST_IN_WINDOW = 2;

type Word = 'own-only' | 'known-only' | 'rate';

export const inquiries = planModule({
  id: 'D8',
  plan: 'deposit',
  title: 'A payment that nobody reports and no status answer names',
  clauses: ['REF-4.5', 'REF-4.5.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  since: '2026.12',
  conditions: {
    'own-only': {
      clause: 'REF-7',
      text: 'Every inquiry of this run is about a verification in which the VASP is the beneficiary.',
    },
    'known-only': {
      clause: 'REF-7',
      severity: 'WARNING',
      text: 'Every inquiry of this run is about a verification that exists.',
    },
    rate: {
      clause: 'REF-4.5.4',
      text: 'The VASP asks about one verification at most twice within 5 s.',
    },
  },
  async run(ctx) {
    const customer = await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'rate', { customer });
    await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    await ctx.until(ctx.world.inquiryWaitMs, () => asked(ctx, uuid)[0]);
    ctx.memo = { uuid };
    judge(ctx);
  },
  lateAfterMs: WINDOW_MS,
  late: async ctx => judge(ctx),
});

const asked = (ctx: ModuleContext, uuid?: string): LoggedExchange[] =>
  ctx.evidence.received('inquire-transaction', uuid);

function judge(ctx: ModuleContext<Word>): void {
  const all = asked(ctx);
  const answered = all.filter(({ status }) => status === 200);
  if (all.length === 0) return omit(ctx, ['own-only', 'known-only', 'rate']);
  const refused = (code: string) => all.filter(({ response }) => json(response)?.code === code);
  const foreign = refused('VASP-NOT-MATCHED');
  ctx.check('own-only', foreign.length === 0, {
    expected: 'none about verifications of others',
    got: foreign.length === 0 ? 'none' : `${foreign.length} answered with VASP-NOT-MATCHED`,
    from: foreign.slice(0, 1),
  });
  const unknown = refused('VERIFICATION-NOT-FOUND');
  ctx.check('known-only', unknown.length === 0, {
    expected: 'none about verifications that do not exist',
    got: unknown.length === 0 ? 'none' : `${unknown.length} answered with VERIFICATION-NOT-FOUND`,
    from: unknown.slice(0, 1),
  });
  if (answered.length === 0) return omit(ctx, ['rate']);
  judgeRate(ctx, tooOften(answered));
}

/** D4 judges whether it asks at all. */
function omit(ctx: ModuleContext<Word>, words: readonly Word[]): void {
  for (const word of words)
    ctx.omit(word, 'The VASP has not asked for the payment, so there is nothing to judge.');
}

function judgeRate(ctx: ModuleContext<Word>, often: readonly LoggedExchange[]): void {
  const expected = `at most ${MOST_IN_WINDOW} within 5 s`;
  const got = often.length === 0 ? 'not more' : `${often.length} within ${spanOf(often)} ms`;
  const doubt = often.length === 0 ? undefined : doubtAbout(ctx, often);
  if (doubt) ctx.review('rate', `${got}, and ${doubt}`, { expected, from: often });
  else ctx.check('rate', often.length === 0, { expected, got, from: often });
}

/**
 * Why the times of the inquiries may say nothing about the VASP: the clock was set between them, or the sandbox stood still
 * and read the first one later than it was sent.
 */
function doubtAbout({ world }: ModuleContext<Word>, often: readonly LoggedExchange[]): string | undefined {
  const jumpMs = world.clockJumpMs();
  if (jumpMs !== 0) return `the clock of the sandbox's machine jumped by ${jumpMs} ms during the run`;
  const stoodMs = world.mostStandstillWithin(WINDOW_MS);
  if (spanOf(often) + stoodMs < WINDOW_MS) return undefined;
  return `the sandbox itself stood still for up to ${stoodMs} ms within 5 s during the run`;
}

/** The time of an exchange is that of the VASP's clock: moved time only makes a pause longer. */
function tooOften(answered: readonly LoggedExchange[]): LoggedExchange[] {
  for (const uuid of new Set(answered.map(({ verificationUuid }) => verificationUuid))) {
    const own = answered.filter(({ verificationUuid }) => verificationUuid === uuid);
    const first = own.findIndex(
      ({ at }, index) => (own[index + MOST_IN_WINDOW]?.at ?? Infinity) - at < WINDOW_MS,
    );
    if (first >= 0) return own.slice(first, first + MOST_IN_WINDOW + 1);
  }
  return [];
}

const spanOf = (exchanges: readonly LoggedExchange[]): number => exchanges.at(-1)!.at - exchanges[0]!.at;
