import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { isReason, REASONS } from '../../contract/reasons.ts';
import { REMARKS } from '../../contract/remarks.ts';
import { REPORT_VERDICTS } from '../../contract/report-verdicts.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import { listCallbacks } from '../callbacks/list.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from '../timeline/read.ts';
import { listVerifications } from '../verifications/list.ts';
import type { DepositState } from '../verifications/schema.ts';
import type { Callback, Entry, WhyResponse } from './schema.ts';

type Timeline = ReturnType<typeof readTimeline>;
interface NearMiss {
  field: string;
  expected: string;
  got: string | null;
}

/** Most facts of each kind, so that the explanation stays short. */
const MOST_EACH = 4;
/** Payments to one address among which those of one amount are looked for. */
const MOST_READ = 100;

/** The state of one verification in a few sentences. Throws `Refusal` verification-missing. */
export async function explainVerification(
  deps: SandboxDeps,
  uuid: string,
  caller: CallerId,
): Promise<WhyResponse> {
  const timeline = readTimeline(deps, uuid, caller);
  const { verifications } = await listVerifications(deps, { search: uuid, limit: 1 }, caller);
  const entry = verifications[0]!;
  const { verificationUuid } = entry;
  const query = { verificationUuid, order: 'oldest', limit: 100 } as const;
  const { callbacks } = listCallbacks(deps, query, caller);
  const unnamed = unnamedPayments(deps, entry, caller);
  const failed = failedCallsOf(timeline);
  return {
    verificationUuid,
    what: sentenceOf(entry),
    facts: [
      resultOf(entry, timeline),
      ...nearMissesOf(timeline),
      ...reportOf(entry),
      ...moneyOf(entry, unnamed),
      ...remarksOf(entry),
      ...callbacks.flatMap(callbackFact).slice(-MOST_EACH),
      ...failed.map(failedCall),
      ...refusedCallsOf(timeline),
      ...pendingOf(timeline),
    ],
    next: adviceOn(entry, { callbacks, unnamed, failed }),
  };
}

const sentenceOf = ({ role, amount, symbol, counterparty, userId, ...addresses }: Entry): string => {
  const user = userId === null ? '' : ` (user ${userId})`;
  return role === 'originating'
    ? `You want to send ${amount} ${symbol} to ${addresses.beneficiaryAddress} at ${counterparty.name}${user}.`
    : `${counterparty.name}${user} wants to send ${amount} ${symbol} to your address ${addresses.beneficiaryAddress}.`;
};

/** `verifiedAt` stays when an error report follows. */
function resultOf({ result, reason, message, verifiedAt, createdAt }: Entry, { timeline }: Timeline): string {
  if (result === null) return `There is no result yet. The verification was opened at ${createdAt}.`;
  const because = reason === null || reason === 'OK' ? '' : ` / ${reason}`;
  const said = message === '' ? '' : `, message "${message}"`;
  const ended = timeline.findLast(({ what, to }) => what === 'verification' && to === result);
  return `The result is ${result}${because}${said}, at ${ended?.at ?? verifiedAt ?? createdAt}.`;
}

type Payment = ReturnType<SandboxDeps['robot']['listDeposits']>['deposits'][number];

/** Payments to the verified address with the verified amount that no verification has, newest first. */
function unnamedPayments(
  { robot }: SandboxDeps,
  { role, money, symbol, amount, beneficiaryAddress }: Entry,
  caller: CallerId,
): Payment[] {
  if (role !== 'originating' || money === null || !isAssetSymbol(symbol)) return [];
  const { decimals } = ASSETS[symbol];
  const wanted = formatUnits(toUnits(amount, decimals), decimals);
  return robot
    .listDeposits({ address: beneficiaryAddress, limit: MOST_READ }, caller)
    .deposits.filter(
      payment => payment.symbol === symbol && payment.verificationUuid === null && payment.amount === wanted,
    )
    .slice(0, MOST_EACH);
}

const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

function nearMissesOf({ timeline }: Timeline): string[] {
  const misses = timeline.flatMap(({ detail }) => (detail?.nearMiss as NearMiss | undefined) ?? []);
  return misses
    .slice(-MOST_EACH)
    .map(({ field, expected, got }) => `${field}: expected "${expected}", got ${quoted(got)}.`);
}

const quoted = (text: string | null): string => (text === null ? 'nothing' : `"${text}"`);

const reportOf = ({ report, txHash }: Entry): string[] => {
  if (report === null) return txHash === null ? [] : [`The transaction ${txHash} is reported.`];
  const difference = report.expected === '' ? '' : ` Expected ${report.expected}, got ${report.got}.`;
  return [`The verdict on the transaction is ${report.verdict}.${difference}`];
};

function moneyOf({ money, report }: Entry, unnamed: readonly Payment[]): string[] {
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

const DEPOSIT_SENTENCES: Readonly<Record<DepositState, string>> = {
  AWAITED: 'Your payment is AWAITED',
  CREDITED: 'Your payment is CREDITED',
  STOPPED: 'The robot awaits no payment for it any more',
};

const remarksOf = ({ remarks }: Entry): string[] =>
  remarks
    .slice(-MOST_EACH)
    .map(
      ({ code, clause, field, expected, got }) =>
        `Remark ${code} (${clause}) at ${field}: expected ${expected}, got ${got ?? 'nothing'}.`,
    );

function callbackFact({ id, callbackType, status, attempts }: Callback): string[] {
  if (status === 'DELIVERED') return [];
  if (status === 'MAILBOX')
    return [`The callback ${callbackType} lies in the mailbox: your VASP has no callback address.`];
  const last = attempts.at(-1);
  const outcome = last ? `, the last one: ${last.status ?? last.error}` : '';
  return [
    `The callback ${callbackType} (id ${id}) is ${status} after ${attempts.length} attempts${outcome}.`,
  ];
}

/** The calls to the VASP, or to the enclave of a robot, that brought no result. Callbacks are told with their attempts. */
const failedCallsOf = ({ timeline }: Timeline): Timeline['timeline'] =>
  timeline
    .filter(
      ({ what, event, detail }) =>
        what === 'http' && event === 'called' && detail?.status !== 200 && detail?.operation !== 'callback',
    )
    .slice(-MOST_EACH);

const isOfVasp = ({ detail }: Timeline['timeline'][number]): boolean =>
  Object.hasOwn(VASP_API, String(detail?.operation));

const failedCall = (entry: Timeline['timeline'][number]): string =>
  `A call to ${isOfVasp(entry) ? 'your VASP' : 'the enclave'} failed: ${entry.cause} (exchange ${entry.detail?.exchangeId}).`;

/** Calls of this VASP that the enclave or the robot refused. */
const refusedCallsOf = ({ timeline }: Timeline): string[] =>
  timeline
    .filter(
      ({ what, event, detail }) => what === 'http' && event === 'was-called' && Number(detail?.status) >= 400,
    )
    .slice(-MOST_EACH)
    .map(({ detail }) => {
      const { code, message } = (detail?.response ?? {}) as { code?: string; message?: string };
      return sentence(
        `Your call ${detail?.operation} was refused with ${detail?.status} ${code ?? ''}: ${message ?? 'see the exchange'}`,
      );
    });

const pendingOf = ({ pending }: Timeline): string[] =>
  pending.slice(0, MOST_EACH).map(({ dueAt, why }) => `Pending, due at ${dueAt}: ${why}.`);

interface Found {
  callbacks: readonly Callback[];
  unnamed: readonly Payment[];
  failed: Timeline['timeline'];
}

/** What the VASP does next. Empty: nothing. */
function adviceOn(entry: Entry, { callbacks, unnamed, failed }: Found): string[] {
  const own = failed.findLast(isOfVasp);
  const advice = [
    ...callbacks.filter(({ status }) => status === 'GIVEN-UP').map(({ id }) => givenUp(id)),
    ...(own && entry.result === 'ERROR' ? [ownAnswer(String(own.detail?.exchangeId))] : []),
    ...(unnamedAdvice(entry, unnamed) ?? payment(entry)),
    ...entry.remarks.map(({ code }) => REMARKS[code].advice),
  ];
  return [...new Set(advice)].slice(0, 5);
}

const givenUp = (id: string): string =>
  `Return 200 from your callback address, then send the callback again: \`robot-vasp replay ${id}\`.`;

const ownAnswer = (exchangeId: string): string =>
  `Look at exchange ${exchangeId}: what your VASP returned made the result ERROR. Correct it, then verify again.`;

/** Undefined: no payment has come that nobody has named. */
function unnamedAdvice({ money, report }: Entry, unnamed: readonly Payment[]): string[] | undefined {
  const [newest] = unnamed;
  if (!newest || money?.status === 'CREDITED') return undefined;
  if (money?.status !== 'AWAITED')
    return [
      'The robot keeps the payment and returns nothing. Send an error report only when nothing is paid.',
    ];
  const fitting = unnamed.find(({ status }) => status === 'CONFIRMED');
  return report === null && fitting ? [`Report the hash of your payment: ${fitting.txHash}.`] : undefined;
}

function payment({ role, status, result, reason, report, money, txHash }: Entry): string[] {
  if (status === 'OPEN')
    return role === 'beneficiary' ? ['Answer the verification within its time limit.'] : [];
  if (role === 'beneficiary') return result === 'VERIFIED' ? [awaitedPayment(money, txHash)] : [];
  if (report) return report.verdict === 'CREDITED' ? [] : [REPORT_VERDICTS[report.verdict].advice];
  return reason !== null && isReason(reason) ? [REASONS[reason].advice] : [];
}

/** Without `money` the robot has not paid, or it is in another process and a report tells of its payment. */
function awaitedPayment(money: Entry['money'], txHash: string | null): string {
  const isUnpaid = money === null ? txHash === null : money.status === 'CANCELED';
  return isUnpaid
    ? 'Let the robot pay: `POST /vega/robot/v1.0/action/withdrawal` with this UUID.'
    : 'Credit your customer when the transaction is final.';
}
