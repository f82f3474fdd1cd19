import * as z from 'zod';
import { optional, VerificationUuid } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TransactionStatus } from '../../contract/transaction-status.ts';
import { limit, position } from '../parameters.ts';

/** `/transfers` */

export const TransfersQuery = z
  .object({
    verificationUuid: optional(VerificationUuid),
    status: optional(TransactionStatus),
    limit,
    before: optional(position).describe('`next` of the answer before.'),
  })
  .meta({ id: 'TransfersQuery' });

const SignedTransaction = z
  .object({
    txHash: z.string(),
    number: z.number().int().describe('Nonce or Sequence.'),
    fee: z.record(z.string(), z.string()).describe('Parts of the bid, as its network calls them.'),
    rejection: z.string().nullable().describe('Why the node refused it; null: it did not.'),
    signedAt: Timestamp,
  })
  .meta({ id: 'SignedTransaction', description: 'One signed transaction of a transfer: one at most pays.' });

export const TransferEntry = z
  .object({
    verificationUuid: z.string(),
    userId: z.string().describe('User of the robot that pays.'),
    symbol: z.string(),
    from: z.string(),
    to: z.string(),
    amount: z.string(),
    transactionStatus: TransactionStatus,
    why: z.string().describe('Why it stands where it stands.'),
    txHash: z.string().nullable().describe('The newest one; of a final transfer the one that won.'),
    reportedTxHash: z.string().nullable().describe('The one that the beneficiary VASP was told.'),
    transactions: z.array(SignedTransaction).describe('Everything that was signed, the replaced ones too.'),
    createdAt: Timestamp,
  })
  .meta({ id: 'TransferEntry', description: 'What the robot pays for one verification.' });
export const TransfersResponse = z
  .object({
    transfers: z.array(TransferEntry),
    next: z.string().nullable().describe('Give it as `before` to read on; null: there are no more.'),
  })
  .meta({ id: 'TransfersResponse', description: 'What the robot pays to this VASP, newest first.' });
