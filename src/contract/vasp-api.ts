import * as z from 'zod';
import { AssetInfo } from './assets.ts';
import { Callback } from './callbacks.ts';
import { ACCOUNT_REASONS, REASON_CODES, REASONS } from './clauses.ts';
import { Beneficiary, BeneficiaryAccount, Originator, Persons } from './ivms101.ts';
import { MAX_ELEMENTS } from './parse.ts';
import { IvmsVersion, RequiredBeneficiaryInfo } from './requests.ts';
import {
  AccountNumber,
  loose,
  MessageText,
  NetworkName,
  named,
  optional,
  SymbolText,
  VaspId,
  VerificationUuid,
} from './text.ts';
import { InputTimestamp } from './time.ts';
import { Result, TransactionStatusResult } from './verification.ts';

/** The requests of the enclave to a VASP, and their answers. D-12: an answer that does not parse counts as a bad answer. */

export const VaspVerifyAccountRequest = named(
  'VaspVerifyAccountRequest',
  'Does this account belong to you, and to the named person if there is one?',
  {
    originatingVaspId: VaspId,
    symbol: SymbolText,
    network: optional(NetworkName),
    version: IvmsVersion,
    ivms101: z.looseObject({ beneficiary: BeneficiaryAccount }),
  },
);
export type VaspVerifyAccountRequest = z.infer<typeof VaspVerifyAccountRequest>;

export const VaspVerifyAccountAnswer = z
  .object({
    accountVerificationResult: z.enum(['VERIFIED', 'DENIED']),
    reason: optional(z.enum(['OK', ...ACCOUNT_REASONS])).describe('Required with DENIED.'),
    message: optional(MessageText),
    verifiedAt: InputTimestamp.describe('Time of completion.'),
  })
  .refine(answer => answer.accountVerificationResult === 'DENIED' || (answer.reason ?? 'OK') === 'OK', {
    error: 'should be absent unless the result is DENIED',
    path: ['reason'],
  })
  .refine(answer => answer.accountVerificationResult === 'VERIFIED' || (answer.reason ?? 'OK') !== 'OK', {
    error: 'should be a reason of DENIED',
    path: ['reason'],
  })
  .meta({ id: 'VaspVerifyAccountAnswer', description: 'Answer to an account verification.' });
export type VaspVerifyAccountAnswer = z.infer<typeof VaspVerifyAccountAnswer>;

export const VaspVerifyUserRequest = named('VaspVerifyUserRequest', 'May this originator pay your customer?', {
  verificationUuid: VerificationUuid,
  assetInfo: AssetInfo,
  requiredBeneficiaryInfo: RequiredBeneficiaryInfo,
  originatingVaspId: VaspId,
  version: IvmsVersion,
  ivms101: z.looseObject({ originator: Originator, beneficiary: Beneficiary }),
});
export type VaspVerifyUserRequest = z.infer<typeof VaspVerifyUserRequest>;

/** Information that was not requested is absent or empty. */
export const AnsweredBeneficiary = loose('AnsweredBeneficiary', 'The requested information about the beneficiary.', {
  beneficiaryPersons: Persons.nullish(),
  accountNumber: z.array(AccountNumber).max(MAX_ELEMENTS).nullish().describe('Exactly as received.'),
});
export type AnsweredBeneficiary = z.infer<typeof AnsweredBeneficiary>;

export const VaspVerifyUserAnswer = z
  .object({
    result: Result,
    reason: z.enum(REASON_CODES).describe('OK with VERIFIED; otherwise the reason code.'),
    message: optional(MessageText),
    version: IvmsVersion,
    ivms101: optional(z.looseObject({ beneficiary: AnsweredBeneficiary.nullish() })).describe(
      'Required with VERIFIED.',
    ),
  })
  .refine(answer => (answer.result === 'VERIFIED') === (answer.reason === 'OK'), {
    error: 'should be OK if and only if the result is VERIFIED',
    path: ['reason'],
  })
  .refine(answer => answer.result !== 'DENIED' || REASONS[answer.reason].result === 'DENIED', {
    error: 'should be a reason of DENIED',
    path: ['reason'],
  })
  .refine(answer => answer.result !== 'VERIFIED' || Boolean(answer.ivms101?.beneficiary?.accountNumber?.length), {
    error: 'is required when the result is VERIFIED',
    path: ['ivms101', 'beneficiary', 'accountNumber'],
  })
  .meta({ id: 'VaspVerifyUserAnswer', description: 'Answer to a user verification.' });
export type VaspVerifyUserAnswer = z.infer<typeof VaspVerifyUserAnswer>;

export const VaspTransactionStatusRequest = named(
  'VaspTransactionStatusRequest',
  'What is the status of your transaction?',
  { verificationUuid: VerificationUuid },
);
export type VaspTransactionStatusRequest = z.infer<typeof VaspTransactionStatusRequest>;

export const VaspCallbackAnswer = named('VaspCallbackAnswer', 'The callback was received.', {
  result: z.literal(true),
});

/** The four operations of a VASP: its role, the request and the answer. */
export const VASP_API = {
  verifyAccount: { role: 'beneficiary', request: VaspVerifyAccountRequest, answer: VaspVerifyAccountAnswer },
  verifyUser: { role: 'beneficiary', request: VaspVerifyUserRequest, answer: VaspVerifyUserAnswer },
  transactionStatus: { role: 'originating', request: VaspTransactionStatusRequest, answer: TransactionStatusResult },
  callback: { role: 'both', request: Callback, answer: VaspCallbackAnswer },
} as const;
export type VaspOperation = keyof typeof VASP_API;

/** The addresses of a VASP that we serve at `url`. */
export const endpointsAt = (url: string): Record<VaspOperation, string> => ({
  verifyUser: `${url}/verify-user`,
  verifyAccount: `${url}/verify-account`,
  transactionStatus: `${url}/transaction-status`,
  callback: `${url}/callback`,
});

/** The questions to a VASP in the words of the calls of a VASP: `verifyUser` is `verify-user`, the other way round. */
const QUESTIONS: Readonly<Record<string, string>> = {
  verifyAccount: 'verify-account',
  verifyUser: 'verify-user',
  transactionStatus: 'transaction-status',
} satisfies Record<Exclude<VaspOperation, 'callback'>, string>;

/** What the VASP is asked; undefined: the operation is no question to it. */
export const questionOf = (operation: string): string | undefined => QUESTIONS[operation];

/** WIRE-3.2: the account numbers come back exactly as they were sent. */
export const isAccountNumberChanged = (sent: readonly string[], answered: readonly string[]): boolean =>
  sent.length !== answered.length || sent.some((accountNumber, i) => accountNumber !== answered[i]);
