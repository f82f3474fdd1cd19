import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { type Condition, planModule } from '../module.ts';
import { moveTimers } from '../move-timers.ts';
import { balanceOf } from '../steps/balances.ts';
import { depositRequest } from '../steps/deposit-requests.ts';
import { verifiedDeposit } from '../steps/robot-asks.ts';
import { callbacksSent, payableCustomer, payFromFaucet, robotPays } from '../steps/robot-pays.ts';
import { judgeCredits } from '../steps/several-credits.ts';

/** Payments without a report that the first status query does not settle. They are awaited together. */

interface Unsettled {
  condition: Condition;
  /** The nth amount of the module. Sums of two of these are unique. */
  nth: 1 | 2 | 3 | 4 | 5;
  /** Somebody else pays, too. */
  byFaucet?: boolean;
  pay(ctx: ModuleContext, uuid: string, customer: Customer): Promise<unknown>;
}

const target = 'robot.transactionStatus';
/** The answer waits for as long as a report and its credit take, longer at every start. */
const IN_FLIGHT_MS = 500;
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
    async pay(ctx, verificationUuid) {
      await ctx.fault({ target, mode: 'drop', times: 1, verificationUuid });
      await pay(ctx, verificationUuid);
    },
  },
  'after-wait-confirm': {
    condition: {
      clause: 'REF-3',
      text: 'A payment whose first status is WAIT-CONFIRM is credited when it is final, once.',
    },
    nth: 2,
    async pay(ctx, verificationUuid) {
      await ctx.fault({ target, mode: 'outdated', times: 1, verificationUuid });
      await pay(ctx, verificationUuid);
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
      await ctx.until(Math.min(inquiryWaitMs, waitMs), () => asked(ctx, uuid)[0]);
      await pay(ctx, uuid);
    },
  },
  'in-flight': {
    condition: {
      clause: 'WIRE-3.4',
      text: 'A payment whose report arrives while its status query waits for the answer is credited, once.',
    },
    nth: 4,
    async pay(ctx, verificationUuid) {
      const delayMs = Math.min(IN_FLIGHT_MS * ctx.start, Math.trunc(ctx.world.timeoutMs.transactionStatus / 2));
      await ctx.fault({ target, mode: 'delay', delay: `${delayMs}ms`, times: 1, verificationUuid });
      await reportInFlight(ctx, verificationUuid, await pay(ctx, verificationUuid));
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
type Word = keyof typeof UNSETTLED;
const WORDS = Object.keys(UNSETTLED) as Word[];

export const secondAnswers = planModule({
  id: 'D14',
  plan: 'deposit',
  title: 'The robot pays and does not report, and the first status query settles nothing',
  clauses: ['REF-4.5', 'REF-4.5.4', 'REF-3'],
  needs: ['customer', 'robot funds'],
  mostlyWaits: true,
  conditions: Object.fromEntries(WORDS.map(word => [word, UNSETTLED[word].condition])) as Record<Word, Condition>,
  async run(ctx) {
    const customer = await payableCustomer(ctx);
    const before = await balanceOf(ctx, 'after-failure', customer);
    const words = WORDS.filter(word => canBePaid(ctx, word));
    const { inquiryWaitMs } = ctx.world;
    const paid = await Promise.all(words.map(word => payUnsettled(ctx, word, customer)));
    await passToSecondQueries(ctx, paid);
    await ctx.whileWaiting(
      'The robot has paid several times without a report: your VASP should ask for the status (POST /v1/verifications/tx/inquiry) until each payment is settled.',
      inquiryWaitMs,
      () => [],
      () => judgeCredits(ctx, { customer, before, waitMs: inquiryWaitMs }, paid),
    );
    const uuidOf = (wanted: Word) => paid.find(({ word }) => word === wanted)?.uuid;
    requirePending(ctx, uuidOf('after-pending'));
    requireInFlight(ctx, uuidOf('in-flight'));
  },
});

/** REF-4.5.4: a VASP asks again after 5 s at the earliest. */
const SECOND_QUERY_MS = 6_000;

/** Where the timers of the VASP follow the clock of the sandbox, nobody waits for them. */
async function passToSecondQueries(ctx: ModuleContext, paid: readonly { uuid: string }[]): Promise<void> {
  const { followsSandboxClock, inquiryWaitMs, waitMs } = ctx.world;
  if (!followsSandboxClock) return;
  const areAsked = () => paid.every(({ uuid }) => asked(ctx, uuid).length > 0);
  await ctx.until(Math.min(inquiryWaitMs, waitMs), () => areAsked() || undefined);
  await moveTimers(ctx.world, SECOND_QUERY_MS);
}

function canBePaid(ctx: ModuleContext<Word>, word: Word): boolean {
  const { byFaucet = false }: Partial<Unsettled> = UNSETTLED[word];
  if (!byFaucet || ctx.world.isEmbedded(ctx.symbol)) return true;
  ctx.omit(word, 'Only an embedded ledger lets somebody else pay.');
  return false;
}

async function payUnsettled(ctx: ModuleContext<Word>, word: Word, customer: Customer) {
  const { nth, pay }: Unsettled = UNSETTLED[word];
  const amount = ctx.amountOf(nth);
  const ofSame = () => verifiedDeposit(ctx, word, { customer, amount });
  if (word === 'among-many') await ofSame();
  const { uuid } = await ofSame();
  if (word === 'among-many') await ofSame();
  await pay(ctx, uuid, customer);
  return { word, amount, uuid };
}

/** The fault is gone as soon as the query waits. */
async function reportInFlight(ctx: ModuleContext, uuid: string, txHash: string): Promise<void> {
  const isWaiting = async () =>
    !(await ctx.api.faults()).faults.some(
      ({ mode, verificationUuid }) => mode === 'delay' && verificationUuid === uuid,
    );
  await ctx.until(ctx.world.inquiryWaitMs, async () => (await isWaiting()) || undefined);
  await ctx.api.robotReport(uuid, txHash);
  await ctx.until(ctx.world.waitMs, () => asked(ctx, uuid)[0]);
}

/** A VASP that looks at the sender, or is busy, asks only when the payment is there: then its credit shows nothing. */
function requirePending(ctx: ModuleContext<Word>, uuid: string | undefined): void {
  if (uuid === undefined || ctx.resultOf('after-pending') !== 'PASSED') return;
  const answers = asked(ctx, uuid).map(({ response }) => json(response)?.transactionStatus);
  if (!answers.includes('PENDING'))
    ctx.omit('after-pending', 'No status query was answered with PENDING before the payment came.');
}

/** On a busy machine the report may come only after the answer: then its credit shows nothing. What has failed stays. */
function requireInFlight(ctx: ModuleContext<Word>, uuid: string | undefined): void {
  if (uuid === undefined || ctx.resultOf('in-flight') !== 'PASSED' || isInFlight(ctx, uuid)) return;
  const because = 'The report did not arrive while a status query waited.';
  if (WORDS.some(word => ctx.resultOf(word) === 'FAILED')) ctx.omit('in-flight', because);
  else ctx.omitAtLast('in-flight', because);
}

function isInFlight(ctx: ModuleContext, uuid: string): boolean {
  const [query] = asked(ctx, uuid);
  const [report] = callbacksSent(ctx, 'TX_REPORT', uuid);
  if (!query || !report || query.at > report.at) return false;
  return report.at + Math.min(report.durationMs, ARRIVED_MS) <= query.at + query.durationMs;
}

const asked = (ctx: ModuleContext, uuid: string) => ctx.evidence.received('inquire-transaction', uuid);

/** WIRE-2.5: the first page of the list of verifications holds these only. They are never paid. */
const OF_A_PAGE = 10;

async function fillFirstPage(ctx: ModuleContext, customer: Customer): Promise<void> {
  const request = depositRequest(ctx, { customer, amount: ctx.amountOf(6) });
  await Promise.all(Array.from({ length: OF_A_PAGE }, () => ctx.api.robotVerifyUser(request)));
}
