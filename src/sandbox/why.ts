import * as z from 'zod';
import { nameTexts } from '../contract/callbacks.ts';
import { isReason, REASONS } from '../contract/clauses.ts';
import { FINDINGS } from '../contract/findings.ts';
import { REPORT_VERDICTS } from '../contract/plan-list.ts';
import type { CallerId } from '../contract/tenancy.ts';
import { type NearMiss, named } from '../contract/text.ts';
import { VASP_API, type VaspOperation, type VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { TransactionStatus, type TransactionStatusResult } from '../contract/verification.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { sentence, withInvisible } from '../kernel/text.ts';
import { type CallbackEntry, listCallbacks } from './callbacks.ts';
import type { SandboxDeps } from './deps.ts';
import { type Payment, unnamedPayments } from './received-payments.ts';
import { Step } from './scenarios/schema.ts';
import { readTimeline } from './timeline.ts';
import { type DepositState, listVerifications, type VerificationEntry } from './verifications.ts';

export const whyEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(whyCalls.why, {
    summary: 'Explain in a few lines why a verification is in its state, and what to do',
    refusals: ['verification-missing'],
    precondition: 'verified',
    run: ({ params }, caller) => explainVerification(deps, params.uuid, caller),
  }),
];

/** The state of one verification in a few sentences. Throws `Refusal` verification-missing. */
async function explainVerification(deps: SandboxDeps, uuid: string, caller: CallerId): Promise<WhyResponse> {
  const timeline = readTimeline(deps, uuid, caller);
  const { verificationUuid } = timeline;
  const { verifications } = await listVerifications(deps, { verificationUuid, limit: 1 }, caller);
  const entry = verifications[0]!;
  const query = { verificationUuid, order: 'newest', limit: 100 } as const;
  const callbacks = listCallbacks(deps, query, caller).callbacks.reverse();
  const known = {
    entry,
    ...timeline,
    callbacks,
    unnamed: unnamedPayments(deps, entry, caller),
    isOfRobot: entry.counterparty.vaspId === deps.robot.vaspId,
  };
  const advice = adviceOn(known);
  return {
    verificationUuid,
    ...factsOf(known),
    next: advice.map(textOf),
    calls: advice.map(each => (typeof each === 'string' ? null : each.call)),
  };
}

/** What the VASP does, and the call that does it. */
type Advice = string | { text: string; call: z.output<typeof Step> };

const MAX_ADVICE = 5;

/** What the VASP does next. Empty: nothing. */
function adviceOn(known: Known): Advice[] {
  const { entry, callbacks } = known;
  const advice = [
    ...callbacks.flatMap(({ id, status }) =>
      status === 'LOST' || status === 'GIVEN-UP' ? [{ text: SEND_AGAIN[status], call: toReplay(id) }] : [],
    ),
    ...(unnamedAdvice(known) ?? payment(known)),
    ...entry.findings.map(({ code }) => FINDINGS[code].advice),
  ];
  return [...new Map(advice.map(each => [textOf(each), each])).values()].slice(0, MAX_ADVICE);
}

const textOf = (advice: Advice): string => (typeof advice === 'string' ? advice : advice.text);

/** What brings a callback that did not arrive. */
export const SEND_AGAIN = {
  LOST: 'Send the callback that a fault lost.',
  'GIVEN-UP': 'Return 200 from your callback endpoint, then send the callback again.',
};
export const toReplay = (id: string): z.output<typeof Step> => ({
  method: 'POST',
  path: `/sandbox/v1/callbacks/${id}/replay`,
});

/** Undefined: no payment has come that nobody has named. */
function unnamedAdvice({ entry: { verificationUuid, money, report }, unnamed }: Known): Advice[] | undefined {
  const [newest] = unnamed;
  if (!newest || money?.status === 'CREDITED') return undefined;
  if (money?.status !== 'AWAITED') return ['The robot keeps the payment, and credits and returns nothing.'];
  const fitting = unnamed.find(({ status }) => status === 'CONFIRMED');
  if (report !== null || !fitting) return undefined;
  const { txHash } = fitting;
  return [
    {
      text: `Report the hash of your payment: ${txHash}.`,
      call: { method: 'POST', path: '/v1/verifications/tx', body: { verificationUuid, txHash } },
    },
  ];
}

function payment(known: Known): Advice[] {
  const { role, status, result, reason, report, txHash } = known.entry;
  if (status === 'OPEN')
    return [
      role === 'beneficiary'
        ? 'Answer the verification within its time limit.'
        : 'Wait for the result: the callback VERIFICATION_RESULT brings it.',
    ];
  if (role === 'beneficiary' && result === 'VERIFIED') return [awaitedPayment(known)];
  if (role === 'beneficiary') return ownVerdict(known);
  if (lastMoveIn(known.timeline)?.event === 'error-reported') return [];
  if (isTakenBack(known)) return ['Send the same signed transaction again. A new one may pay twice.'];
  if (report) return report.verdict === 'CREDITED' ? [] : [REPORT_VERDICTS[report.verdict].advice];
  if (result === 'VERIFIED' && txHash !== null)
    return known.isOfRobot ? ['Wait: the robot looks the transaction up.'] : [];
  const said = result === 'VERIFIED' && known.isOfRobot ? afterStatus(known) : undefined;
  if (said) return [said];
  return reason !== null && isReason(reason) ? [REASONS[reason].advice] : [];
}

/** Undefined: the VASP was not asked for the status of its transaction, or it has not sent it yet. */
function afterStatus({ timeline }: Known): Advice | undefined {
  const call = calledIn(timeline, 'transactionStatus');
  const { transactionStatus, txHash } = (call?.response ?? {}) as Partial<TransactionStatusResult>;
  if (!call || transactionStatus === 'PENDING') return undefined;
  if (call.status !== 200 || !TransactionStatus.options.some(each => each === transactionStatus))
    return {
      text: `Look at exchange ${call.exchangeId}: correct how your VASP answers the status query, or report the transaction.`,
      call: { method: 'GET', path: `/sandbox/v1/exchanges/${call.exchangeId}` },
    };
  if (transactionStatus === 'CANCELED')
    return 'Your VASP returned CANCELED. If that is right, nothing is left to do. Else send the payment, then report its hash.';
  return txHash ? 'Wait: the robot looks the transaction up.' : 'Report the hash: your VASP named none in its status.';
}

/** The VASP has ended it by its answer, or by none. An error report may have come after it. */
function ownVerdict({ entry, timeline, isOfRobot }: Known): Advice[] {
  const { result, reason, symbol, amount, beneficiaryAddress } = entry;
  const end = lastMoveIn(timeline);
  if (end?.detail?.nearMiss) return wrongAnswer(entry, timeline);
  if (reason === 'UNDEFINED-ERROR') return [REASONS[reason].advice];
  if (result === 'ERROR' && end?.event !== 'failed') return [];
  const [other, to] =
    reason === 'UNKNOWN-ADDRESS' ? ['an address of your customer'] : ['your customer', beneficiaryAddress];
  const text = `Your VASP returned ${reason}. If that is right, nothing is left to do.`;
  if (!isOfRobot) return [text];
  return [
    {
      text: `${text} Else return VERIFIED for ${beneficiaryAddress}, or let the robot name ${other}.`,
      call: { method: 'POST', path: '/sandbox/v1/transfers', body: { symbol, amount, ...(to && { to }) } },
    },
  ];
}

/** Without an endpoint, and before a call has ended, there is no exchange. */
function wrongAnswer({ result, reason }: Entry, timeline: Known['timeline']): Advice[] {
  const exchangeId = calledIn(timeline, 'verifyUser')?.exchangeId;
  if (exchangeId === undefined) return reason !== null && isReason(reason) ? [REASONS[reason].advice] : [];
  return [
    {
      text: `Look at exchange ${exchangeId}: this call to your VASP made the result ${result}. Correct how your VASP answers it, then verify again.`,
      call: { method: 'GET', path: `/sandbox/v1/exchanges/${exchangeId}` },
    },
  ];
}

/** Without `money` the robot has not paid, or it is in another process and a report tells of its payment. */
function awaitedPayment({ entry: { verificationUuid, money, txHash }, isOfRobot }: Known): Advice {
  if (money?.status === 'PENDING') return 'Wait: the robot has not paid yet.';
  const isUnpaid = money === null ? txHash === null : money.status === 'CANCELED';
  if (isUnpaid && !isOfRobot) return 'Wait for the payment of the other VASP and its report.';
  if (isUnpaid)
    return {
      text: 'Let the robot pay.',
      call: { method: 'POST', path: '/vega/robot/v1.0/action/withdrawal', body: { verificationUuid } },
    };
  return money?.status === 'CONFIRMED'
    ? 'The payment is final: credit your customer.'
    : 'Credit your customer when the transaction is final.';
}

/** Most facts of each kind, and of all: `robot-vasp why` prints at most 30 lines. */
const MAX_EACH = 4;
const MAX_FACTS = 22;

/** What happened and what is pending, the most important first. */
function factsOf(known: Known): { what: string; facts: string[] } {
  const facts = [
    resultOf(known),
    ...askedOf(known),
    ...nearMissesOf(known),
    ...faultsOf(known),
    ...reportOf(known.entry),
    ...moneyOf(known),
    ...statusOf(known),
    ...takenBackOf(known),
    ...findingsOf(known.entry),
    ...known.callbacks.flatMap(callbackFact).slice(-MAX_EACH),
    ...failedCallsOf(known).map(failedCall),
    ...refusedCallsOf(known),
    ...pendingOf(known),
  ];
  // The text of a VASP may have lines of its own.
  const lines = [...new Set(facts.map(withInvisible))];
  return { what: withInvisible(sentenceOf(known.entry)), facts: lines.slice(0, MAX_FACTS) };
}

const sentenceOf = ({ role, amount, symbol, counterparty, userId, ...addresses }: Entry): string => {
  const user = userId === null ? '' : ` (user ${userId})`;
  return role === 'originating'
    ? `You want to send ${amount} ${symbol} to ${addresses.beneficiaryAddress} at ${counterparty.name}${user}.`
    : `${counterparty.name}${user} wants to send ${amount} ${symbol} to your address ${addresses.beneficiaryAddress}.`;
};

/** `verifiedAt` stays when an error report follows. */
function resultOf({ entry, timeline, next }: Known): string {
  const { result, reason, message, verifiedAt, createdAt } = entry;
  if (result === null) return `There is no result yet. The verification was opened at ${createdAt}.`;
  const because = reason === null || reason === 'OK' ? '' : ` / ${reason}`;
  const said = message === '' ? '' : `, message "${message}"`;
  const ended = timeline.findLast(({ what, from, to }) => what === 'verification' && from !== to && to === result);
  // Of a long verification only the newest entries are read.
  const at = ended?.at ?? (next === null ? (verifiedAt ?? createdAt) : undefined);
  return `The result is ${result}${because}${said}${at === undefined ? '' : `, at ${at}`}.`;
}

/** What the VASP was asked, about which customer, where it has not returned VERIFIED. */
function askedOf({ entry, timeline }: Known): string[] {
  if (entry.role !== 'beneficiary' || entry.result === null || entry.result === 'VERIFIED') return [];
  const call = calledIn(timeline, 'verifyUser');
  const { assetInfo, requiredBeneficiaryInfo, ivms101 } = (call?.request ?? {}) as Partial<VaspVerifyUserRequest>;
  // Of a long body only the beginning is kept.
  if (!assetInfo || !ivms101) return [];
  const { amount, symbol, network } = assetInfo;
  const { beneficiaryPersons = [], accountNumber } = ivms101.beneficiary;
  const names = nameTexts(beneficiaryPersons).join('; ') || 'nobody by name';
  const on = network ? ` on ${network}` : '';
  return [
    `${entry.counterparty.name} asked about ${names} at ${accountNumber.join(', ')}: ${amount} ${symbol}${on}, wanting ${requiredBeneficiaryInfo} (exchange ${call!.exchangeId}).`,
  ];
}

const nearMissesOf = ({ timeline }: Known): string[] =>
  timeline
    .flatMap(({ detail }) => (detail?.nearMiss as NearMiss | undefined) ?? [])
    .slice(-MAX_EACH)
    .map(({ field, expected, got }) => `${field}: expected "${expected}", got "${got}".`);

const reportOf = ({ report, txHash }: Entry): string[] => {
  if (report === null) return txHash === null ? [] : [`The transaction ${txHash} is reported.`];
  const difference = report.expected === report.got ? '' : ` Expected ${report.expected}, got ${report.got}.`;
  return [`The verdict on the transaction is ${report.verdict}.${difference}`];
};

function moneyOf({ entry: { money, report }, unnamed }: Known): string[] {
  if (money === null) return [];
  const note = money.note === '' ? '' : `: ${money.note}`;
  const state =
    money.kind === 'transfer'
      ? `The robot's payment is ${money.status}${note}`
      : report && REPORT_VERDICTS[report.verdict].kind === 'wrong'
        ? `No payment is credited${note}`
        : `${DEPOSIT_SENTENCES[money.status as DepositState]}${note}`;
  return [
    sentence(state),
    ...unnamed.map(
      ({ txHash, status }) =>
        `${money.status === 'CREDITED' ? 'Another payment' : 'A payment'} of this amount has reached the robot (${txHash}). It is ${status}, and no verification has it.`,
    ),
  ];
}

/** What came of the last status query to the VASP. */
function statusOf({ entry: { role, money }, timeline }: Known): string[] {
  const last = timeline.findLast(({ event }) => event === 'transaction-inquired');
  if (!last || role !== 'originating' || money?.status !== 'AWAITED') return [];
  return [`The last status query: ${sentence(last.cause)}`];
}

const DEPOSIT_SENTENCES: Readonly<Record<DepositState, string>> = {
  AWAITED: 'Your payment is AWAITED',
  CREDITED: 'Your payment is CREDITED',
  STOPPED: 'The robot awaits no payment for it any more',
};

const findingsOf = ({ findings }: Entry): string[] =>
  findings
    .slice(-MAX_EACH)
    .map(
      ({ code, clause, field, expected, got }) =>
        `Finding ${code} (${clause}) at ${field}: expected ${expected}, got ${got ?? 'nothing'}.`,
    );

function callbackFact({ id, callbackType, status, attempts }: Callback): string[] {
  if (status === 'DELIVERED') return [];
  if (status === 'MAILBOX')
    return [`The callback ${callbackType} lies in the mailbox: your VASP has no callback endpoint.`];
  const last = attempts.at(-1);
  const outcome = last ? `, the last one: ${last.status ?? last.error}` : '';
  return [
    sentence(
      `The callback ${callbackType} (id ${id}) is ${status} after ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}${outcome}`,
    ),
  ];
}

/** The calls to the VASP, or to the enclave of a robot, that brought no result. Callbacks are told with their attempts. */
const failedCallsOf = ({ timeline }: Known): TimelineEntry[] =>
  timeline
    .filter(
      ({ what, event, detail }) =>
        what === 'http' && event === 'called' && detail?.status !== 200 && detail?.operation !== 'callback',
    )
    .slice(-MAX_EACH);

const isOfVasp = ({ detail }: TimelineEntry): boolean => Object.hasOwn(VASP_API, String(detail?.operation));

const failedCall = (entry: TimelineEntry): string =>
  `A call to ${isOfVasp(entry) ? 'your VASP' : 'the enclave'} failed: ${entry.cause} (exchange ${entry.detail?.exchangeId}).`;

/** Calls of this VASP that the enclave or the robot refused. */
const refusedCallsOf = ({ timeline }: Known): string[] =>
  timeline
    .filter(({ what, event, detail }) => what === 'http' && event === 'was-called' && Number(detail?.status) >= 400)
    .slice(-MAX_EACH)
    .map(({ detail }) => {
      const { code, message } = (detail?.response ?? {}) as { code?: string; message?: string };
      return sentence(
        `Your call ${detail?.operation} was refused with ${detail?.status} ${code ?? ''}: ${message ?? 'see the exchange'}`,
      );
    });

/** The robot asks nobody about a verification that is not VERIFIED: it may not know yet. */
const pendingOf = ({ pending, entry }: Known): string[] =>
  pending
    .filter(({ kind }) => kind !== 'robot.deposit.inquire' || entry.result === 'VERIFIED')
    .slice(0, MAX_EACH)
    .map(({ dueAt, why }) => `Pending, due at ${dueAt}: ${why}.`);

/** Faults that the VASP has ordered. */
const faultsOf = ({ timeline }: Known): string[] =>
  timeline
    .filter(({ what }) => what === 'fault')
    .slice(-MAX_EACH)
    .map(({ cause }) => `You ordered a fault: ${sentence(cause)}`);

const takenBackOf = (known: Known): string[] =>
  isTakenBack(known) ? ['It was credited, and a reorganisation removed its block: the credit is taken back.'] : [];

const isTakenBack = ({ entry, timeline }: Known): boolean =>
  entry.money?.status === 'AWAITED' &&
  timeline.some(({ what, event }) => what === 'expectation' && event === 'credit-taken-back');

const lastMoveIn = (timeline: Known['timeline']) =>
  timeline.findLast(({ what, from, to }) => what === 'verification' && from !== to);

/** The newest call of this operation of the VASP. */
const calledIn = (timeline: Known['timeline'], operation: VaspOperation) =>
  timeline.findLast(({ event, detail }) => event === 'called' && detail?.operation === operation)?.detail;

type TimelineEntry = ReturnType<typeof readTimeline>['timeline'][number];
/** Everything that an explanation says something about. */
interface Known {
  entry: Entry;
  timeline: readonly TimelineEntry[];
  /** null: these are all. */
  next: string | null;
  pending: ReturnType<typeof readTimeline>['pending'];
  callbacks: readonly Callback[];
  /** Fitting payments that no verification has. */
  unnamed: readonly Payment[];
  /** The counterparty is the robot. */
  isOfRobot: boolean;
}

/** `/verifications/{uuid}/why` */

export const WhyResponse = named('WhyResponse', 'Why one verification is in its state, and what to do.', {
  verificationUuid: z.string(),
  what: z.string().describe('The verification in one sentence.'),
  facts: z.array(z.string()).describe('What happened and what is pending, the most important first.'),
  next: z.array(z.string()).describe('What to do now; empty: nothing.'),
  calls: z.array(Step.nullable()).describe('The call that does each of them; null: none does.'),
});
export type WhyResponse = z.infer<typeof WhyResponse>;

/** What the explanation is made of. */
export type Entry = z.infer<typeof VerificationEntry>;
export type Callback = z.infer<typeof CallbackEntry>;

export const whyCalls = calls({ why: { response: WhyResponse } });
