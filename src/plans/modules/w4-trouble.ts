import { pause } from '../../timers/loop.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { call } from '../steps/answers.ts';
import {
  type ConductMemo,
  type End,
  endOf,
  errorReports,
  judgeNoPayment,
  judgeOneEnd,
  memoOf,
  NO_PAYMENT,
  ONE_END,
  remember,
} from '../steps/conduct.ts';
import { awaitCall } from '../steps/driver-acts.ts';
import { statusText } from '../steps/inquiries.ts';
import { callbackSent, untilActed } from '../steps/robot-pays.ts';
import {
  ACCOUNT_FIRST,
  acceptedCall,
  noPaymentText,
  type Ordered,
  paymentsOf,
  untilPayment,
  withdraw,
} from '../steps/withdrawals.ts';
import { faultName } from '../target.ts';

/** W4.11: a block holds the payment, and it has failed. The VASP may pay again. */
export const failedPayment = planModule({
  id: 'W4.11',
  title: 'The payment fails on the ledger',
  needs: ['driver', 'faucet'],
  conditions: {
    told: { clause: 'REF-4.6.11', text: 'An error report follows, or a payment that succeeds.' },
    status: { clause: 'REF-3', text: 'The status of the failed payment is not CONFIRMED.' },
    'one-end': ONE_END,
  },
  async run(ctx) {
    await ctx.holdLedger();
    const { ordered, uuid } = await withdraw(ctx, 'told', { payee: 'monitoring-fails' });
    const memo = memoOf(ordered, { uuid });
    const txHash = await untilActed(ctx, ordered.acting.waitMs, ms =>
      ctx.until(ms, () => ctx.world.failPayment(ctx.symbol, ordered.account)),
    );
    await ctx.releaseLedger();
    if (!txHash) return await missesPayment(ctx, ordered, memo);
    await requireFailed(ctx, txHash);
    ctx.memo = memo;
    await judgeEnd(ctx, ordered, { memo, txHash });
    await judgeOneEnd(ctx, memo);
  },
  late: judgeOneEnd,
});

/** The VASP may have had no money yet: the faucet pays nothing while the ledger is held. */
const MAX_STARTS_WITHOUT = 2;

async function missesPayment(ctx: ModuleContext, ordered: Ordered, memo: ConductMemo): Promise<never> {
  const end = await untilEnd(ctx, ordered, memo);
  if (end?.isPaid || (end && ctx.start <= MAX_STARTS_WITHOUT))
    ctx.missesPremise('The VASP has sent no payment while the ledger took none.');
  return ctx.skip('The VASP has sent no payment that could fail: see W4.1.');
}

async function requireFailed(ctx: ModuleContext, txHash: string): Promise<void> {
  const state = await (await ctx.world.chain(ctx.symbol)).stateOf(txHash);
  const hasFailed = (state.status === 'included' || state.status === 'final') && !state.succeeded;
  if (!hasFailed) ctx.missesPremise(`The payment ${txHash} did not fail.`);
}

/** Undefined: neither of the two within the set time. */
const untilEnd = (ctx: ModuleContext, ordered: Ordered, memo: ConductMemo): Promise<End | undefined> =>
  ctx.untilPaid(ordered.acting.waitMs, () => endOf(ctx, memo));

async function judgeEnd(
  ctx: ModuleContext<'told' | 'status'>,
  ordered: Ordered,
  { memo, txHash }: { memo: ConductMemo; txHash: string },
): Promise<void> {
  const end = await untilEnd(ctx, ordered, memo);
  const query = await askStatus(ctx, memo.uuid!);
  const status = statusText(ctx, query);
  const from = [query];
  if (query?.status !== 200) ctx.omit('status', NO_STATUS);
  else if (!end?.isPaid) ctx.check('status', status !== 'CONFIRMED', { expected: 'not CONFIRMED', got: status, from });
  const expected = `an error report, or another payment, because ${txHash} has failed`;
  if (end === undefined && status === 'PENDING')
    return ctx.review('told', 'No error report within the set time. Look whether a person decides.', { expected });
  const got = end?.text ?? `neither within ${ordered.acting.waitMs / 1000} s, and the status ${status}`;
  ctx.check('told', end !== undefined, { expected, got, from: end ? errorReports(ctx, memo) : from, ifServed: true });
}

const askStatus = (ctx: ModuleContext, verificationUuid: string) =>
  call(ctx, 'transactionStatus', { verificationUuid }, { verificationUuid });

const RUNS_CONTRACT = 'smart-account';

export const delegatedPayee = planModule({
  id: 'W4.12',
  title: 'The account of the payee runs a contract',
  needs: ['driver', 'faucet'],
  symbols: ['ETH'],
  conditions: { paid: { clause: 'REF-4.6.2', text: 'The payment succeeds, though it needs more than 21,000 gas.' } },
  async run(ctx) {
    await ctx.world.delegate(ctx.user(RUNS_CONTRACT).accounts.ETH);
    const { ordered, uuid } = await withdraw(ctx, 'paid', { payee: RUNS_CONTRACT });
    const memo = memoOf(ordered, { uuid });
    const end = await untilEnd(ctx, ordered, memo);
    const expected = `${ordered.amount} ETH at ${ordered.account}`;
    if (end && !end.isPaid) return ctx.review('paid', REFUSES_CONTRACTS, { expected, from: errorReports(ctx, memo) });
    const got = end?.text ?? (await noPaymentText(ctx, ordered));
    ctx.check('paid', end !== undefined, { expected, got, ifServed: true });
  },
});

const REFUSES_CONTRACTS =
  'An error report instead of the payment. Many customers have smart accounts: look whether your VASP must pay them.';

const TARGETS = { ETH: 'devnet.eth_sendRawTransaction', XRP: 'devnet.submit' } as const;

/** W4.15: the VASP does not know whether its node has taken the payment. The hash of what it has signed tells. */
export const lostSending = planModule({
  id: 'W4.15',
  title: 'The node of the VASP takes the payment, and its answer is lost',
  needs: ['driver', 'faucet'],
  conditions: {
    'one-transfer': { clause: 'REF-4.6.2', text: 'The payment is not made again.' },
    reported: { clause: 'WIRE-2.7', text: 'The payment is reported, and no error report comes.' },
    'not-canceled': {
      clause: 'REF-3',
      text: 'While its node fails, the VASP does not say CANCELED of a payment that it has made.',
    },
  },
  async run(ctx) {
    const fault = await ctx.fault({ target: TARGETS[ctx.symbol], mode: 'drop', times: 1 });
    const { ordered, uuid } = await withdraw(ctx, 'reported', { payee: 'monitoring-fails' });
    if (!(await untilPayment(ctx, ordered))) {
      const got = await noPaymentText(ctx, ordered);
      return ctx.omit('one-transfer', `There is no payment whose answer could be lost: ${got}. See W4.1.`);
    }
    if (await hitsNoCall(ctx, fault))
      ctx.doesNotApply('The VASP does not send its payments to the node of the sandbox.');
    await ctx.removeFault(fault);
    remember(ctx, ordered, { uuid });
    await ctx.until(ordered.acting.waitMs, () => told(ctx, uuid).length > 0 || undefined);
    await judgeLost(ctx, ctx.memo as ConductMemo);
    if (ctx.resultOf('reported') === 'PASSED') await judgeNotCanceled(ctx, uuid);
  },
  late: judgeLost,
});

/** A fault for one call is gone when it has hit it. The oldest fault applies: one of the tester skips the module. */
async function hitsNoCall(ctx: ModuleContext, fault: string): Promise<boolean> {
  const { faults } = await ctx.api.faults();
  const own = faults.find(each => faultName(each) === fault);
  if (!own) return false;
  const targets = ['devnet', `devnet.${ctx.symbol}`, own.target];
  const oldest = faults.find(({ target }) => targets.includes(target));
  if (oldest !== own)
    ctx.skip(`Your fault ${oldest!.id} at ${oldest!.target} hits the calls to the ledger: remove it.`);
  return true;
}

const told = ({ evidence }: ModuleContext, uuid: string) => [
  ...evidence.accepted('report-transaction', uuid),
  ...evidence.accepted('report-error', uuid),
];

async function judgeLost(ctx: ModuleContext<'one-transfer' | 'reported'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  ctx.check('one-transfer', payments.length === 1, {
    expected: 'one payment',
    got: `${payments.length}: ${payments.map(({ txHash }) => txHash).join(', ')}`,
  });
  const from = told(ctx, memo.uuid!);
  const isReported = from.length > 0 && from.every(({ operation }) => operation === 'report-transaction');
  ctx.check('reported', isReported, {
    expected: 'a transaction report, and no error report',
    got: from.map(({ operation }) => operation).join(', ') || 'neither',
    from,
    ...(from.length === 0 && { ifServed: true }),
  });
}

/** No answer is right, too: the VASP cannot look. */
async function judgeNotCanceled(ctx: ModuleContext<'not-canceled'>, uuid: string): Promise<void> {
  const fault = await ctx.fault({ target: `devnet.${ctx.symbol}`, mode: 'error' });
  const query = await askStatus(ctx, uuid);
  await ctx.removeFault(fault);
  const status = query?.status === 200 && json(query.response)?.transactionStatus;
  ctx.check('not-canceled', status !== 'CANCELED', {
    expected: 'another status, or none',
    got: status ? String(status) : 'none',
    from: [query],
  });
}

const REFUSALS = {
  ETH: { target: TARGETS.ETH, code: '-32000', message: 'txpool is full' },
  XRP: { target: TARGETS.XRP, code: 'tooBusy', message: 'The server is too busy to help you now.' },
} as const;

/** W4.16: the node has not taken the payment. The VASP sends it again, or gives it up, and not both. */
export const refusedSending = planModule({
  id: 'W4.16',
  title: 'The node of the VASP refuses the payment once',
  needs: ['driver', 'faucet'],
  conditions: {
    'not-reported': { clause: 'REF-4.6.11', text: 'No payment is reported that the ledger does not have.' },
    'one-end': ONE_END,
    settled: { clause: 'REF-4.6.11', severity: 'WARNING', text: 'The payment follows, or an error report.' },
  },
  async run(ctx) {
    const fault = await ctx.fault({ ...REFUSALS[ctx.symbol], mode: 'error', times: 1 });
    const { ordered, uuid } = await withdraw(ctx, 'not-reported', { payee: 'monitoring-fails' });
    const { waitMs } = ordered.acting;
    const memo = memoOf(ordered, { uuid });
    const end = await untilEnd(ctx, ordered, memo);
    if (await hitsNoCall(ctx, fault)) await missesRefusable(ctx, memo);
    await ctx.removeFault(fault);
    ctx.memo = memo;
    ctx.check('settled', end !== undefined, {
      expected: 'the payment, or an error report',
      got: end?.text ?? `neither within ${waitMs / 1_000} s`,
    });
    await judgeRefused(ctx, memo);
  },
  late: judgeRefused,
});

async function missesRefusable(ctx: ModuleContext, memo: ConductMemo): Promise<never> {
  if ((await paymentsOf(ctx, memo)).length === 0)
    return ctx.skip('The VASP has sent no payment that a node could refuse: see W4.1.');
  return ctx.doesNotApply('The VASP does not send its payments to the node of the sandbox.');
}

async function judgeRefused(ctx: ModuleContext<'not-reported' | 'one-end'>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const reports = ctx.evidence.accepted('report-transaction', memo.uuid!);
  ctx.check('not-reported', payments.length > 0 || reports.length === 0, {
    expected: 'no transaction report without a payment',
    got: `${payments.length} payments, ${reports.length} transaction reports`,
    from: reports,
  });
  await judgeOneEnd(ctx, memo);
}

const target = 'devnet.eth_estimateGas';
/** From the refusal on. A VASP that sends all the same does so at once. */
const WATCHED_MS = 1_000;

/** W4.14: the payment would fail on the ledger, so the node says at least. */
export const refusedEstimate = planModule({
  id: 'W4.14',
  title: 'The node of the VASP refuses the estimate of the payment',
  needs: ['driver', 'faucet'],
  mostlyWaits: true,
  symbols: ['ETH'],
  conditions: {
    'not-sent': {
      clause: 'REF-4.6.11',
      text: 'While the node says that the payment would be reverted, the VASP does not send it.',
    },
    settled: {
      clause: 'REF-4.6.11',
      severity: 'WARNING',
      text: 'When the node estimates again, the payment follows, or an error report has come.',
    },
  },
  async run(ctx) {
    const fault = await ctx.fault({ target, mode: 'error', code: '3', message: 'execution reverted' });
    const { ordered, uuid } = await withdraw(ctx, 'not-sent', { payee: 'monitoring-fails' });
    const memo = memoOf(ordered, { uuid });
    await ctx.until(ordered.acting.waitMs, async () => (await wasRefused(ctx)) || (await endOf(ctx, memo)));
    const isRefused = await wasRefused(ctx);
    if (isRefused) await ctx.until(WATCHED_MS, () => endOf(ctx, memo));
    const [sent] = await paymentsOf(ctx, ordered);
    if (isRefused) ctx.check('not-sent', sent === undefined, { expected: 'no payment', got: sent?.txHash ?? 'none' });
    else ctx.omit('not-sent', 'The VASP has asked the node for no estimate.');
    await ctx.removeFault(fault);
    const end = await untilEnd(ctx, ordered, memo);
    ctx.check('settled', end !== undefined, {
      expected: 'the payment, or an error report',
      got: end?.text ?? `neither within ${ordered.acting.waitMs / 1_000} s`,
    });
  },
});

const wasRefused = async ({ api }: ModuleContext): Promise<true | undefined> =>
  (await api.faults()).faults.some(each => each.target === target && each.used > 0) || undefined;

/** W4.3: the error report. */

export const canceledWithdrawal = planModule({
  id: 'W4.3',
  title: 'Error report instead of the transfer',
  needs: ['driver'],
  conditions: {
    'account-first': ACCOUNT_FIRST,
    reported: { clause: 'WIRE-2.8', text: 'The VASP sends an error report, and the enclave accepts it.' },
    error: { clause: 'D-15', text: 'The result becomes ERROR.' },
    'no-payment': NO_PAYMENT,
    status: { clause: 'REF-3', text: 'The status of the withdrawal becomes CANCELED.' },
    later: { clause: 'WIRE-3.4', text: 'A copy of the result that comes after the error report moves no money.' },
  },
  async run(ctx) {
    const { ordered, uuid } = await withdraw(ctx, 'reported', { payee: 'taylor-robbins' }, 'report-error');
    const report = await awaitCall(ctx, 'reported', ordered.acting, acceptedCall('report-error', uuid));
    ctx.check('reported', true, { expected: 'an accepted error report', got: 'accepted', from: [report] });
    const { result } = await ctx.api.verification(uuid);
    ctx.check('error', result === 'ERROR', { expected: 'ERROR', got: result ?? 'none', from: [report] });
    await judgeNoPayment(ctx, remember(ctx, ordered, { uuid }));
    await judgeCanceled(ctx, uuid);
    if (ctx.resultOf('no-payment') !== 'PASSED') return;
    const sent = await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
    if (!sent) return;
    await call(ctx, 'callback', sent.request!, { verificationUuid: uuid });
    await judgeNoPayment(ctx, ctx.memo as ConductMemo, 'later');
  },
  late: (ctx, memo) => judgeNoPayment(ctx, memo as ConductMemo, ctx.isJudged('later') ? 'later' : 'no-payment'),
});

const ASK_AGAIN_MS = 500;

/** A VASP may cancel in several steps. */
async function judgeCanceled(ctx: ModuleContext<'status'>, uuid: string): Promise<void> {
  let query: LoggedExchange | undefined;
  await ctx.until(ctx.world.waitMs, async () => {
    if (query) await pause(ASK_AGAIN_MS, ctx.world.signal);
    query = await askStatus(ctx, uuid);
    return query?.status !== 200 || statusIn(query) === CANCELED || undefined;
  });
  if (query?.status !== 200) return ctx.omit('status', NO_STATUS);
  const got = String(statusIn(query));
  ctx.check('status', got === CANCELED, { expected: CANCELED, got, from: [query] });
}

const CANCELED = 'CANCELED';
const NO_STATUS = 'The status query was not answered with 200: see W4.2.';
const statusIn = ({ response }: LoggedExchange): unknown => json(response)?.transactionStatus;
