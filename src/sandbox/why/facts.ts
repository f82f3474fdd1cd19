import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { REPORT_VERDICTS } from '../../contract/report-verdicts.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import { withInvisible } from '../../kernel/invisible-text.ts';
import { sentence } from '../../kernel/sentence.ts';
import type { SandboxDeps } from '../deps.ts';
import type { readTimeline } from '../timeline/read.ts';
import type { DepositState } from '../verifications/schema.ts';
import type { Callback, Entry } from './schema.ts';

interface NearMiss {
  field: string;
  expected: string;
  got: string | null;
}

/** Most facts of each kind, and of all: `robot-vasp why` prints at most 30 lines. */
const MAX_EACH = 4;
const MOST = 22;

/** What happened and what is pending, the most important first. */
export function factsOf(known: Known): { what: string; facts: string[] } {
  const facts = [
    resultOf(known),
    ...nearMissesOf(known),
    ...faultsOf(known),
    ...reportOf(known.entry),
    ...moneyOf(known),
    ...takenBackOf(known),
    ...remarksOf(known.entry),
    ...known.callbacks.flatMap(callbackFact).slice(-MAX_EACH),
    ...failedCallsOf(known).map(failedCall),
    ...refusedCallsOf(known),
    ...pendingOf(known),
  ];
  // The text of a VASP may have lines of its own.
  const lines = [...new Set(facts.map(withInvisible))];
  return { what: withInvisible(sentenceOf(known.entry)), facts: lines.slice(0, MOST) };
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

function nearMissesOf({ timeline }: Known): string[] {
  const misses = timeline.flatMap(({ detail }) => (detail?.nearMiss as NearMiss | undefined) ?? []);
  return misses
    .slice(-MAX_EACH)
    .map(({ field, expected, got }) => `${field}: expected "${expected}", got ${quoted(got)}.`);
}

const quoted = (text: string | null): string => (text === null ? 'nothing' : `"${text}"`);

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

const DEPOSIT_SENTENCES: Readonly<Record<DepositState, string>> = {
  AWAITED: 'Your payment is AWAITED',
  CREDITED: 'Your payment is CREDITED',
  STOPPED: 'The robot awaits no payment for it any more',
};

const remarksOf = ({ remarks }: Entry): string[] =>
  remarks
    .slice(-MAX_EACH)
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
    sentence(
      `The callback ${callbackType} (id ${id}) is ${status} after ${attempts.length} ${attempts.length === 1 ? 'attempt' : 'attempts'}${outcome}`,
    ),
  ];
}

/** The calls to the VASP, or to the enclave of a robot, that brought no result. Callbacks are told with their attempts. */
export const failedCallsOf = ({ timeline }: Known): TimelineEntry[] =>
  timeline
    .filter(
      ({ what, event, detail }) =>
        what === 'http' && event === 'called' && detail?.status !== 200 && detail?.operation !== 'callback',
    )
    .slice(-MAX_EACH);

export const isOfVasp = ({ detail }: TimelineEntry): boolean => Object.hasOwn(VASP_API, String(detail?.operation));

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

export const isTakenBack = ({ entry, timeline }: Known): boolean =>
  entry.money?.status === 'AWAITED' &&
  timeline.some(({ what, event }) => what === 'expectation' && event === 'credit-taken-back');

type TimelineEntry = ReturnType<typeof readTimeline>['timeline'][number];
/** Everything that an explanation says something about. */
export interface Known {
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

/** Payments to one address among which those of one amount are looked for. */
const MAX_READ = 100;
const MAX_SHOWN = 4;

type Payment = ReturnType<SandboxDeps['robot']['listDeposits']>['deposits'][number];

/** Payments to the verified address with the verified amount that no verification has, newest first. */
export function unnamedPayments(
  { robot }: SandboxDeps,
  { role, money, symbol, amount, beneficiaryAddress }: Entry,
  caller: CallerId,
): Payment[] {
  if (role !== 'originating' || money === null || !isAssetSymbol(symbol)) return [];
  const { decimals } = ASSETS[symbol];
  const wanted = formatUnits(toUnits(amount, decimals), decimals);
  return robot
    .listDeposits({ address: beneficiaryAddress, limit: MAX_READ }, caller)
    .deposits.filter(
      payment => payment.symbol === symbol && payment.verificationUuid === null && payment.amount === wanted,
    )
    .slice(0, MAX_SHOWN);
}
