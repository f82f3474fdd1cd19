import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { call, callback, delivered, judgeDelivery, strayResult, worstOf } from '../steps/answers.ts';
import { balanceOf, type Credit, judgeCredit, rememberAllowed } from '../steps/balances.ts';
import { judgePaidBack, watchedFrom } from '../steps/paid-back.ts';
import {
  callbacksSent,
  payableCustomer,
  payFromFaucet,
  reportPayment,
  robotPays,
  verifiedDeposit,
  withoutCallback,
} from '../steps/robot-pays.ts';
import { unitsOf, verified, wrongPayment } from '../steps/wrong-payments.ts';
import { timingOf } from '../timing.ts';

/** C1 to C6, C8 and C9: callbacks to the tested VASP. */

const clause = 'WIRE-3.4';
const DELIVERY = delivered('Every callback');
const ONCE = { clause, text: 'The customer is credited with the amount, once.' } as const;
const NEEDS = ['customer', 'robot funds'] as const;

/** All of them; the first that fails is shown. Of a VASP that has not answered rightly nobody knows whether it credits `credit`: it may. */
function judgeDeliveries(
  ctx: ModuleContext<'in-time' | 'status'>,
  exchanges: readonly (LoggedExchange | undefined)[],
  credit?: Pick<Credit, 'customer' | 'amount'>,
): boolean {
  const limitMs = ctx.world.timeoutMs.callback;
  const sent = exchanges.filter(each => each !== undefined);
  const worst = sent.length < exchanges.length ? undefined : worstOf(sent, limitMs);
  const areRight = judgeDelivery(ctx, worst, 'callback');
  if (!areRight && credit) rememberAllowed(ctx, credit.customer, [unitsOf(ctx, credit.amount)]);
  return areRight;
}

/** A VERIFIED deposit that the robot has paid; no callback about it has been sent. */
async function paidDeposit(ctx: ModuleContext<'once'>) {
  const customer = await payableCustomer(ctx);
  const { uuid } = await verifiedDeposit(ctx, 'once', { customer });
  const before = await balanceOf(ctx, 'once', customer);
  const txHash = await robotPays(ctx, uuid, { omitTxReport: true });
  return { uuid, txHash, credit: { customer, before, amount: ctx.amount } };
}

/** The enclave stores the report, and the run sends its callback in the form of the test. */
const reportSilently = (ctx: ModuleContext, uuid: string, txHash: string): Promise<void> =>
  withoutCallback(ctx, uuid, 'TX_REPORT', () => ctx.api.robotReport(uuid, txHash));

export const callbacksAnswered = planModule({
  id: 'C1',
  title: 'Every type of callback is answered with exactly 200 within 1 s',
  needs: [],
  symbols: [],
  conditions: {
    ...DELIVERY,
    body: { clause, severity: 'WARNING', text: 'The body of the answer is {"result": true}.' },
  },
  async run(ctx) {
    const verificationUuid = ctx.world.uuid();
    // The message is optional.
    const { message: _, ...silent } = strayResult(ctx);
    const error = { verificationUuid, result: 'ERROR', reason: 'USER-CANCELED' };
    const exchanges = [
      await callback(ctx, 'VERIFICATION_RESULT', strayResult(ctx)),
      await callback(ctx, 'VERIFICATION_RESULT', silent),
      await callback(ctx, 'VERIFICATION_RESULT', { ...silent, message: '' }),
      await callback(ctx, 'ERROR_REPORT', { ...error, message: 'User canceled' }),
      await callback(ctx, 'ERROR_REPORT', error),
      await callback(ctx, 'ERROR_REPORT', { ...error, message: '' }),
    ];
    if (!judgeDeliveries(ctx, exchanges)) return;
    const other = exchanges.find(each => json(each?.response)?.result !== true);
    ctx.check('body', other === undefined, {
      expected: '{"result":true}',
      got: (other ?? exchanges[0])?.response ?? 'nothing',
      from: [other],
    });
  },
});

const sameCallbackTwice = planModule({
  id: 'C2',
  title: 'The same callback twice leaves one effect',
  needs: NEEDS,
  conditions: {
    ...DELIVERY,
    once: ONCE,
    later: { clause, text: 'A copy that comes after the credit changes nothing.' },
    verified: {
      clause: 'WIRE-3.2',
      text: 'The user verification and the report change nothing when both come again after the credit.',
    },
  },
  async run(ctx) {
    const { uuid, txHash, credit } = await paidDeposit(ctx);
    const first = await reportPayment(ctx, uuid, txHash);
    const sendAgain = () => call(ctx, 'callback', first!.request!, { verificationUuid: uuid });
    if (!judgeDeliveries(ctx, [first, first && (await sendAgain())], credit)) return;
    await judgeCredit(ctx, 'once', credit);
    if (ctx.resultOf('once') !== 'PASSED') return;
    await sendAgain();
    await judgeCredit(ctx, 'later', credit);
    const asked = ctx.evidence.sent('verifyUser', uuid)[0]?.request;
    if (ctx.resultOf('later') !== 'PASSED' || !asked) return;
    await call(ctx, 'verifyUser', asked, { verificationUuid: uuid });
    await sendAgain();
    await judgeCredit(ctx, 'verified', credit);
  },
});

const orderTurnedRound = planModule({
  id: 'C3',
  title: 'Order turned round: TX_REPORT before VERIFICATION_RESULT',
  needs: NEEDS,
  conditions: {
    ...DELIVERY,
    once: ONCE,
    'no-payment': {
      clause: 'REF-4.6.2',
      text: 'The VASP pays nothing for a result of a verification in which it is the beneficiary.',
    },
  },
  async run(ctx) {
    const { uuid, txHash, credit } = await paidDeposit(ctx);
    ctx.memo = await watchedFrom(ctx, uuid, txHash);
    const report = await reportPayment(ctx, uuid, txHash);
    const result = await callback(ctx, 'VERIFICATION_RESULT', {
      verificationUuid: uuid,
      verificationResult: 'VERIFIED',
      reason: 'OK',
      message: '',
    });
    if (judgeDeliveries(ctx, [report, result], credit)) await judgeCredit(ctx, 'once', { ...credit, isLast: true });
  },
  late: judgePaidBack,
});

const callbackAgain = planModule({
  id: 'C4',
  title: 'A callback comes again after a dropped connection, and counts once',
  needs: [...NEEDS, 'moved time'],
  alone: true,
  conditions: { ...DELIVERY, once: ONCE },
  async run(ctx) {
    const { uuid, txHash, credit } = await paidDeposit(ctx);
    const target = 'callback.TX_REPORT';
    const fault = await ctx.fault({ target, mode: 'never-answer', times: 1, verificationUuid: uuid });
    await reportPayment(ctx, uuid, txHash);
    await ctx.advance('2s');
    const sent = () => callbacksSent(ctx, 'TX_REPORT', uuid);
    await ctx.untilSandbox(() => sent().length > 1 || undefined);
    await ctx.removeFault(fault);
    if (judgeDeliveries(ctx, [...sent()].slice(0, 2), credit))
      await judgeCredit(ctx, 'once', { ...credit, isLast: true });
  },
});

const unknownCallbackType = planModule({
  id: 'C5',
  title: 'A callback of an unknown type is taken',
  needs: [],
  symbols: [],
  conditions: DELIVERY,
  async run(ctx) {
    const data = { verificationUuid: ctx.world.uuid(), at: (await ctx.api.clock()).now };
    judgeDeliveries(ctx, [await callback(ctx, 'TYPE_OF_TOMORROW', data)]);
  },
});

const unknownMembers = planModule({
  id: 'C6',
  title: 'Unknown members of a callback are ignored',
  needs: NEEDS,
  conditions: { ...DELIVERY, once: ONCE },
  async run(ctx) {
    const { uuid, txHash, credit } = await paidDeposit(ctx);
    await reportSilently(ctx, uuid, txHash);
    const data = { verificationUuid: uuid, txHash, memberOfTomorrow: { is: ['here'] } };
    const sent = await callback(ctx, 'TX_REPORT', data, { anotherMember: 1 });
    if (judgeDeliveries(ctx, [sent], credit)) await judgeCredit(ctx, 'once', { ...credit, isLast: true });
  },
});

const reportOfUnknownType = wrongPayment({
  id: 'C9',
  title: 'A callback of an unknown type that looks like a transaction report has no effect',
  async pay(ctx, first) {
    const { uuid } = await verified(ctx);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(ctx.customer()), ctx.amount);
    await callback(ctx, 'TYPE_OF_TOMORROW', { verificationUuid: uuid, txHash });
    return first;
  },
});

const MANY = 50;
/** A machine that is busy once makes one burst late. A VASP that cannot take 50 at once is late every time. */
const MAX_BURSTS = 3;

const hasLate = ({ world }: ModuleContext, sent: readonly (LoggedExchange | undefined)[]): boolean =>
  sent.some(each => each !== undefined && timingOf(each, world.timeoutMs.callback) !== 'in time');

const manyCallbacks = planModule({
  id: 'C8',
  title: `${MANY} callbacks at once`,
  needs: NEEDS,
  alone: true,
  conditions: { ...DELIVERY, once: ONCE },
  async run(ctx) {
    const { uuid, txHash, credit } = await paidDeposit(ctx);
    await reportSilently(ctx, uuid, txHash);
    const data = { verificationUuid: uuid, txHash };
    const sendAll = () => Promise.all(Array.from({ length: MANY }, () => callback(ctx, 'TX_REPORT', data)));
    let sent = await sendAll();
    for (let burst = 1; burst < MAX_BURSTS && hasLate(ctx, sent); burst++) sent = await sendAll();
    if (judgeDeliveries(ctx, sent, credit)) await judgeCredit(ctx, 'once', { ...credit, isLast: true });
  },
});

export const callbackEffects = [
  sameCallbackTwice,
  orderTurnedRound,
  unknownCallbackType,
  unknownMembers,
  reportOfUnknownType,
];
export const callbacksAlone = [callbackAgain, manyCallbacks];
