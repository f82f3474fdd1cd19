import * as z from 'zod';
import { upTo } from '../kernel/duration.ts';
import { AssetInfo } from './assets.ts';
import { ACCOUNT_REASONS, RESULT_VALUES } from './clauses.ts';
import { Beneficiary, BeneficiaryAccount, Originator, Persons } from './ivms101.ts';
import { MAX_ELEMENTS, parseJsonObject } from './parse.ts';
import { Refusal } from './refusals.ts';
import { parseRequiredInfo } from './required-info.ts';
import {
  AccountNumber,
  loose,
  MAX_LENGTH,
  MessageText,
  NetworkName,
  named,
  optional,
  ReasonText,
  SymbolText,
  TxHash,
  takesNull,
  text,
  VaspId,
  VerificationUuid,
  Vout,
} from './text.ts';
import { Day, Timestamp } from './time.ts';
import { TransactionStatus, VerificationResult } from './verification.ts';

// Requests and answers of /v1 and of the robot's actions. Some `error` texts are refusal kinds: see `parse`.

export const KEY_TYPES = ['PerVasp', 'PerAddress', 'PerVerification'] as const;
export const KeyType = z
  .enum(KEY_TYPES, { error: 'invalid-key-type' })
  .meta({ id: 'KeyType', description: 'One key per VASP, per beneficiary address, or per verification.' });

export const RequiredBeneficiaryInfo = text(MAX_LENGTH.requiredBeneficiaryInfo)
  .refine(list => parseRequiredInfo(list).includes('ACCOUNT_NUMBER'), { error: 'required-info-without-account-number' })
  .meta({
    // From the first character to the last: some clients look for a match only at the first one.
    pattern: '^(?:[\\s\\S]*,)?\\s*ACCOUNT_NUMBER\\s*(?:,[\\s\\S]*)?$',
    description: 'Comma-separated codes of the information to return; ACCOUNT_NUMBER must be among them.',
    examples: ['NATURAL_PERSON_NAME,ACCOUNT_NUMBER'],
  });

export const IvmsVersion = text(MAX_LENGTH.version).meta({ description: 'Version of IVMS101.', examples: ['1.0'] });

/** Also the body of the robot's POST /action/verifications/account. */
export const VerifyAccountRequest = named('VerifyAccountRequest', 'Does this address belong to that VASP?', {
  keyType: KeyType,
  beneficiaryVaspId: VaspId.describe('VASP ID of the beneficiary VASP.'),
  symbol: SymbolText,
  network: optional(NetworkName),
  payload: z.object({ version: IvmsVersion, ivms101: z.looseObject({ beneficiary: BeneficiaryAccount }) }),
});
export type VerifyAccountRequest = z.infer<typeof VerifyAccountRequest>;

export const VerifyAccountAnswer = named('VerifyAccountAnswer', 'Result of an account verification.', {
  accountVerificationResult: z.enum(['VERIFIED', 'DENIED']),
  reason: z.enum(ACCOUNT_REASONS).optional().describe('Only with DENIED.'),
  message: MessageText.optional(),
  verifiedAt: Timestamp.describe('Time of completion.'),
});
export type VerifyAccountAnswer = z.infer<typeof VerifyAccountAnswer>;

/** Also the body of the robot's POST /action/verifications. */
export const VerifyUserRequest = named(
  'VerifyUserRequest',
  'Verify originator and beneficiary of one transfer. The outcome comes by callback.',
  {
    keyType: KeyType,
    beneficiaryVaspId: VaspId.describe('VASP ID of the beneficiary VASP.'),
    assetInfo: AssetInfo,
    requiredBeneficiaryInfo: RequiredBeneficiaryInfo,
    payload: z.object({
      version: IvmsVersion,
      ivms101: z.looseObject({ originator: Originator, beneficiary: Beneficiary }),
    }),
  },
);
export type VerifyUserRequest = z.infer<typeof VerifyUserRequest>;

export const VerifyUserAnswer = named('VerifyUserAnswer', 'The verification that was started.', {
  verificationUuid: z.uuid(),
  createdAt: Timestamp,
});
export type VerifyUserAnswer = z.infer<typeof VerifyUserAnswer>;

const countUpTo = (max: number, byDefault: number) => {
  const error = `should be a whole number from 1 to ${max}`;
  return z
    .string({ error })
    .regex(new RegExp(`^(?!0)${upTo(BigInt(max))}$`), { error })
    .transform(Number)
    .pipe(z.number())
    .default(byDefault);
};

/** Filters of GET /v1/verifications, joined by AND (D-04). */
export const ListQuery = named('ListQuery', 'Filters of the list of verification results.', {
  fromDate: Day.default('1970-01-01').describe('First UTC day of the request time, included.'),
  toDate: optional(Day).describe('Last UTC day of the request time, included. Default: today.'),
  symbol: optional(SymbolText),
  network: optional(NetworkName),
  txHash: optional(TxHash),
  result: optional(z.enum(RESULT_VALUES)).describe('Only verifications with this result.'),
  actionType: optional(z.enum(['SEND', 'RECEIVE'])).describe(
    'SEND: the caller is the originating VASP; RECEIVE: the beneficiary VASP.',
  ),
  oppositeVaspId: optional(VaspId).describe('The other VASP of the verification.'),
  originatorAccountNumber: optional(AccountNumber),
  beneficiaryAccountNumber: optional(AccountNumber),
  page: countUpTo(999_999_999, 1).describe('Page, from 1.'),
  rpp: countUpTo(100, 10).describe('Records per page, 1 to 100. A page that would be longer than 4 MB is refused.'),
});
export type ListQuery = z.infer<typeof ListQuery>;

export const ListResponse = named('ListResponse', 'One page of verification results, newest first.', {
  count: z.number().int().min(0).describe('All matches, not only those of this page.'),
  page: z.number().int().min(1),
  rpp: z.number().int().min(1),
  verifications: z.array(VerificationResult),
});
export type ListResponse = z.infer<typeof ListResponse>;

export const ReportTransactionRequest = named('ReportTransactionRequest', 'Transaction result report.', {
  verificationUuid: VerificationUuid,
  txHash: TxHash,
  vout: optional(Vout),
});
export type ReportTransactionRequest = z.infer<typeof ReportTransactionRequest>;

/** Also the body of the robot's POST /action/verifications/error. */
export const ReportErrorRequest = named('ReportErrorRequest', 'Error report: the transfer is cancelled for good.', {
  verificationUuid: VerificationUuid,
  result: z.enum(['VERIFIED', 'DENIED', 'ERROR'], { error: 'invalid-result' }),
  reason: ReasonText.meta({ examples: ['USER-CANCELED'] }),
  message: optional(MessageText),
});
export type ReportErrorRequest = z.infer<typeof ReportErrorRequest>;

/** REF-4.5; also the body of the robot's POST /action/tx/inquiry. */
export const InquireTransactionRequest = named('InquireTransactionRequest', 'The verification of the transaction.', {
  verificationUuid: VerificationUuid,
});
export type InquireTransactionRequest = z.infer<typeof InquireTransactionRequest>;

export const Accepted = named('Accepted', 'The report was accepted.', { result: z.literal(true) });
export type Accepted = z.infer<typeof Accepted>;

/** REF-4.1 */
export const AssessSanctionRequest = named('AssessSanctionRequest', 'The verification to assess.', {
  verificationUuid: VerificationUuid,
});
export type AssessSanctionRequest = z.infer<typeof AssessSanctionRequest>;

/** REF-4.2 */
export const AssessKytRequest = named(
  'AssessKytRequest',
  'The verification whose address or transaction is assessed.',
  { verificationUuid: VerificationUuid, network: optional(NetworkName) },
);
export type AssessKytRequest = z.infer<typeof AssessKytRequest>;

const maybeAccounts = z.array(AccountNumber).max(MAX_ELEMENTS).nullish();
const originator = z.looseObject({ originatorPersons: Persons.nullish(), accountNumber: maybeAccounts });
const beneficiary = z.looseObject({ beneficiaryPersons: Persons.nullish(), accountNumber: maybeAccounts });

/** REF-4.3: every member is optional. A member that is present must have its type. */
export const AssessWcoPayload = loose(
  'AssessWcoPayload',
  'Personal information in addition to that of the verification.',
  {
    version: IvmsVersion,
    ivms101: z.looseObject({ originator: originator.nullish(), beneficiary: beneficiary.nullish() }),
  },
);
export type AssessWcoPayload = z.infer<typeof AssessWcoPayload>;

/** The reference declares `payload` as a string, but its example has an object. Both are accepted: a string is parsed as JSON. */
function fromJsonText(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? undefined;
  try {
    return parseJsonObject(value, MAX_ELEMENTS, 'payload');
  } catch (error) {
    if (error instanceof Refusal && error.kind === 'invalid-field') throw error;
    return value;
  }
}

/** REF-4.3 */
export const AssessWcoRequest = named('AssessWcoRequest', 'The verification whose persons are assessed.', {
  verificationUuid: VerificationUuid,
  payload: z
    .preprocess(fromJsonText, AssessWcoPayload.optional())
    .register(takesNull, { takesNull: true })
    .describe('The same object as JSON text is accepted, too.'),
});
export type AssessWcoRequest = z.infer<typeof AssessWcoRequest>;

/** REF-4.6 GET /testnet/balance */
export const BalanceQuery = named('BalanceQuery', 'VASP, asset and address of the balance.', {
  vaspId: VaspId.describe("The caller's VASP ID."),
  symbol: SymbolText,
  address: AccountNumber.describe('Deposit address of the beneficiary.'),
});
export type BalanceQuery = z.infer<typeof BalanceQuery>;

/** D-19 */
export const BalanceResponse = named('BalanceResponse', 'The balance that is credited to the address.', {
  symbol: SymbolText,
  address: AccountNumber,
  vaspId: VaspId,
  value: z.string().describe('Decimal text: the credited amounts minus the paid and the reserved amounts.'),
});
export type BalanceResponse = z.infer<typeof BalanceResponse>;

/** REF-4.6 POST /action/withdrawal */
export const WithdrawRequest = named('WithdrawRequest', 'The VERIFIED verification of the transfer.', {
  verificationUuid: VerificationUuid,
  omitTxReport: z
    .preprocess(value => value ?? undefined, z.boolean().default(false))
    .register(takesNull, { takesNull: true })
    .describe('true: the robot does not report the transaction by itself.'),
});
export type WithdrawRequest = z.infer<typeof WithdrawRequest>;

/** D-20 */
export const WithdrawResponse = named(
  'WithdrawResponse',
  'The transfer of the verification. A repeated request returns the same transfer.',
  {
    verificationUuid: z.uuid(),
    transactionStatus: TransactionStatus,
    txHash: TxHash.nullable().describe('null until the transaction is signed.'),
  },
);
export type WithdrawResponse = z.infer<typeof WithdrawResponse>;
