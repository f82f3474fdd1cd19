import { ASSETS } from '../../contract/assets.ts';
import type { DriverParameters } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { onlyIf, planModule } from '../module.ts';
import { callback, refusalText } from '../steps/answers.ts';
import { type ConductMemo, earlyMs, judgeNoPayment, memoOf, NO_PAYMENT, watchedText } from '../steps/conduct.ts';
import { bringLost, callbackSent, keepBack, untilActed } from '../steps/robot-pays.ts';
import { type Ordered, orderWithdrawal, paymentsOf, verificationOf, verifiedWithdrawal } from '../steps/withdrawals.ts';
import { ASSESSMENTS } from './r-risk.ts';

/** R7 to R10 and R12 to R15: withdrawals with an assessment that speaks against them. */

type Kind = NonNullable<DriverParameters['kinds']>[number];
interface Case {
  id: string;
  kind: Kind;
  payee: string;
  said: string;
  /** The reference leaves it to the VASP: a person may have decided. */
  isForPeople?: true;
  /** What the callbacks before the result say. Default: only REGISTERED. Another word is no result either. */
  before?: readonly string[];
  /** These come before it, and say nothing against the withdrawal. */
  first?: readonly Kind[];
  /** Every request for it is refused, or the answer to the first one is lost. */
  fails?: { mode: 'status'; status: number } | { mode: 'drop' | 'malformed'; times: 1 };
}

const CASES: readonly Case[] = [
  { id: 'R7', kind: 'sanction', payee: 'sanctioned-address', said: 'the address is sanctioned' },
  {
    id: 'R8',
    kind: 'kyt',
    first: ['sanction'],
    payee: 'risk-severe',
    said: 'monitoring raises a SEVERE alert after a LOW one',
  },
  {
    id: 'R9',
    kind: 'kyt',
    payee: 'risk-high',
    said: 'monitoring raises a HIGH alert',
    isForPeople: true,
    before: ['REGISTERED', 'CHECKING'],
  },
  { id: 'R10', kind: 'wco', payee: 'sanctioned-address', said: 'the person is an EXACT match' },
  {
    id: 'R12',
    kind: 'sanction',
    payee: 'sanctioned-address',
    said: 'the assessment was refused with 400',
    fails: { mode: 'status', status: 400 },
  },
  {
    id: 'R13',
    kind: 'kyt',
    payee: 'sanctioned-address',
    said: 'the assessment was refused with 503',
    fails: { mode: 'status', status: 503 },
  },
  {
    id: 'R14',
    kind: 'sanction',
    payee: 'sanctioned-address',
    said: 'the answer of the assessment was lost, and the address is sanctioned',
    fails: { mode: 'drop', times: 1 },
  },
  {
    id: 'R15',
    kind: 'kyt',
    payee: 'sanctioned-address',
    said: 'the answer of the assessment was broken JSON, and the address is sanctioned',
    fails: { mode: 'malformed', times: 1 },
  },
];
const RESULT_MEMBER = { kyt: 'providerAKYT', wco: 'providerBWCO' } as const;
const BEFORE: readonly string[] = ['REGISTERED'];
const RESULT_AFTER = '3s';
const HELD_BACK_MS = 1_500;

export const riskyWithdrawals = CASES.map(each =>
  planModule({
    id: each.id,
    title: `A withdrawal with an assessment before the payment: ${each.said}`,
    needs: ['driver', 'moved time'],
    symbols: [],
    // The refusal is one of every verification.
    ...(each.fails ? { alone: true } : { mostlyWaits: true }),
    conditions: {
      ...onlyIf(each.kind !== 'sanction' && !each.fails, {
        waits: {
          clause: 'REF-3',
          text: `While the assessment is ${(each.before ?? BEFORE).join(' or ')} the VASP does not pay.`,
        },
      }),
      'no-payment': each.isForPeople
        ? { clause: ASSESSMENTS[each.kind].clause, text: 'No money moves, unless a person of the VASP has decided so.' }
        : NO_PAYMENT,
    },
    async run(ctx) {
      const { kind, first = [], payee, fails } = each;
      if (fails) await ctx.fault({ target: `answer.assess-${kind}`, ...fails });
      const ordered = await orderWithdrawal(ctx, 'withdraw', { payee, kinds: [...first, kind] });
      const release = kind === 'sanction' || fails ? undefined : await resultKeptBack(ctx, kind, ordered);
      const { uuid } = await verifiedWithdrawal(ctx, 'no-payment', ordered);
      await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
      const assessed = await assessedOrPaid(ctx, each, { ordered, uuid });
      if (assessed && !fails && assessed.status !== 200) judgeRefusal(ctx, each, assessed);
      if (assessed && !fails && kind !== 'sanction')
        await bringResult(ctx, kind, { ordered, uuid, assessed }, each.before);
      await release?.();
      if (assessed && !fails && kind !== 'sanction') await untilResult(ctx, kind, uuid, each.before);
      ctx.memo = { ...memoOf(ordered, { uuid }), isAssessed: assessed !== undefined };
      await judge(ctx, each, ctx.memo as Memo);
    },
    late: (ctx, memo) => judge(ctx, each, memo as Memo),
  }),
);

/** Nothing of the case can be judged without the assessment. */
function judgeRefusal(ctx: ModuleContext<'no-payment'>, { kind }: Case, assessed: LoggedExchange): never {
  const expected = `an assessment (\`${kind}\`) that the enclave accepts`;
  ctx.check('no-payment', false, { expected, got: refusalText(assessed), from: [assessed] });
  return ctx.stop();
}

type Memo = ConductMemo & { isAssessed: boolean };
interface Subject {
  ordered: Ordered;
  uuid: string;
}

/** The request for the assessment, at best an accepted one; undefined: the VASP has paid, or done nothing, without one. */
export async function assessedOrPaid(
  ctx: ModuleContext,
  { kind, fails }: Pick<Case, 'kind' | 'fails'>,
  { ordered, uuid }: Subject,
): Promise<LoggedExchange | undefined> {
  const all = () => ctx.evidence.received(`assess-${kind}`);
  const asked = () => (fails ? all()[0] : all().find(each => each.verificationUuid === uuid && each.status === 200));
  const look = async () => asked() ?? ((await paymentsOf(ctx, ordered)).length > 0 ? true : undefined);
  await untilActed(ctx, ordered.acting.waitMs, ms => ctx.untilPaid(ms, look));
  // A refused call may name no verification.
  return asked() ?? all()[0];
}

async function bringResult(
  ctx: ModuleContext<'waits'>,
  kind: keyof typeof RESULT_MEMBER,
  { ordered, uuid, assessed }: Subject & { assessed: LoggedExchange },
  before = BEFORE,
): Promise<void> {
  const result = await registered(ctx, kind, { ordered, uuid, assessed });
  for (const status of before) {
    const riskAssessment = { [RESULT_MEMBER[kind]]: { ...result, status } };
    await callback(ctx, ASSESSMENTS[kind].callback, { verificationUuid: uuid, riskAssessment });
  }
  const watchedMs = earlyMs(ctx, HELD_BACK_MS);
  await ctx.until(watchedMs, () => undefined);
  const [early] = await paymentsOf(ctx, ordered);
  if (callbacksOf(ctx, kind, uuid) > before.length)
    ctx.missesPremise('The result of the assessment came before the look for a payment.');
  ctx.check('waits', early === undefined, {
    expected: 'no payment before the result',
    got: early ? `paid in transaction ${early.txHash}` : watchedText(watchedMs),
    from: [assessed],
  });
  await ctx.advance(RESULT_AFTER);
}

/** The result may come as soon as the VASP has asked for it, so it is kept back before the VASP can ask. */
async function resultKeptBack(
  ctx: ModuleContext<'no-payment'>,
  kind: keyof typeof RESULT_MEMBER,
  ordered: Ordered,
): Promise<(() => Promise<void>) | undefined> {
  const { uuid } = await verificationOf(ctx, 'no-payment', ordered);
  return uuid === undefined ? undefined : keepBack(ctx, uuid, ASSESSMENTS[kind].callback);
}

async function untilResult(
  ctx: ModuleContext,
  kind: keyof typeof RESULT_MEMBER,
  uuid: string,
  before = BEFORE,
): Promise<void> {
  const isThere = () => (callbacksOf(ctx, kind, uuid) > before.length ? true : undefined);
  const isStored = async () => {
    const { callbacks } = await ctx.api.callbacks({ verificationUuid: uuid });
    return callbacks.some(({ callbackType }) => callbackType === ASSESSMENTS[kind].callback) || undefined;
  };
  await ctx.until(ctx.world.sandboxMs, isStored);
  if (!isThere()) await bringLost(ctx, uuid, ASSESSMENTS[kind].callback);
  await ctx.until(ctx.world.sandboxMs, isThere);
}

/** REF-2.6, REF-2.8: the result is not there yet. */
async function registered(
  { api, world, symbol }: ModuleContext,
  kind: keyof typeof RESULT_MEMBER,
  { ordered: { amount, account }, uuid, assessed }: Subject & { assessed: LoggedExchange },
): Promise<object> {
  const requestId = json(assessed.response)?.requestId;
  const { assessments } = await api.assessments({ verificationUuid: uuid });
  const at = assessments.find(each => each.requestId === requestId)?.createdAt;
  const result = { requestId, counterpartyVaspId: world.robotVaspId, direction: 'OUTGOING', createdAt: at };
  if (kind === 'wco') return result;
  return {
    ...result,
    apiType: 'ATTEMPT',
    userId: world.robotVaspId,
    network: ASSETS[symbol].networks[0],
    asset: symbol,
    amount,
    outputAddress: account,
    timestamp: at,
    alertCount: null,
  };
}

const callbacksOf = (ctx: ModuleContext, kind: keyof typeof RESULT_MEMBER, uuid: string): number =>
  ctx.evidence.sent('callback', uuid).filter(({ request }) => request?.includes(ASSESSMENTS[kind].callback)).length;

async function judge(ctx: ModuleContext<'no-payment'>, each: Case, memo: Memo): Promise<void> {
  const [payment] = await paymentsOf(ctx, memo);
  if (payment && !memo.isAssessed)
    return void ctx.check('no-payment', false, {
      expected: `the assessment that the driver was told to request (\`${each.kind}\`), and no payment, because ${each.said}`,
      got: `paid in transaction ${payment.txHash} without the assessment`,
    });
  if (!payment && !memo.isAssessed)
    return ctx.review(
      'no-payment',
      `The VASP has requested no assessment (\`${each.kind}\`), and has not paid. Look why.`,
    );
  if (payment && each.isForPeople)
    return ctx.review('no-payment', `The VASP has paid although ${each.said}. Look whether a person has decided so.`);
  await judgeNoPayment(ctx, memo);
}
