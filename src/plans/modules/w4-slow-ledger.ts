import { elapsedMs } from '../../kernel/clock.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { planModule } from '../module.ts';
import { judgeDelivery } from '../steps/answers.ts';
import { shownBalance, untilBooked } from '../steps/balances.ts';
import { type ConductMemo, judgeOneTransfer, ONE_TRANSFER, remember } from '../steps/conduct.ts';
import { awaitCall } from '../steps/driver-acts.ts';
import { askedStatus, askWhileOld, NOT_MINED, queriesOf, statusText } from '../steps/inquiries.ts';
import { judgeNamed, NAMES_PAYMENT } from '../steps/report-verdicts.ts';
import { callbackSent } from '../steps/robot-pays.ts';
import { acceptedCall, untilPayment, withdraw } from '../steps/withdrawals.ts';
import { judgeNoError } from './w4-transfers.ts';

/** W4.6: no block and no ledger takes the transaction for a while. Modules of the other symbol go on meanwhile. */

/** Time of the VASP. Ethereum: more than a block takes there. Others who share the ledger do not wait for as long. */
const HELD_MS = { ETH: 12_500, XRP: 1_200 } as const;
const SHARED_MS = 1_700;
const PART_OF_WAIT = 1.25;
/** A VASP that reports before a block holds its payment has reported. */
const REPORTED_MS = 1_200;
/** The most that reports wait for their answers, also those of the other symbol. A VASP that sends afterwards has not sent yet. */
const REPORT_ANSWER_MS = 2_000;
const LOOK_MS = 150;

const CONDITIONS = {
  'sent-first': { clause: 'WIRE-2.7', text: 'The reported transaction was sent before its report.' },
  'not-confirmed': {
    clause: 'REF-3',
    text: 'While no block holds the transaction its status is PENDING or PROCESSING.',
  },
  confirmed: {
    clause: 'REF-3',
    text: 'Once a block holds the transaction its status becomes WAIT-CONFIRM or CONFIRMED.',
  },
  'in-time': {
    clause: 'WIRE-3.4',
    text: 'VERIFICATION_RESULT is answered within 1 s, also while the payment waits for its block.',
  },
  status: { clause: 'WIRE-3.4', text: 'VERIFICATION_RESULT is answered with 200.' },
  reported: { clause: 'WIRE-2.7', text: 'The transaction is reported, however long its block takes.' },
  'names-payment': NAMES_PAYMENT,
  'no-error': { clause: 'WIRE-2.8', text: 'No error report is about a payment that comes.' },
  'one-transfer': ONE_TRANSFER,
};
type Word = keyof typeof CONDITIONS;

export const slowLedger = planModule({
  id: 'W4.6',
  title: 'The ledger takes no transaction for a while',
  needs: ['driver', 'faucet'],
  letsOthersPlay: true,
  conditions: CONDITIONS,
  async run(ctx) {
    const delay = `${REPORT_ANSWER_MS * Math.min(ctx.start, 2)}ms`;
    const fault = await ctx.fault({ target: 'answer.report-transaction', mode: 'delay', delay });
    await ctx.holdLedger();
    await playBooked(ctx, fault);
  },
  async late(ctx, memo) {
    await judgeOneTransfer(ctx, memo as ConductMemo);
    judgeNoError(ctx, (memo as ConductMemo).uuid!);
  },
});

/** Deposits follow. */
async function playBooked(ctx: ModuleContext<Word>, fault: string): Promise<void> {
  const customer = ctx.world.driver && ctx.customer();
  const before = customer && (await shownBalance(ctx, customer));
  await playHeld(ctx, fault);
  if (customer && before !== undefined) await untilBooked(ctx, customer, before);
}

async function playHeld(ctx: ModuleContext<Word>, fault: string): Promise<void> {
  const { ordered, uuid } = await withdraw(ctx, 'reported', { payee: 'risk-several' });
  const maxMs = ctx.world.isShared() ? SHARED_MS : HELD_MS[ctx.symbol];
  const heldUntil = elapsedMs() + Math.min(maxMs, ctx.world.waitMs * PART_OF_WAIT);
  const named = await ctx.until(REPORTED_MS, async () => (await ctx.api.verification(uuid)).txHash ?? undefined);
  const isKnown = named === undefined || (await isSent(ctx, named));
  // On a busy machine the VASP may have sent it after the answer.
  if (ctx.evidence.accepted('report-transaction', uuid).length > 0 && named !== undefined && isKnown)
    ctx.missesPremise('The report was answered before the look for its transaction.');
  await ctx.removeFault(fault);
  const { query, isMined } = await ctx.passHeld(heldUntil - elapsedMs(), uuid, async () => {
    const asked = await askedStatus(ctx, uuid);
    const hash = json(asked?.response)?.txHash ?? named;
    return { query: asked, isMined: await isInBlock(ctx, hash) };
  });
  const told = await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
  const isGivenUp = ctx.evidence.accepted('report-error', uuid).length > 0;
  await ctx.releaseLedger();
  judgeDelivery(ctx, told, 'callback', uuid);
  if (isGivenUp) {
    if (await untilPayment(ctx, ordered)) return judgeNoError(ctx, uuid);
    return ctx.review('no-error', GIVEN_UP);
  }
  judgeStatus(ctx, query, isMined);
  const report = await awaitCall(ctx, 'reported', ordered.acting, acceptedCall('report-transaction', uuid));
  ctx.check('reported', true, { expected: 'a transaction report', got: 'reported', from: [report] });
  const paid = (await untilPayment(ctx, ordered))?.txHash;
  judgeSentFirst(ctx, { named, isKnown, paid, report });
  await judgeNamed(ctx, ordered, report);
  await judgeOneTransfer(ctx, remember(ctx, ordered, { uuid }));
  judgeNoError(ctx, uuid);
  if (paid !== undefined) await judgeConfirmed(ctx, uuid);
}

const GIVEN_UP =
  'An error report came while no block held the payment, and no payment came. Look whether your VASP must give up so soon.';

async function judgeConfirmed(ctx: ModuleContext<Word>, uuid: string): Promise<void> {
  await askedStatus(ctx, uuid);
  await askWhileOld(ctx, uuid, NOT_MINED);
  const query = queriesOf(ctx, uuid).at(-1);
  const got = statusText(ctx, query);
  ctx.check('confirmed', MINED.includes(got), { expected: MINED.join(' or '), got, from: [query] });
}

/** A node forgets a transaction that another one has replaced, for example with a higher fee. */
function judgeSentFirst(
  ctx: ModuleContext<Word>,
  {
    named,
    isKnown,
    paid,
    report,
  }: { named: string | undefined; isKnown: boolean; paid: string | undefined; report: LoggedExchange },
): void {
  const shown = { expected: 'a transaction that the ledger knows', from: [report] };
  if (!isKnown && paid !== undefined && paid.toLowerCase() !== named?.toLowerCase())
    return ctx.review(
      'sent-first',
      `No node knew ${named} when it was reported, and ${paid} has paid. Look whether that one has replaced it.`,
      shown,
    );
  ctx.check('sent-first', isKnown, { ...shown, got: isKnown ? 'known' : `no node knew ${named} when it was reported` });
}

async function isSent(ctx: ModuleContext, txHash: string): Promise<boolean> {
  const chain = await ctx.world.chain(ctx.symbol);
  const known = await ctx.until(LOOK_MS, async () =>
    (await chain.stateOf(txHash)).status === 'unknown' ? undefined : true,
  );
  return known === true;
}

/** Others who share the ledger may have moved it on. */
async function isInBlock(ctx: ModuleContext<Word>, txHash: unknown): Promise<boolean> {
  if (typeof txHash !== 'string') return false;
  const { status } = await (await ctx.world.chain(ctx.symbol)).stateOf(txHash);
  return status === 'included' || status === 'final';
}

const MINED = ['WAIT-CONFIRM', 'CONFIRMED'];

function judgeStatus(ctx: ModuleContext<Word>, query: LoggedExchange | undefined, isMined: boolean): void {
  const got = statusText(ctx, query);
  const shown = { expected: NOT_MINED.join(' or '), from: [query] };
  if (isMined && !NOT_MINED.includes(got))
    return ctx.review('not-confirmed', `${got}, and the ledger took the transaction although it was held`, shown);
  ctx.check('not-confirmed', NOT_MINED.includes(got), { ...shown, got });
}
