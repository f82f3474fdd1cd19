import * as z from 'zod';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TransactionStatus } from '../../contract/transaction-status.ts';
import { limit, nextPage, readOnFrom } from '../parameters.ts';

/** `/transfers` */

export const TransfersQuery = z
  .object({
    verificationUuid: optional(VerificationUuid),
    status: optional(TransactionStatus),
    limit,
    before: readOnFrom,
  })
  .meta({ id: 'TransfersQuery' });

const SignedTransaction = z
  .object({
    txHash: z.string(),
    number: z.number().int().describe('Nonce (Ethereum) or Sequence (XRP Ledger).'),
    fee: z.record(z.string(), z.string()).describe('Parts of the fee, by the names of the network.'),
    rejection: z.string().nullable().describe('Why the node refused the transaction; null: it accepted it.'),
    signedAt: Timestamp,
  })
  .meta({
    id: 'SignedTransaction',
    description: 'One signed transaction of a transfer. At most one of them pays.',
  });

export const TransferEntry = z
  .object({
    verificationUuid: z.string(),
    userId: z.string().describe('User of the robot that pays.'),
    symbol: z.string(),
    from: z.string(),
    to: z.string(),
    amount: z.string(),
    transactionStatus: TransactionStatus,
    why: z.string().describe('The reason for the status.'),
    txHash: z
      .string()
      .nullable()
      .describe('Hash of the newest transaction; for a final transfer, of the one that paid.'),
    reportedTxHash: z.string().nullable().describe('Hash in the report to the beneficiary VASP.'),
    transactions: z.array(SignedTransaction).describe('Every signed transaction, including replaced ones.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'TransferEntry', description: 'The transfer of the robot for one verification.' });
export const TransfersResponse = z
  .object({
    transfers: z.array(TransferEntry),
    next: nextPage('before'),
  })
  .meta({ id: 'TransfersResponse', description: 'The transfers of the robot to this VASP, newest first.' });
