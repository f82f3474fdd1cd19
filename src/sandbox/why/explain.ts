import { isReason, REASONS } from '../../contract/reasons.ts';
import { REMARKS } from '../../contract/remarks.ts';
import { REPORT_VERDICTS } from '../../contract/report-verdicts.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import { listCallbacks } from '../callbacks/list.ts';
import type { SandboxDeps } from '../deps.ts';
import { readTimeline } from '../timeline/read.ts';
import { listVerifications } from '../verifications/list.ts';
import type { Callback, Entry, WhyResponse } from './schema.ts';

type Timeline = ReturnType<typeof readTimeline>;
interface NearMiss {
  field: string;
  expected: string;
  got: string | null;
}

/** Most facts of each kind, so that the explanation stays short. */
const MOST_EACH = 4;

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
  return {
    verificationUuid,
    what: sentenceOf(entry),
    facts: [
      resultOf(entry),
      ...nearMissesOf(timeline),
      ...reportOf(entry),
      ...moneyOf(entry),
      ...remarksOf(entry),
      ...callbacks.flatMap(callbackFact).slice(-MOST_EACH),
      ...failedCallsOf(timeline),
      ...pendingOf(timeline),
    ],
    next: adviceOn(entry, callbacks),
  };
}

const sentenceOf = ({ role, amount, symbol, counterparty, userId, ...addresses }: Entry): string => {
  const user = userId === null ? '' : ` (user ${userId})`;
  return role === 'originating'
    ? `You want to send ${amount} ${symbol} to ${addresses.beneficiaryAddress} at ${counterparty.name}${user}.`
    : `${counterparty.name}${user} wants to send ${amount} ${symbol} to your address ${addresses.beneficiaryAddress}.`;
};

function resultOf({ result, reason, message, verifiedAt, createdAt }: Entry): string {
  if (result === null) return `There is no result yet. The verification was opened at ${createdAt}.`;
  const because = reason === null || reason === 'OK' ? '' : ` / ${reason}`;
  const said = message === '' ? '' : `, message "${message}"`;
  return `The result is ${result}${because}${said}, at ${verifiedAt ?? createdAt}.`;
}

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

const moneyOf = ({ money }: Entry): string[] => {
  if (money === null) return [];
  const payment = money.kind === 'transfer' ? "The robot's payment" : 'Your payment';
  return [`${payment} is ${money.status}${money.note === '' ? '' : `: ${money.note}`}.`];
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
function failedCallsOf({ timeline }: Timeline): string[] {
  const failed = timeline.filter(
    ({ what, event, detail }) =>
      what === 'http' && event === 'called' && detail?.status !== 200 && detail?.operation !== 'callback',
  );
  return failed
    .slice(-MOST_EACH)
    .map(
      ({ cause, detail }) =>
        `A call to ${Object.hasOwn(VASP_API, String(detail?.operation)) ? 'your VASP' : 'the enclave'} failed: ${cause} (exchange ${detail?.exchangeId}).`,
    );
}

const pendingOf = ({ pending }: Timeline): string[] =>
  pending.slice(0, MOST_EACH).map(({ dueAt, why }) => `Pending, due at ${dueAt}: ${why}.`);

/** What the VASP does next. Empty: nothing. */
function adviceOn(entry: Entry, callbacks: readonly Callback[]): string[] {
  const advice = [
    ...callbacks.filter(({ status }) => status === 'GIVEN-UP').map(({ id }) => givenUp(id)),
    ...payment(entry),
    ...entry.remarks.map(({ code }) => REMARKS[code].advice),
  ];
  return [...new Set(advice)].slice(0, 5);
}

const givenUp = (id: string): string =>
  `Return 200 from your callback address, then send the callback again: \`robot-vasp replay ${id}\`.`;

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
