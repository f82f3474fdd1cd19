import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { type Condition, planModule } from '../module.ts';
import { judgeRefused } from '../steps/answers.ts';
import { balanceOf, judgeCredits } from '../steps/balances.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { MOST_QUERIES, passToNextQuery, timersBegin, untilQuery } from '../steps/inquiries.ts';
import { type SentMemo, sentBack, sentFrom } from '../steps/paid-back.ts';
import { callbacksSent, payableCustomer, payFromFaucet, robotPays, verifiedDeposit } from '../steps/robot-pays.ts';
import { isNearMove } from '../target.ts';

/** The status inquiries of the VASP: of the whole run, and how often from here to its end. */

type Word = 'own-only' | 'known-only' | 'verified-only' | 'kept' | 'rate';

export const inquiries = planModule({
  id: 'D8',
  title: 'A payment that nobody reports and no status answer names',
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
    const customer = await payableCustomer(ctx);
    const { uuid } = await verifiedDeposit(ctx, 'rate', { customer });
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amount);
    const sent = await sentFrom(ctx, txHash);
    await ctx.until(ctx.world.inquiryWaitMs, () => asked(ctx, uuid)[0]);
    ctx.memo = { sent };
    judge(ctx);
  },
  lateAfterMs: MOST_QUERIES.withinMs,
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
  if (followsSandboxClock && watch.isResumed)
    return ctx.omit('rate', 'The run was interrupted: it does not know when it has moved the time.');
  judgeRate(
    ctx,
    answered.filter(({ at }) => !isNearMove(watch.moves, at)),
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
  const stoodMs = ctx.world.longestStallWithin(MOST_QUERIES.withinMs);
  const jumpMs = ctx.world.clockJumpMs();
  const often = tooOften(answered, stoodMs);
  const expected = `at most ${MOST_QUERIES.count} within 5 s`;
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
      for (let count = MOST_QUERIES.count + 1; first + count <= own.length; count++) {
        const some = own.slice(first, first + count);
        if (count > maxIn(spanOf(some) + stoodMs)) return some;
      }
  }
  return [];
}

const maxIn = (ms: number): number => MOST_QUERIES.count * (Math.floor(ms / MOST_QUERIES.withinMs) + 1);

const spanOf = (exchanges: readonly LoggedExchange[]): number => exchanges.at(-1)!.at - exchanges[0]!.at;

/** Payments without a report that the first status query does not settle. They are awaited together. */

interface Unsettled {
  condition: Condition;
  /** The nth amount of the module. Sums of two of these are unique. */
  nth: 1 | 2 | 3 | 4 | 5;
  /** Somebody else pays, too. */
  byFaucet?: boolean;
  /** `begunAt`: when the module began, on the clock of the sandbox. */
  pay(ctx: ModuleContext, uuid: string, customer: Customer, begunAt: number): Promise<unknown>;
}

const target = 'robot.transactionStatus';
/** The part of the time limit for which the answer waits at most. It goes out when the report is there. */
const IN_FLIGHT_PART = 0.8;
/** After this time a report has reached the VASP, also one that answers it slowly. */
const ARRIVED_MS = 100;
const pay = (ctx: ModuleContext, uuid: string) => robotPays(ctx, uuid, { omitTxReport: true });

const UNSETTLED = {
  'after-failure': {
    condition: {
      clause: 'REF-4.5',
      text: 'When its status query fails, the VASP asks again. The payment is then credited, once.',
    },
    nth: 1,
    async pay(ctx, verificationUuid, _, begunAt) {
      await ctx.fault({ target, mode: 'drop', times: 1, verificationUuid });
      await pay(ctx, verificationUuid);
      await untilHit(ctx, verificationUuid, begunAt);
    },
  },
  'after-wait-confirm': {
    condition: {
      clause: 'REF-3',
      text: 'A payment whose first status is WAIT-CONFIRM is credited when it is final, once.',
    },
    nth: 2,
    async pay(ctx, verificationUuid, _, begunAt) {
      await ctx.fault({ target, mode: 'outdated', times: 1, verificationUuid });
      await pay(ctx, verificationUuid);
      await untilHit(ctx, verificationUuid, begunAt);
    },
  },
  'after-pending': {
    condition: {
      clause: 'REF-3',
      text: 'When the status is PENDING, the VASP asks again. The payment that is sent then is credited, once.',
    },
    nth: 3,
    byFaucet: true,
    async pay(ctx, uuid, customer) {
      await payFromFaucet(ctx, ctx.accountOf(customer), ctx.amountOf(3));
      // A VASP that looks at the sender does not ask yet.
      const { inquiryWaitMs, waitMs } = ctx.world;
      await ctx.until(Math.min(inquiryWaitMs, waitMs), () => asked(ctx, uuid).find(({ status }) => status === 200));
      await pay(ctx, uuid);
    },
  },
  'in-flight': {
    condition: {
      clause: 'WIRE-3.4',
      text: 'A payment whose report arrives while its status query waits for the answer is credited, once.',
    },
    nth: 4,
    async pay(ctx, verificationUuid, _, begunAt) {
      const delayMs = Math.trunc(ctx.world.timeoutMs.transactionStatus * IN_FLIGHT_PART);
      const fault = await ctx.fault({ target, mode: 'delay', delay: `${delayMs}ms`, verificationUuid });
      const txHash = await pay(ctx, verificationUuid);
      await untilHit(ctx, verificationUuid, begunAt);
      await ctx.api.robotReport(verificationUuid, txHash);
      // A VASP that does not answer the report may wait for the answer of its query.
      await ctx.until(delayMs, () => callbacksSent(ctx, 'TX_REPORT', verificationUuid)[0]);
      await ctx.removeFault(fault);
      await ctx.until(ctx.world.waitMs, () => asked(ctx, verificationUuid)[0]);
    },
  },
  'among-many': {
    condition: {
      clause: 'REF-4.5.4',
      text: 'The VASP finds the verification that was paid among older and newer ones, also beyond the first page of the list. The payment is credited, once.',
    },
    nth: 5,
    pay: (ctx, uuid, customer) => Promise.all([pay(ctx, uuid), fillFirstPage(ctx, customer)]),
  },
} as const satisfies Record<string, Unsettled>;
type Unsettling = keyof typeof UNSETTLED;
const WORDS = Object.keys(UNSETTLED) as Unsettling[];

export const secondAnswers = planModule({
  id: 'D14',
  title: 'The robot pays and does not report, and the first status query settles nothing',
  needs: ['customer', 'robot funds'],
  mostlyWaits: true,
  conditions: Object.fromEntries(WORDS.map(word => [word, UNSETTLED[word].condition])) as Record<Unsettling, Condition>,
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const before = await balanceOf(ctx, 'after-failure', customer);
    const begunAt = await timersBegin(ctx);
    const words = WORDS.filter(word => canBePaid(ctx, word));
    const { inquiryWaitMs } = ctx.world;
    const paid = await Promise.all(words.map(word => payUnsettled(ctx, word, customer, begunAt)));
    await passToNextQuery(ctx, begunAt);
    await ctx.whileWaiting(
      'The robot has paid several times without a report: your VASP should ask for the status (POST /v1/verifications/tx/inquiry) until each payment is settled.',
      inquiryWaitMs,
      () => [],
      () => judgeCredits(ctx, { customer, before, waitMs: inquiryWaitMs }, paid),
    );
    const uuidOf = (wanted: Unsettling) => paid.find(({ word }) => word === wanted)?.uuid;
    requirePending(ctx, uuidOf('after-pending'));
    requireInFlight(ctx, uuidOf('in-flight'));
  },
});

function canBePaid(ctx: ModuleContext<Unsettling>, word: Unsettling): boolean {
  const { byFaucet = false }: Partial<Unsettled> = UNSETTLED[word];
  if (!byFaucet || ctx.world.isEmbedded(ctx.symbol)) return true;
  ctx.omit(word, 'Only an embedded ledger lets somebody else pay.');
  return false;
}

async function payUnsettled(ctx: ModuleContext<Unsettling>, word: Unsettling, customer: Customer, begunAt: number) {
  const { nth, pay }: Unsettled = UNSETTLED[word];
  const amount = ctx.amountOf(nth);
  const ofSame = () => verifiedDeposit(ctx, word, { customer, amount });
  if (word === 'among-many') await ofSame();
  const { uuid } = await ofSame();
  if (word === 'among-many') await ofSame();
  await pay(ctx, uuid, customer, begunAt);
  return { word, amount, uuid };
}

/**
 * The fault is gone as soon as it has hit a status query. On a busy machine the first query comes before the fault, and the
 * VASP asks again: its time for the next one begins here. A VASP that was told the hash while the payment was on its way
 * asks no more.
 */
async function untilHit(ctx: ModuleContext, uuid: string, begunAt: number): Promise<void> {
  const isHit = async () => {
    const { faults } = await ctx.api.faults();
    const waits = faults.some(each => each.target === target && each.verificationUuid === uuid && each.used === 0);
    return !waits || isTold(ctx, uuid) || undefined;
  };
  await untilQuery(ctx, begunAt, isHit);
}

const isTold = (ctx: ModuleContext, uuid: string): boolean =>
  asked(ctx, uuid).some(({ response }) => json(response)?.txHash !== undefined);

/** A VASP that looks at the sender, or is busy, asks only when the payment is there: then its credit shows nothing. */
function requirePending(ctx: ModuleContext<Unsettling>, uuid: string | undefined): void {
  if (uuid === undefined || ctx.resultOf('after-pending') !== 'PASSED') return;
  const answers = asked(ctx, uuid).map(({ response }) => json(response)?.transactionStatus);
  if (!answers.includes('PENDING'))
    ctx.omit('after-pending', 'No status query was answered with PENDING before the payment came.');
}

/** On a busy machine the report may come only after the answer: then its credit shows nothing. What has failed stays. */
function requireInFlight(ctx: ModuleContext<Unsettling>, uuid: string | undefined): void {
  if (uuid === undefined || ctx.resultOf('in-flight') !== 'PASSED' || isInFlight(ctx, uuid)) return;
  const because = 'The report did not arrive while a status query waited.';
  if (WORDS.some(word => ctx.resultOf(word) === 'FAILED')) ctx.omit('in-flight', because);
  else ctx.omitAtLast('in-flight', because);
}

function isInFlight(ctx: ModuleContext, uuid: string): boolean {
  const [report] = callbacksSent(ctx, 'TX_REPORT', uuid);
  if (!report) return false;
  const arrivedAt = report.at + Math.min(report.durationMs, ARRIVED_MS);
  return asked(ctx, uuid).some(({ at, durationMs }) => at <= report.at && arrivedAt <= at + durationMs);
}

/** WIRE-2.5: the first page of the list of verifications holds these only. They are never paid. */
const OF_A_PAGE = 10;

async function fillFirstPage(ctx: ModuleContext, customer: Customer): Promise<void> {
  const request = depositRequest(ctx, { customer, amount: ctx.amountOf(6) });
  await Promise.all(Array.from({ length: OF_A_PAGE }, () => ctx.api.robotVerifyUser(request)));
}
