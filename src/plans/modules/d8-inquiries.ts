import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { isNearMove } from '../move-timers.ts';
import { type SentMemo, sentBack, sentFrom } from '../steps/paid-back.ts';
import { judgeRefused } from '../steps/refused-calls.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { payFromFaucet } from '../steps/robot-pays.ts';
import { requireFaucet } from '../steps/wrong-payments.ts';

/** The status inquiries of the VASP: of the whole run, and how often from here to its end. */

const WINDOW_MS = 5_000;
const MAX_IN_WINDOW = 2;

type Word = 'own-only' | 'known-only' | 'verified-only' | 'kept' | 'rate';

export const inquiries = planModule({
  id: 'D8',
  plan: 'deposit',
  title: 'A payment that nobody reports and no status answer names',
  clauses: ['REF-4.5', 'REF-4.5.4'],
  needs: ['customer', 'robot funds', 'faucet'],
  conditions: {
    'own-only': {
      clause: 'REF-7',
      text: 'Every inquiry of this run is about a verification in which the VASP is the beneficiary.',
    },
    'known-only': { clause: 'REF-7', text: 'Every inquiry of this run is about a verification that exists.' },
    'verified-only': {
      clause: 'REF-4.5',
      text: 'No inquiry of this run is about a verification that the VASP itself did not answer with VERIFIED.',
    },
    kept: { clause: 'REF-4.6.2', text: 'The payment is not sent back: it may be named later.' },
    rate: { clause: 'REF-4.5.4', text: 'The VASP asks about one verification at most twice within 5 s.' },
  },
  async run(ctx) {
    const customer = await requireFaucet(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'rate', { customer });
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    const sent = await sentFrom(ctx, txHash);
    await ctx.until(ctx.world.inquiryWaitMs, () => asked(ctx, uuid)[0]);
    ctx.memo = { sent };
    judge(ctx);
  },
  lateAfterMs: WINDOW_MS,
  async late(ctx, memo) {
    judge(ctx);
    await judgeKept(ctx, (memo as { sent?: SentMemo }).sent);
  },
});

async function judgeKept(ctx: ModuleContext<Word>, sent: SentMemo | undefined): Promise<void> {
  if (!sent) return;
  const back = await sentBack(ctx, sent);
  ctx.check('kept', back === undefined, {
    expected: 'no payment to the sender',
    got: back === undefined ? 'none' : `sent back in transaction ${back}`,
  });
}

const asked = ({ evidence }: ModuleContext, uuid?: string): LoggedExchange[] =>
  evidence.received('inquire-transaction', uuid);

/** The verification that a call is about. The run may have invented it. */
function uuidIn({ request }: LoggedExchange): string {
  const body = json(request) ?? {};
  const { verificationUuid } = (body.data ?? body) as { verificationUuid?: unknown };
  return String(verificationUuid).toLowerCase();
}

/** A VASP may ask back about every payment that was reported to it. */
function unprompted({ ofRun }: ModuleContext, asked: readonly LoggedExchange[]): LoggedExchange[] {
  const reports = ofRun.sent('callback').filter(each => json(each.request)?.callbackType === 'TX_REPORT');
  const reported = new Set(reports.map(uuidIn));
  return asked.filter(each => !reported.has(uuidIn(each)));
}

function judge(ctx: ModuleContext<Word>): void {
  const all = unprompted(ctx, ctx.ofRun.received('inquire-transaction'));
  if (all.length > 0) judgeAll(ctx, all);
  else for (const word of ['own-only', 'known-only', 'verified-only'] as const) omit(ctx, word);
  const answered = unprompted(ctx, asked(ctx)).filter(({ status }) => status === 200);
  if (answered.length === 0) return omit(ctx, 'rate');
  const { followsSandboxClock, watch } = ctx.world;
  if (followsSandboxClock && !watch.moves)
    return ctx.omit('rate', 'The run was interrupted: it does not know when it has moved the time.');
  const moves = watch.moves ?? [];
  judgeRate(
    ctx,
    answered.filter(({ at }) => !isNearMove(moves, at)),
  );
}

function judgeAll(ctx: ModuleContext<Word>, all: readonly LoggedExchange[]): void {
  judgeRefused(ctx, 'own-only', all, { code: 'VASP-NOT-MATCHED', what: 'of others' });
  judgeRefused(ctx, 'known-only', all, {
    code: 'VERIFICATION-NOT-FOUND',
    what: 'that do not exist, also none of another sandbox',
  });
  const from = all.filter(({ verificationUuid }) => {
    const answers = verificationUuid === null ? [] : ctx.ofRun.sent('verifyUser', verificationUuid);
    const results = answers.map(({ response }) => json(response)?.result ?? 'VERIFIED');
    return results.length > 0 && !results.includes('VERIFIED');
  });
  ctx.check('verified-only', from.length === 0, {
    expected: 'none about a verification that it has denied',
    got: from.length === 0 ? 'none' : String(from.length),
    from: from.slice(0, 1),
  });
}

/** D4 judges whether it asks at all. */
function omit(ctx: ModuleContext<Word>, word: Word): void {
  ctx.omit(word, 'The VASP has not asked for the payment, so there is nothing to judge.');
}

/** The sandbox may read the first of several inquiries late, by as long as it stood still. The VASP then waited for longer. */
function judgeRate(ctx: ModuleContext<Word>, answered: readonly LoggedExchange[]): void {
  const stoodMs = ctx.world.longestStallWithin(WINDOW_MS);
  const jumpMs = ctx.world.clockJumpMs();
  const often = tooOften(answered, stoodMs);
  const expected = `at most ${MAX_IN_WINDOW} within 5 s`;
  const got = often.length === 0 ? 'not more' : `${often.length} within ${spanOf(often)} ms`;
  if (often.length > 0 && jumpMs !== 0) {
    const doubt = `the clock of the sandbox's machine jumped by ${jumpMs} ms during the run`;
    return ctx.review('rate', `${got}, and ${doubt}`, { expected, from: often });
  }
  const own = `, beside up to ${stoodMs} ms in which the sandbox itself stood still`;
  const isClear = often.length > 0 || tooOften(answered, 0).length === 0;
  ctx.check('rate', often.length === 0, { expected, got: isClear ? got : got + own, from: often });
}

/** The time of an exchange is that of the VASP's clock: moved time only makes a pause longer. */
function tooOften(answered: readonly LoggedExchange[], stoodMs: number): LoggedExchange[] {
  for (const uuid of new Set(answered.map(({ verificationUuid }) => verificationUuid))) {
    const own = answered.filter(({ verificationUuid }) => verificationUuid === uuid);
    for (let first = 0; first < own.length; first++)
      for (let count = MAX_IN_WINDOW + 1; first + count <= own.length; count++) {
        const some = own.slice(first, first + count);
        if (count > maxIn(spanOf(some) + stoodMs)) return some;
      }
  }
  return [];
}

const maxIn = (ms: number): number => MAX_IN_WINDOW * (Math.floor(ms / WINDOW_MS) + 1);

const spanOf = (exchanges: readonly LoggedExchange[]): number => exchanges.at(-1)!.at - exchanges[0]!.at;
