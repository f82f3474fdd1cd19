import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { onlyIf, planModule } from '../module.ts';
import { delivered, judgeDelivery } from '../steps/answers.ts';
import { rememberAllowed } from '../steps/balances.ts';
import { awaitCall, callsOf, order } from '../steps/driver-acts.ts';
import { callbackSent, callbacksSent, payableCustomer, robotPays, verifiedDeposit } from '../steps/robot-pays.ts';
import { acceptedCall, type Ordered, withdraw } from '../steps/withdrawals.ts';
import { unitsOf } from '../steps/wrong-payments.ts';
import { timingOf } from '../timing.ts';

/** R1 to R6: risk assessments in both roles, before and after the transaction report. */

export const ASSESSMENTS = {
  sanction: { clause: 'REF-4.1', what: 'sanction screening', callback: undefined },
  kyt: { clause: 'REF-4.2', what: 'monitoring', callback: 'PROVIDER_A_KYT_RESULT' },
  wco: { clause: 'REF-4.3', what: 'person screening', callback: 'PROVIDER_B_WCO_RESULT' },
} as const;

interface Case {
  id: string;
  title: string;
  kind: keyof typeof ASSESSMENTS;
  role: 'originating' | 'beneficiary';
  isReported?: true;
  /** Code of the refusal that is right. */
  refusal?: string;
}

const CASES: readonly Case[] = [
  {
    id: 'R1',
    title: 'Sanction screening by the originating VASP before the report',
    kind: 'sanction',
    role: 'originating',
  },
  { id: 'R2', title: 'Monitoring by the originating VASP before the report', kind: 'kyt', role: 'originating' },
  { id: 'R3', title: 'Person screening by the originating VASP', kind: 'wco', role: 'originating' },
  {
    id: 'R4',
    title: 'Monitoring by the originating VASP after the report',
    kind: 'kyt',
    role: 'originating',
    isReported: true,
  },
  {
    id: 'R5',
    title: 'Monitoring by the beneficiary VASP before the report is refused',
    kind: 'kyt',
    role: 'beneficiary',
    refusal: 'UNSUPPORTED-RISK-ASSESSMENT',
  },
  {
    id: 'R6',
    title: 'Monitoring by the beneficiary VASP after the report',
    kind: 'kyt',
    role: 'beneficiary',
    isReported: true,
  },
];

/** The simulated providers take 2 s. */
const RESULT_AFTER = '3s';

export const riskAssessments = CASES.map(each => {
  const { id, title, kind, role, isReported = false, refusal } = each;
  const { clause, what } = ASSESSMENTS[kind];
  const callback = refusal ? undefined : ASSESSMENTS[kind].callback;
  return planModule({
    id,
    title,
    needs: ['driver', ...(role === 'beneficiary' ? (['customer'] as const) : [])],
    symbols: [],
    alone: true,
    conditions: {
      asked: { clause, text: `The VASP requests the ${what} of the verification.` },
      ...onlyIf(callback, delivered('The callback with the result')),
    },
    async run(ctx) {
      const uuid = await (role === 'originating' ? withdrawalOf : depositOf)(ctx, isReported);
      await assess(ctx, each, uuid);
      if (callback) await judgeCallback(ctx, callback, uuid);
    },
  });
});

async function withdrawalOf(ctx: ModuleContext<'asked'>, isReported: boolean): Promise<string> {
  const action = isReported ? 'withdraw' : 'verify-user';
  const { ordered, uuid } = await withdraw(ctx, 'asked', { payee: 'risk-low' }, action);
  if (isReported) {
    const report = await awaitCall(ctx, 'asked', ordered.acting, acceptedCall('report-transaction', uuid));
    await untilPaysVerified(ctx, ordered, String(json(report.request)?.txHash));
  }
  return uuid;
}

/** D-42: before that the monitoring has no result. W4.1 judges the payment. */
async function untilPaysVerified(ctx: ModuleContext, ordered: Ordered, txHash: string): Promise<void> {
  const chain = await ctx.world.chain(ctx.symbol);
  const wanted = chain.parseAddress(ordered.account);
  const pays = await ctx.untilPaid(ordered.acting.waitMs, async () => {
    const { transfers } = await chain.lookup(txHash);
    return transfers.some(({ to }) => to.account === wanted?.account && to.tag === wanted.tag) || undefined;
  });
  if (!pays) ctx.skip(`The reported transaction ${txHash} does not pay ${ordered.account}.`);
}

async function depositOf(ctx: ModuleContext<'asked'>, isReported: boolean): Promise<string> {
  const customer = isReported ? await payableCustomer(ctx) : ctx.customer();
  const { uuid } = await verifiedDeposit(ctx, 'asked', { customer });
  if (isReported) {
    await robotPays(ctx, uuid);
    rememberAllowed(ctx, customer, [unitsOf(ctx, ctx.amount)]);
    await callbackSent(ctx, 'TX_REPORT', uuid);
  }
  return uuid;
}

async function assess(ctx: ModuleContext<'asked'>, each: Case, verificationUuid: string): Promise<void> {
  const { kind, refusal } = each;
  const acting = await order(ctx, {
    action: 'assess',
    parameters: { verificationUuid, kinds: [kind] },
    instruction: `Request the ${ASSESSMENTS[kind].what} of verification ${verificationUuid}.`,
  });
  const wanted = {
    operation: `assess-${kind}`,
    differences: (exchange: LoggedExchange) => (exchange.verificationUuid === verificationUuid ? [] : undefined),
  };
  const expected = refusal ? `400 ${refusal}` : '200';
  const first = await awaitCall(ctx, 'asked', acting, wanted);
  // A VASP may have asked before the order, too.
  const right = await ctx.until(acting.waitMs, () => callsOf(ctx, wanted).find(each => answerIn(each) === expected));
  const got = answerIn(right ?? first);
  ctx.check('asked', got === expected, { expected, got, from: [right ?? first] });
}

const answerIn = ({ status, response }: LoggedExchange): string =>
  status === 200 ? '200' : `${status} ${json(response)?.code}`;

async function judgeCallback(ctx: ModuleContext<'in-time' | 'status'>, type: string, uuid: string): Promise<void> {
  await ctx.advance(RESULT_AFTER);
  const sent = await callbackSent(ctx, type, uuid);
  const late = callbacksSent(ctx, type, uuid).find(each => timingOf(each, ctx.world.timeoutMs.callback) === 'late');
  judgeDelivery(ctx, late ?? sent, 'callback', uuid);
}
