import * as z from 'zod';
import { REASON_CODES, RESULT_VALUES } from '../../contract/clauses.ts';
import { FINDING_CODES, FINDINGS } from '../../contract/findings.ts';
import { REPORT_VERDICT_VALUES, REPORT_VERDICTS } from '../../contract/plan-list.ts';
import { MAX_SEARCH_LENGTH, named, optional, SymbolText, text, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TransactionStatus } from '../../contract/transaction-status.ts';
import { calls } from '../../http/endpoint.ts';
import { limit, nextPage, readOnFrom, total } from '../parameters.ts';

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
export const NeighboursResponse = named('NeighboursResponse', {
  newer: z.string().nullable().describe('verificationUuid; null: this is the newest.'),
  older: z.string().nullable().describe('verificationUuid; null: this is the oldest.'),
});

export const verificationCalls = calls({
  verifications: { query: VerificationsQuery, response: VerificationsResponse },
  neighbours: { response: NeighboursResponse },
});
