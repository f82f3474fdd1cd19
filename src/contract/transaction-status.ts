import * as z from 'zod';
import { isVout, MAX_LENGTH, NOT_VOUT, named, optional, optionalText, VerificationUuid } from './text.ts';

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
export const TransactionStatus = z.enum(TRANSACTION_STATUS_VALUES).meta({
  id: 'TransactionStatus',
  description: Object.entries(TRANSACTION_STATUSES)
    .map(([status, meaning]) => `- \`${status}\`: ${meaning}`)
    .join('\n'),
});

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
