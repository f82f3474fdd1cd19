import * as z from 'zod';
import { ASSET_SYMBOLS, accountKey, isAssetSymbol } from '../contract/assets.ts';
import { REASON_CODES, RESULT_VALUES } from '../contract/clauses.ts';
import { FINDING_CODES, FINDINGS } from '../contract/findings.ts';
import { REPORT_VERDICT_VALUES, REPORT_VERDICTS } from '../contract/plan-list.ts';
import type { CallerId } from '../contract/tenancy.ts';
import {
  MAX_COUNTED,
  MAX_SEARCH_LENGTH,
  named,
  optional,
  SymbolText,
  text,
  VerificationUuid,
} from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { TransactionStatus } from '../contract/verification.ts';
import type { ListedVerification } from '../enclave/control.ts';
import { type Finding, findingsAmong } from '../findings/store.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { pick } from '../kernel/members.ts';
import type { ListedExpectation, ListedTransfer, RobotUsers } from '../robot/control.ts';
import type { SandboxDeps } from './deps.ts';
import { limit, nextPage, readOnFrom, total } from './parameters.ts';
import { whyOf } from './transfers.ts';

export const verificationEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(verificationCalls.verifications, {
    summary: 'Search the verifications of this VASP; each shows the state of its payment',
    run: ({ query }, caller) => listVerifications(deps, query, caller),
  }),
  control(verificationCalls.neighbours, {
    refusals: ['verification-missing'],
    precondition: 'verified',
    summary: 'Read the verifications before and after one in the list',
    run: ({ params }, caller) => deps.enclave.neighboursOf(params.uuid, caller),
  }),
];

/** Verifications of this VASP with the state of their payment. */
export async function listVerifications(
  deps: SandboxDeps,
  { search = '', ...query }: z.output<typeof VerificationsQuery>,
  caller: CallerId,
) {
  const users = await deps.robot.usersOf(caller);
  const words = search
    .normalize('NFC')
    .split(/[\s\p{Cc}]+/u)
    .filter(word => word !== '')
    .map(text => ({ text, accounts: accountsOfUsers(users, text) }));
  const sought = { ...query, words };
  const { rows, next } = deps.enclave.listVerifications(sought, caller);
  const isWhole = next === null && query.before === undefined;
  const uuids = rows.map(({ uuid }) => uuid);
  const expectations = deps.robot.findExpectations(uuids);
  const transfers = deps.robot.findTransfers(uuids);
  const findings = findingsAmong(deps.db, uuids, caller);
  return {
    verifications: rows.map(row => {
      const [expectation, transfer] = [expectations.get(row.uuid), transfers.get(row.uuid)];
      return present(deps, { users, expectation, transfer, findings: findings.get(row.uuid) ?? [] }, row, caller);
    }),
    next: next === null ? null : String(next),
    total: deps.enclave.countVerifications(sought, caller, MAX_COUNTED + 1) ?? (isWhole ? rows.length : null),
  };
}

/** Account keys of the users whose id contains the text. */
const accountsOfUsers = (users: RobotUsers, text: string): string[] =>
  users
    .all()
    .filter(({ id }) => id.includes(text.toLowerCase()))
    .flatMap(user => ASSET_SYMBOLS.map(symbol => accountKey(symbol, user.accounts[symbol])));

/** The data of other stores about one verification. */
interface Parts {
  users: RobotUsers;
  expectation: ListedExpectation | undefined;
  transfer: ListedTransfer | undefined;
  findings: readonly Finding[];
}

function present(
  deps: SandboxDeps,
  parts: Parts,
  row: ListedVerification,
  caller: CallerId,
): z.output<typeof VerificationEntry> {
  const { users, expectation } = parts;
  const role = row.originatingVaspId === caller ? 'originating' : 'beneficiary';
  const counterparty = role === 'originating' ? row.beneficiaryVaspId : row.originatingVaspId;
  return {
    verificationUuid: row.uuid,
    role,
    counterparty: { vaspId: counterparty, name: deps.enclave.vaspName(counterparty) },
    ...pick(row, 'symbol', 'network', 'amount'),
    status: row.status === 'OPEN' ? 'OPEN' : 'COMPLETED',
    result: row.status === 'OPEN' ? null : row.status,
    ...pick(row, 'reason', 'message', 'txHash'),
    originatorAddress: row.originatorAccountNumber,
    beneficiaryAddress: row.beneficiaryAccountNumber,
    userId: counterparty === deps.robot.vaspId ? userOf(users, row, role) : null,
    money: moneyOf(row, parts),
    report: reportOf(expectation),
    findings: parts.findings.map(({ code, field, expected, got }) => {
      return { code, clause: FINDINGS[code].clause, field, expected, got };
    }),
    createdAt: toIso(row.createdAt),
    verifiedAt: row.verifiedAt === null ? null : toIso(row.verifiedAt),
    orderedAt: row.orderedAt === null ? null : toIso(row.orderedAt),
  };
}

function userOf(users: RobotUsers, row: ListedVerification, role: 'originating' | 'beneficiary'): string | null {
  const address = role === 'originating' ? row.beneficiaryAccountNumber : row.originatorAccountNumber;
  return isAssetSymbol(row.symbol) ? (users.idAt(row.symbol, address) ?? null) : null;
}

function moneyOf(row: ListedVerification, { expectation, transfer }: Parts) {
  if (transfer) return { kind: 'transfer' as const, status: transfer.status, note: whyOf(transfer) };
  if (!expectation) return null;
  const deposit = (status: DepositState, note: string) => ({ kind: 'deposit' as const, status, note });
  if (expectation.status !== 'OPEN') return deposit(expectation.status, '');
  if (row.status === 'OPEN') return deposit('AWAITED', 'the verification has no result yet');
  if (row.status !== 'VERIFIED') return deposit('STOPPED', `the verification ended as ${row.status}`);
  const { txHash, txHashSource, verdict } = expectation;
  if (txHash === null) return deposit('AWAITED', 'no transaction hash is known yet');
  const state = verdict === null ? 'is looked up' : `${verdict}: ${REPORT_VERDICTS[verdict].meaning}`;
  return deposit('AWAITED', `${txHash} (from the ${txHashSource}): ${state}`);
}

function reportOf(expectation: ListedExpectation | undefined) {
  const { verdict, verdictExpected, verdictGot, verdictAt } = expectation ?? {};
  return verdict ? { verdict, expected: verdictExpected!, got: verdictGot!, at: toIso(verdictAt!) } : null;
}

/** `/verifications` */

export const VerificationsQuery = named('VerificationsQuery', {
  search: optional(text(MAX_SEARCH_LENGTH)).describe(
    'Words; a verification has to match all of them. A word is the beginning of the verificationUuid, of the transaction hash, of an address or of a word in the name of a person, or it is a part of the id of a user of the robot, the amount, the result, the reason or the UTC day (`2026-11-22`) of the verification. Upper and lower case are equal.',
  ),
  verificationUuid: optional(VerificationUuid).describe('Only this verification.'),
  result: optional(z.enum(RESULT_VALUES)).describe('Only verifications with this result.'),
  reason: optional(text(256)).describe(`The exact reason code, e.g. ${REASON_CODES[1]}.`),
  symbol: optional(SymbolText),
  role: optional(z.enum(['originating', 'beneficiary'])).describe('The role of the calling VASP.'),
  status: optional(z.enum(['OPEN', 'COMPLETED'])).describe('OPEN: there is no result yet.'),
  limit,
  before: readOnFrom,
});

const DEPOSIT_STATES = ['AWAITED', 'CREDITED', 'STOPPED'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

const Money = named('VerificationMoney', 'The payment that belongs to a verification.', {
  kind: z.enum(['transfer', 'deposit']).describe('transfer: the robot pays; deposit: the robot is paid.'),
  status: z
    .enum([...TransactionStatus.options, ...DEPOSIT_STATES])
    .describe(
      'A transfer is PENDING, PROCESSING, WAIT-CONFIRM, CONFIRMED or CANCELED. A deposit is AWAITED, CREDITED or STOPPED.',
    ),
  note: z.string().describe('The reason for the status; may be empty.'),
});

const verdicts = Object.entries(REPORT_VERDICTS)
  .map(([code, { meaning, advice }]) => `- \`${code}\`: ${meaning} ${advice}`)
  .join('\n');
const Report = named(
  'VerificationReport',
  'D-24: the verdict on the transaction that the originating VASP named, by report or status answer.',
  {
    verdict: z.enum(REPORT_VERDICT_VALUES).describe(verdicts),
    expected: z.string(),
    got: z.string(),
    at: Timestamp.describe('When the verdict was reached.'),
  },
);
const codes = Object.entries(FINDINGS)
  .map(([code, { meaning }]) => `- \`${code}\`: ${meaning}`)
  .join('\n');
export const FindingEntry = named(
  'FindingEntry',
  'D-27: conduct of the calling VASP that is wrong although the protocol goes on.',
  {
    code: z.enum(FINDING_CODES).describe(codes),
    clause: z.string().describe('The clause with the rule.'),
    field: z.string().describe('Path of the member in the request or in the answer.'),
    expected: z.string(),
    got: z.string().nullable().describe('null: nothing came.'),
  },
);

export const VerificationEntry = named('VerificationEntry', 'One verification in a list.', {
  verificationUuid: z.string(),
  role: z.enum(['originating', 'beneficiary']).describe('The role of the calling VASP.'),
  counterparty: z.object({ vaspId: z.string(), name: z.string() }),
  symbol: z.string(),
  network: z.string().nullable(),
  amount: z.string(),
  status: z.enum(['OPEN', 'COMPLETED']),
  result: z.enum(RESULT_VALUES).nullable(),
  reason: z.string().nullable(),
  message: z.string(),
  txHash: z.string().nullable().describe('Hash of the reported transaction.'),
  originatorAddress: z.string(),
  beneficiaryAddress: z.string(),
  userId: z
    .string()
    .nullable()
    .describe('User of the robot at the address of the robot; null: no user has this address.'),
  money: Money.nullable().describe('null: the robot neither pays nor expects a payment.'),
  report: Report.nullable().describe('null: no transaction was named, or none is looked up yet.'),
  findings: z.array(FindingEntry).describe('Findings about the calling VASP, oldest first; may be empty.'),
  createdAt: Timestamp,
  verifiedAt: Timestamp.nullable(),
  orderedAt: Timestamp.nullable().describe('When the transaction was reported.'),
});
export const VerificationsResponse = named('VerificationsResponse', 'Verifications of this VASP, newest first.', {
  verifications: z.array(VerificationEntry),
  next: nextPage('before'),
  total,
});

export const verificationCalls = calls({
  verifications: { query: VerificationsQuery, response: VerificationsResponse },
  neighbours: {
    response: named('NeighboursResponse', {
      newer: z.string().nullable().describe('verificationUuid; null: this is the newest.'),
      older: z.string().nullable().describe('verificationUuid; null: this is the oldest.'),
    }),
  },
});
