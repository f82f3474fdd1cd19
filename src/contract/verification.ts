import * as z from 'zod';
import { AssetInfo } from './assets.ts';
import { RESULTS } from './clauses.ts';
import {
  AccountNumber,
  AnyText,
  isVout,
  keyIn,
  MAX_LENGTH,
  MessageText,
  NOT_VOUT,
  named,
  optional,
  optionalText,
  ReasonText,
  TxHash,
  VaspId,
  VerificationUuid,
  Vout,
} from './text.ts';
import { Timestamp } from './time.ts';

export const Result = keyIn(RESULTS).meta({ id: 'Result' });

/** REF-2.2. Without an answer yet (D-02): no result, no reason, message '', verifiedAt null. */
export const VerificationResult = z
  .object({
    verificationId: z
      .string()
      .regex(/^\d+$/)
      .meta({ examples: ['1'] })
      .describe('Numeric identifier of the record, as text (D-03: the row number).'),
    verificationUuid: z.uuid().describe('Verification request ID.'),
    result: Result.optional(),
    reason: ReasonText.describe('OK on success; otherwise a reason code.').optional(),
    message: MessageText.describe('Detail text for the reason; empty when there is none.'),
    assetInfo: AssetInfo,
    txHash: TxHash.nullable().describe('Transaction ID; null while no transaction report has arrived.'),
    vout: Vout.nullable().describe('Index of the transfer inside one transaction.').optional(),
    originatingVaspId: VaspId,
    originatorAccountNumber: AccountNumber.describe('Originator wallet address.'),
    ivms101Originator: AnyText.describe('Originator in IVMS101 format, as a JSON text.'),
    ivms101OriginatingVasp: AnyText.describe('Originating VASP in IVMS101 format, as a JSON text.'),
    beneficiaryVaspId: VaspId,
    beneficiaryAccountNumber: AccountNumber.describe('Beneficiary account number.'),
    ivms101Beneficiary: AnyText.describe('Beneficiary in IVMS101 format, as a JSON text.'),
    ivms101BeneficiaryVasp: AnyText.describe('Beneficiary VASP in IVMS101 format, as a JSON text.'),
    verifiedAt: Timestamp.nullable().describe('Time of the verification; null until there is a result.'),
    orderedAt: Timestamp.nullable().describe('Time the transaction ID was reported; null before that.'),
    createdAt: Timestamp.describe('Time the verification request was made.'),
  })
  .refine(row => (row.result === undefined) === (row.verifiedAt === null), {
    error: 'should be null if and only if there is no `result`',
    path: ['verifiedAt'],
  })
  .refine(row => (row.result === undefined) === (row.reason === undefined), {
    error: 'should be present if and only if there is a `result`',
    path: ['reason'],
  })
  .refine(row => (row.txHash === null) === (row.orderedAt === null), {
    error: 'should be null if and only if there is no `txHash`',
    path: ['orderedAt'],
  })
  .meta({ id: 'VerificationResult', description: 'REF-2.2: one verification and its result.' });
export type VerificationResult = z.infer<typeof VerificationResult>;

/** REF-2.4, REF-3 */
export const TRANSACTION_STATUSES = {
  PENDING: 'Transmission of the blockchain transaction is blocked for some reason.',
  PROCESSING: 'Waiting to be mined after transmission.',
  'WAIT-CONFIRM': 'Mined into a block but not yet final.',
  CONFIRMED: 'Finality confirmed after mining.',
  CANCELED: 'The transaction is cancelled, with or without transmission having started.',
} as const;

export type TransactionStatus = keyof typeof TRANSACTION_STATUSES;
export const TRANSACTION_STATUS_VALUES = Object.keys(TRANSACTION_STATUSES) as [
  TransactionStatus,
  ...TransactionStatus[],
];
export const TransactionStatus = keyIn(TRANSACTION_STATUSES).meta({ id: 'TransactionStatus' });

export const TransactionStatusResult = named(
  'TransactionStatusResult',
  'REF-2.4: status of the transaction of a verification.',
  {
    verificationUuid: VerificationUuid.describe('UUID of the completed verification.'),
    transactionStatus: TransactionStatus,
    txHash: optional(optionalText(MAX_LENGTH.txHash)).describe(
      'Transaction ID; only when available, otherwise absent or empty.',
    ),
    vout: optional(
      optionalText(MAX_LENGTH.vout).refine(vout => vout === '' || isVout(vout), { error: NOT_VOUT }),
    ).describe('Transfer index inside the transaction; only if it exists.'),
  },
);
export type TransactionStatusResult = z.infer<typeof TransactionStatusResult>;
