import { nodeHash, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { judgeRefused } from '../steps/answers.ts';
import { type ConductMemo, judgeOneTransfer, ONE_TRANSFER, remember } from '../steps/conduct.ts';
import { awaitCall, callsOf } from '../steps/driver-acts.ts';
import {
  decidedVerdict,
  judgeCredited,
  judgeNamed,
  NAMES_PAYMENT,
  paidInstead,
  verdictText,
} from '../steps/report-verdicts.ts';
import {
  ACCOUNT_FIRST,
  acceptedCall,
  type Ordered,
  resultOf,
  userCall,
  VERIFIED,
  withdraw,
} from '../steps/withdrawals.ts';

/** W4.1 and W4.5: payment and report. */

export const transferAndReport = planModule({
  id: 'W4.1',
  title: 'Transfer and report',
  needs: ['driver'],
  conditions: {
    'account-first': ACCOUNT_FIRST,
    reported: { clause: 'WIRE-2.7', text: 'The VASP reports the transaction within the set time.' },
    hash: { clause: 'WIRE-6.2', text: 'The reported hash is that of a successful transaction on the chain.' },
    'hash-form': {
      clause: 'WIRE-6.2',
      severity: 'WARNING',
      text: 'The hash is reported exactly as its node prints it.',
    },
    'after-verified': { clause: 'REF-4.6.2', text: 'The transfer is made only after VERIFIED.' },
    recipient: { clause: 'REF-4.6.2', text: 'The transfer pays the verified address.' },
    tag: { clause: 'REF-4.6.4', text: 'The transfer has the verified destination tag.' },
    amount: { clause: 'REF-4.6.2', text: 'The transfer has the verified amount.' },
    'one-verification': {
      clause: 'WIRE-2.4',
      text: 'One withdrawal opens one user verification. Another one may follow when it is not VERIFIED.',
    },
    once: { clause: 'WIRE-2.7', severity: 'WARNING', text: 'The transaction is reported once.' },
    'no-error': { clause: 'WIRE-2.8', text: 'No error report follows the transaction report.' },
    credited: { clause: 'D-18', text: 'The balance at the robot grows by the amount.' },
    'own-only': {
      clause: 'WIRE-2.7',
      text: 'Every transaction or error report of this run is about a verification in which the VASP is the originator.',
    },
    'verified-only': {
      clause: 'WIRE-2.7',
      text: 'Every transaction report of this run is about a verification that is VERIFIED.',
    },
  },
  async run(ctx) {
    const { ordered, uuid } = await withdraw(ctx, 'reported', { payee: 'risk-low' });
    remember(ctx, ordered, { uuid });
    const report = await awaitCall(ctx, 'reported', ordered.acting, acceptedCall('report-transaction', uuid));
    const txHash = String(json(report.request)?.txHash);
    ctx.check('reported', true, { expected: 'a transaction report', got: txHash, from: [report] });
    judgeReports(ctx, uuid);
    judgeNoError(ctx, uuid);
    await judgeOneVerification(ctx, ordered);
    if (await judgeTransaction(ctx, ordered, { uuid, txHash, report })) await judgeCredited(ctx, ordered, uuid);
  },
  async late(ctx, memo) {
    const { account, amount, uuid } = memo as ConductMemo;
    if (ctx.resultOf('reported') === 'PASSED') {
      judgeReports(ctx, uuid!);
      judgeNoError(ctx, uuid!);
    }
    await judgeOneVerification(ctx, { symbol: ctx.symbol, account, amount });
    const reports = ctx.ofRun.received('report-transaction');
    const all = [...reports, ...ctx.ofRun.received('report-error')];
    judgeRefused(ctx, 'own-only', all, { code: 'VASP-NOT-MATCHED', what: 'of others' });
    judgeRefused(ctx, 'verified-only', reports, { code: 'NOT-VERIFIED', what: 'that are not VERIFIED' });
  },
});

/** One that was not VERIFIED lets nobody await money: the VASP may ask again. */
async function judgeOneVerification(
  ctx: ModuleContext<'one-verification'>,
  ordered: Pick<Ordered, 'symbol' | 'account' | 'amount'>,
): Promise<void> {
  const asked = callsOf(ctx, userCall(ctx, ordered)).filter(({ status }) => status === 200);
  const results = await Promise.all(asked.map(({ verificationUuid }) => resultOf(ctx, verificationUuid!)));
  const from = asked.filter((_, position) => [VERIFIED, undefined].includes(results[position]));
  const shown = { expected: '1 user verification', got: String(from.length), from, ifServed: true } as const;
  ctx.check('one-verification', asked.length > 0 && from.length <= 1, shown);
}

function judgeReports(ctx: ModuleContext<'once'>, uuid: string): void {
  const from = ctx.evidence.accepted('report-transaction', uuid);
  const shown = { expected: '1 report', got: String(from.length), from };
  ctx.check('once', from.length === 1, { ...shown, ifServed: true });
}

export function judgeNoError(ctx: ModuleContext<'no-error'>, uuid: string): void {
  const from = ctx.evidence.received('report-error', uuid);
  const got = from.length === 0 ? 'none' : String(from.length);
  ctx.check('no-error', from.length === 0, { expected: 'no error report', got, from });
}

type TransferWord = 'hash' | 'hash-form' | 'after-verified' | 'recipient' | 'tag' | 'amount';

/** True: the transfer is as verified. */
async function judgeTransaction(
  ctx: ModuleContext<TransferWord>,
  ordered: Ordered,
  { uuid, txHash, report }: { uuid: string; txHash: string; report: LoggedExchange },
): Promise<boolean> {
  const { account, amount, acting } = ordered;
  const { symbol } = ctx;
  const chain = await ctx.world.chain(symbol);
  const found = await ctx.untilPaid(acting.waitMs, async () => {
    const lookup = await chain.lookup(txHash);
    return lookup.state.status === 'included' || lookup.state.status === 'final' ? lookup : undefined;
  });
  const from = [report];
  const state = found?.state as { succeeded?: boolean } | undefined;
  const got = found
    ? state?.succeeded === false
      ? 'the transaction failed'
      : txHash
    : `no such transaction${(await paidInstead(ctx, ordered)) ?? (await verdictText(ctx, uuid))}`;
  if (!ctx.check('hash', found !== undefined && state?.succeeded !== false, { expected: txHash, got, from }))
    return false;
  const printed = nodeHash(symbol, txHash);
  ctx.check('hash-form', txHash === printed, { expected: printed, got: txHash, from });
  const wanted = chain.parseAddress(account)!;
  const { transfers } = found!;
  const toRobot = transfers.filter(({ to }) => to.account === wanted.account);
  const shown = (each: string) => ({ expected: account, got: each, from });
  if (!ctx.check('recipient', toRobot.length > 0, shown(transfers.map(({ to }) => to.account).join(', ') || 'nobody')))
    return false;
  const tagged = toRobot.filter(({ to }) => to.tag === wanted.tag);
  if (wanted.tag !== undefined) ctx.check('tag', tagged.length > 0, shown(String(toRobot[0]?.to.tag ?? 'no tag')));
  const isRight = toRobot.some(each => each.amount === toBaseUnits(symbol, amount));
  ctx.check('amount', isRight, {
    expected: `${amount} ${symbol}`,
    got: `${toCoins(symbol, toRobot[0]?.amount ?? 0n)} ${symbol}`,
    from,
  });
  if (!isRight || (wanted.tag !== undefined && tagged.length === 0)) return false;
  const { verdict, got: block } = await decidedVerdict(ctx, uuid);
  const isEarly = verdict === 'PAID-BEFORE-VERIFIED';
  return ctx.check('after-verified', !isEarly, {
    expected: 'a block after VERIFIED',
    got: isEarly ? block : 'after VERIFIED',
  });
}

const FAILED_REPORTS = 2;
const REPEATS_WITHIN_MS = 2_000;

/** A report about one verification, whatever its answer. */
const reportAfter = (uuid: string, after: number) => ({
  operation: 'report-transaction',
  differences: ({ id, verificationUuid }: LoggedExchange) => (verificationUuid === uuid && id > after ? [] : undefined),
});

export const reportLost = planModule({
  id: 'W4.5',
  title: 'The answer to the report is lost, then the report is answered with an error',
  needs: ['driver'],
  alone: true,
  conditions: {
    'account-first': ACCOUNT_FIRST,
    again: { clause: 'WIRE-2.7', text: 'The VASP reports again until its report is answered with 200.' },
    same: { clause: 'WIRE-2.7', text: 'Every report of it names the same transaction.' },
    'names-payment': NAMES_PAYMENT,
    'one-transfer': ONE_TRANSFER,
  },
  async run(ctx) {
    const target = 'answer.report-transaction';
    await ctx.fault({ target, mode: 'drop', times: 1 });
    await ctx.fault({ target, mode: 'status', status: 503, times: 1 });
    const { ordered, uuid } = await withdraw(ctx, 'again', { payee: 'taylor-robbins' });
    remember(ctx, ordered, { uuid });
    // Each report is an act of its own, and has the whole time for it.
    let last = 0;
    for (let failed = 0; failed < FAILED_REPORTS; failed++) {
      const report = await awaitCall(ctx, 'again', ordered.acting, reportAfter(uuid, last));
      if (report.status === 200) {
        // What the VASP still repeats would meet the faults of the next start.
        await ctx.until(REPEATS_WITHIN_MS, () => undefined);
        ctx.missesPremise('A report about another verification failed instead of this one.');
      }
      last = report.id;
    }
    const accepted = await awaitCall(ctx, 'again', ordered.acting, acceptedCall('report-transaction', uuid));
    const from = ctx.evidence.received('report-transaction', uuid);
    ctx.check('again', true, { expected: 'a report after the failed ones', got: `${from.length} reports`, from });
    const hashes = new Set(from.map(({ request }) => json(request)?.txHash));
    ctx.check('same', hashes.size === 1, { expected: '1 hash', got: [...hashes].join(', '), from: [accepted] });
    await judgeNamed(ctx, ordered, accepted);
    await judgeOneTransfer(ctx, ctx.memo as ConductMemo);
  },
  late: judgeOneTransfer,
});
