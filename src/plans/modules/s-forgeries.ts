import type { ModuleContext } from '../context.ts';
import { planModule } from '../module.ts';
import { refusalText } from '../steps/answers.ts';
import { type ConductMemo, judgeNoPayment, remember } from '../steps/conduct.ts';
import { depositRequest, onTheWire } from '../steps/deposit-requests.ts';
import { call, callback, requireToken } from '../steps/raw-calls.ts';
import { callbackSent, payFromFaucet } from '../steps/robot-pays.ts';
import { orderWithdrawal, verificationOf } from '../steps/withdrawals.ts';
import { verified, wrongPayment } from '../steps/wrong-payments.ts';
import { otherToken } from '../steps/wrong-tokens.ts';

/** S6 and S7: what is refused must have no effect. */

const wrongToken = (ctx: ModuleContext) => ({ token: otherToken(requireToken(ctx)) });

/** Calls with a wrong token that an attacker may send. Only the second report has the right token. */
export const forgedDeposit = wrongPayment({
  id: 'S6',
  plan: 'security',
  title: 'Deposits: calls with a wrong token have no effect',
  clauses: ['WIRE-3', 'WIRE-3.4'],
  notCredited: {
    clause: 'WIRE-3',
    text: 'Nothing is credited by a report or by a user verification that has a wrong token.',
  },
  async pay(ctx, first) {
    const wrong = wrongToken(ctx);
    const { uuid } = await verified(ctx);
    const { txHash } = await payFromFaucet(ctx, ctx.accountOf(ctx.customer()), ctx.amount);
    await call(ctx, 'callback', callbackBody('TX_REPORT', { verificationUuid: uuid, txHash }), wrong);
    const forged = ctx.world.uuid();
    const asked = onTheWire(ctx, depositRequest(ctx, { customer: ctx.customer() }), forged);
    await call(ctx, 'verifyUser', asked, wrong);
    await callback(ctx, 'TX_REPORT', { verificationUuid: forged, txHash });
    return first;
  },
  async beforeNext(ctx, verificationUuid) {
    const error = { result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled' };
    await call(ctx, 'callback', callbackBody('ERROR_REPORT', { verificationUuid, ...error }), wrongToken(ctx));
  },
});

const callbackBody = (callbackType: string, data: object) => ({ callbackType, data });

export const forgedResult = planModule({
  id: 'S7',
  plan: 'security',
  title: 'Withdrawals: a result with a wrong token has no effect',
  clauses: ['WIRE-3', 'REF-4.6.2'],
  needs: ['driver', 'token'],
  symbols: [],
  alone: true,
  conditions: {
    'no-payment': { clause: 'WIRE-3', text: 'The VASP does not pay by a VERIFIED that has a wrong token.' },
  },
  async run(ctx) {
    const wrong = wrongToken(ctx);
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'never-answers' });
    const { uuid, exchange } = await verificationOf(ctx, 'no-payment', ordered);
    if (uuid === undefined) return ctx.omit('no-payment', `The user verification was ${refusalText(exchange)}.`);
    const result = { verificationResult: 'VERIFIED', reason: 'OK', message: '' };
    const forged = callbackBody('VERIFICATION_RESULT', { verificationUuid: uuid, ...result });
    await call(ctx, 'callback', forged, wrong);
    remember(ctx, ordered, { uuid });
    if (ctx.movesTime) await ctx.api.advance(`${ctx.world.timeoutMs.verifyUser + 1_000}ms`);
    await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
    await judgeNoPayment(ctx, ctx.memo as ConductMemo);
  },
  late: judgeNoPayment,
});
