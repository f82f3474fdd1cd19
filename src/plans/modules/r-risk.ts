import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { onlyIf, planModule } from '../module.ts';
import { delivered, judgeDelivery } from '../steps/answers.ts';
import { rememberAllowed } from '../steps/balances.ts';
import { awaitCall, order } from '../steps/driver-acts.ts';
import { callbackSent, callbacksSent, payableCustomer, robotPays, verifiedDeposit } from '../steps/robot-pays.ts';
import { acceptedCall, type Ordered, withdraw } from '../steps/withdrawals.ts';
import { unitsOf } from '../steps/wrong-payments.ts';
import { timingOf } from '../timing.ts';

/** R1 to R6: risk assessments in both roles, before and after the transaction report. */

type Kind = 'sanction' | 'kyt' | 'wco';
type Role = 'originating' | 'beneficiary';

interface Case {
  id: string;
  title: string;
  kind: Kind;
  role: Role;
  isReported: boolean;
  clause: string;
  /** Code of the refusal that is right. */
  refusal?: string;
}

const CASES: readonly Case[] = [
  {
    id: 'R1',
    title: 'Sanction screening by the originating VASP before the report',
    kind: 'sanction',
    role: 'originating',
    isReported: false,
    clause: 'REF-4.1',
  },
  {
    id: 'R2',
    title: 'Monitoring by the originating VASP before the report',
    kind: 'kyt',
    role: 'originating',
    isReported: false,
    clause: 'REF-4.2',
  },
  {
    id: 'R3',
    title: 'Person screening by the originating VASP',
    kind: 'wco',
    role: 'originating',
    isReported: false,
    clause: 'REF-4.3',
  },
  {
    id: 'R4',
    title: 'Monitoring by the originating VASP after the report',
    kind: 'kyt',
    role: 'originating',
    isReported: true,
    clause: 'REF-4.2',
  },
  {
    id: 'R5',
    title: 'Monitoring by the beneficiary VASP before the report is refused',
    kind: 'kyt',
    role: 'beneficiary',
    isReported: false,
    clause: 'REF-4.2',
    refusal: 'UNSUPPORTED-RISK-ASSESSMENT',
  },
  {
    id: 'R6',
    title: 'Monitoring by the beneficiary VASP after the report',
    kind: 'kyt',
    role: 'beneficiary',
    isReported: true,
    clause: 'REF-4.2',
  },
];

const CALLBACK: Readonly<Record<Exclude<Kind, 'sanction'>, string>> = {
  kyt: 'PROVIDER_A_KYT_RESULT',
  wco: 'PROVIDER_B_WCO_RESULT',
};
const PATH: Readonly<Record<Kind, string>> = {
  sanction: 'sanction screening',
  kyt: 'monitoring',
  wco: 'person screening',
};
/** The simulated providers take 2 s. */
const RESULT_AFTER = '3s';

export const riskAssessments = CASES.map(each =>
  planModule({
    id: each.id,
    title: each.title,
    needs: ['driver', ...(each.role === 'beneficiary' ? (['customer'] as const) : [])],
    symbols: [],
    alone: true,
    conditions: {
      asked: { clause: each.clause, text: `The VASP requests the ${PATH[each.kind]} of the verification.` },
      ...onlyIf(each.kind !== 'sanction' && !each.refusal, delivered('The callback with the result')),
    },
    async run(ctx) {
      const uuid = await subjectOf(ctx, each);
      await assess(ctx, each, uuid);
      if (each.kind === 'sanction' || each.refusal) return;
      await judgeCallback(ctx, CALLBACK[each.kind], uuid);
    },
  }),
);

/** The verification to assess, in the state of the case. */
const subjectOf = (ctx: ModuleContext<'asked'>, { role, isReported }: Case): Promise<string> =>
  role === 'originating' ? withdrawalOf(ctx, isReported) : depositOf(ctx, isReported);

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
    instruction: `Request the ${PATH[kind]} of verification ${verificationUuid}.`,
  });
  const call = await awaitCall(ctx, 'asked', acting, {
    operation: `assess-${kind}`,
    differences: exchange => (exchange.verificationUuid === verificationUuid ? [] : undefined),
  });
  const got = call.status === 200 ? '200' : `${call.status} ${json(call.response)?.code}`;
  const expected = refusal ? `400 ${refusal}` : '200';
  ctx.check('asked', got === expected, { expected, got, from: [call] });
}

async function judgeCallback(ctx: ModuleContext<'in-time' | 'status'>, type: string, uuid: string): Promise<void> {
  await ctx.advance(RESULT_AFTER);
  const sent = await callbackSent(ctx, type, uuid);
  const late = callbacksSent(ctx, type, uuid).find(each => timingOf(each, ctx.world.timeoutMs.callback) === 'late');
  judgeDelivery(ctx, late ?? sent, 'callback', uuid);
}
