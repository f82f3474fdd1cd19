import type { ModuleContext } from '../context.ts';
import { json } from '../evidence.ts';
import { planModule } from '../module.ts';
import { type ConductMemo, remember } from '../steps/conduct.ts';
import { untilActed } from '../steps/held.ts';
import { call } from '../steps/raw-calls.ts';
import { noPaymentText, type Ordered, orderWithdrawal, paymentsOf } from '../steps/withdrawals.ts';
import { verifiedWithdrawal } from './w4-transfers.ts';

type Word = 'told' | 'status' | 'one-end';

/** W4.11: a block holds the payment, and it has failed. The VASP may pay again. */
export const failedPayment = planModule({
  id: 'W4.11',
  plan: 'withdrawal',
  title: 'The payment fails on the ledger',
  clauses: ['REF-4.6.11', 'WIRE-2.7', 'WIRE-2.8'],
  needs: ['driver', 'faucet'],
  conditions: {
    told: { clause: 'REF-4.6.11', text: 'An error report follows, or a payment that succeeds.' },
    status: { clause: 'REF-3', text: 'The status of the failed payment is not CONFIRMED.' },
    'one-end': { clause: 'REF-4.6.2', text: 'There is at most one payment, and none with an error report.' },
  },
  async run(ctx: ModuleContext<Word>) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger lets a payment fail.');
    await ctx.holdLedger();
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: 'monitoring-fails' });
    const { uuid } = await verifiedWithdrawal(ctx, 'told', ordered);
    const txHash = await untilActed(ctx, ordered.acting.waitMs, ms =>
      ctx.until(ms, () => ctx.world.failPayment(ctx.symbol, ordered.account)),
    );
    await ctx.releaseLedger();
    if (!txHash) return await missesPayment(ctx, ordered, uuid);
    await requireFailed(ctx, txHash);
    remember(ctx, ordered, { uuid });
    await judgeEnd(ctx, ordered, { uuid, txHash });
    await judgeOneEnd(ctx, ctx.memo as ConductMemo);
  },
  late: judgeOneEnd,
});

/** The VASP may have had no money yet: the faucet pays nothing while the ledger is held. */
const MAX_STARTS_WITHOUT = 2;

async function missesPayment(ctx: ModuleContext, ordered: Ordered, uuid: string): Promise<never> {
  const end = await endOf(ctx, ordered, uuid);
  if (end === 'paid' || (end === 'canceled' && ctx.start <= MAX_STARTS_WITHOUT))
    ctx.missesPremise('The VASP has sent no payment while the ledger took none.');
  return ctx.skip('The VASP has sent no payment that could fail: see W4.1.');
}

async function requireFailed(ctx: ModuleContext, txHash: string): Promise<void> {
  const state = await (await ctx.world.chain(ctx.symbol)).stateOf(txHash);
  const hasFailed = (state.status === 'included' || state.status === 'final') && !state.succeeded;
  if (!hasFailed) ctx.missesPremise(`The payment ${txHash} did not fail.`);
}

/** What comes of a withdrawal; undefined: neither of the two within the set time. */
const endOf = (ctx: ModuleContext, ordered: Ordered, uuid: string): Promise<'paid' | 'canceled' | undefined> =>
  ctx.until(ordered.acting.waitMs, async () => {
    if ((await paymentsOf(ctx, ordered)).length > 0) return 'paid';
    return canceled(ctx, uuid).length > 0 ? 'canceled' : undefined;
  });

async function judgeEnd(
  ctx: ModuleContext<Word>,
  ordered: Ordered,
  { uuid, txHash }: { uuid: string; txHash: string },
): Promise<void> {
  const end = await endOf(ctx, ordered, uuid);
  const query = await call(ctx, 'transactionStatus', { verificationUuid: uuid }, { verificationUuid: uuid });
  const status = json(query?.response ?? null)?.transactionStatus;
  const from = query ? [query] : [];
  if (end !== 'paid')
    ctx.check('status', status !== 'CONFIRMED', { expected: 'not CONFIRMED', got: String(status), from });
  const expected = `an error report, or another payment, because ${txHash} has failed`;
  if (end === undefined && status === 'PENDING')
    return ctx.review('told', 'No error report within the set time. Look whether a person decides.', { expected });
  const got = end ?? `neither within ${ordered.acting.waitMs / 1000} s, and the status ${status}`;
  ctx.check('told', end !== undefined, { expected, got, from: end ? canceled(ctx, uuid) : from });
}

const canceled = ({ evidence }: ModuleContext, uuid: string) =>
  evidence.received('report-error', uuid).filter(({ status }) => status === 200);

async function judgeOneEnd(ctx: ModuleContext<Word>, memo: ConductMemo): Promise<void> {
  const payments = await paymentsOf(ctx, memo);
  const from = canceled(ctx, memo.uuid!);
  ctx.check('one-end', payments.length <= (from.length > 0 ? 0 : 1), {
    expected: 'one payment, or an error report',
    got: `${payments.length} payments, ${from.length} error reports`,
    from,
  });
}

const RUNS_CONTRACT = 'smart-account';

export const delegatedPayee = planModule({
  id: 'W4.12',
  plan: 'withdrawal',
  title: 'The account of the payee runs a contract',
  clauses: ['REF-4.6.2', 'REF-4.6.11'],
  needs: ['driver', 'faucet'],
  symbols: ['ETH'],
  conditions: { paid: { clause: 'REF-4.6.2', text: 'The payment succeeds, though it needs more than 21,000 gas.' } },
  async run(ctx) {
    if (!ctx.world.isEmbedded(ctx.symbol)) ctx.doesNotApply('Only an embedded ledger has such a payee.');
    await ctx.world.delegate(ctx.user(RUNS_CONTRACT).accounts.ETH);
    const ordered = await orderWithdrawal(ctx, 'withdraw', { payee: RUNS_CONTRACT });
    const { uuid } = await verifiedWithdrawal(ctx, 'paid', ordered);
    const end = await endOf(ctx, ordered, uuid);
    const expected = `${ordered.amount} ETH at ${ordered.account}`;
    if (end === 'canceled') return ctx.review('paid', REFUSES_CONTRACTS, { expected, from: canceled(ctx, uuid) });
    const got = end ?? (await noPaymentText(ctx, ordered));
    ctx.check('paid', end === 'paid', { expected, got });
  },
});

const REFUSES_CONTRACTS =
  'An error report instead of the payment. Many customers have smart accounts: look whether your VASP must pay them.';
