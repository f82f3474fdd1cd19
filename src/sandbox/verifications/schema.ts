import * as z from 'zod';
import { REASON_CODES, RESULT_VALUES } from '../../contract/reasons.ts';
import { optional, SymbolText, text } from '../../contract/text.ts';
import { Timestamp } from '../../contract/time.ts';
import { TransactionStatus } from '../../contract/transaction-status.ts';
import { limit, position } from '../parameters.ts';

/** `/verifications` */

const LONGEST_SEARCH = 256;

export const VerificationsQuery = z
  .object({
    search: optional(text(LONGEST_SEARCH)).describe(
      'Words, all of which have to be found: the beginning of a verificationUuid, or a part of the hash, of an address, of a name of a person, of the id of a user of the robot. Without regard to the case of A to Z.',
    ),
    result: optional(z.enum(RESULT_VALUES)),
    reason: optional(text(256)).describe(`Exactly this one, e.g. ${REASON_CODES[1]}.`),
    symbol: optional(SymbolText),
    role: optional(z.enum(['originating', 'beneficiary'])).describe('Of the VASP that calls.'),
    status: optional(z.enum(['OPEN', 'COMPLETED'])).describe('OPEN: it has no result yet.'),
    limit,
    before: optional(position).describe('`next` of the answer before.'),
  })
  .meta({ id: 'VerificationsQuery' });

const DEPOSIT_STATES = ['AWAITED', 'CREDITED', 'STOPPED'] as const;
export type DepositState = (typeof DEPOSIT_STATES)[number];

const Money = z
  .object({
    kind: z.enum(['transfer', 'deposit']).describe('transfer: the robot pays; deposit: it is paid.'),
    status: z
      .enum([...TransactionStatus.options, ...DEPOSIT_STATES])
      .describe(
        'Of the transfer: PENDING, PROCESSING, WAIT-CONFIRM, CONFIRMED, CANCELED. Of the deposit: AWAITED, CREDITED, STOPPED.',
      ),
    note: z.string().describe('Why it stands there; empty when there is nothing to say.'),
  })
  .meta({ id: 'VerificationMoney', description: 'Where the money of a verification stands.' });

export const VerificationEntry = z
  .object({
    verificationUuid: z.string(),
    role: z.enum(['originating', 'beneficiary']).describe('Of the VASP that calls.'),
    counterparty: z.object({ vaspId: z.string(), name: z.string() }),
    symbol: z.string(),
    network: z.string().nullable(),
    amount: z.string(),
    status: z.enum(['OPEN', 'COMPLETED']),
    result: z.enum(RESULT_VALUES).nullable(),
    reason: z.string().nullable(),
    message: z.string(),
    txHash: z.string().nullable().describe('That was reported.'),
    originatorAddress: z.string(),
    beneficiaryAddress: z.string(),
    userId: z.string().nullable().describe('User of the robot whose address it is; null: of nobody here.'),
    money: Money.nullable().describe('null: the robot neither pays nor awaits anything.'),
    createdAt: Timestamp,
    verifiedAt: Timestamp.nullable(),
    orderedAt: Timestamp.nullable().describe('When the transaction was reported.'),
  })
  .meta({ id: 'VerificationEntry', description: 'One verification, as a list shows it.' });
export const VerificationsResponse = z
  .object({
    verifications: z.array(VerificationEntry),
    next: z.string().nullable().describe('Give it as `before` to read on; null: there are no more.'),
  })
  .meta({ id: 'VerificationsResponse', description: 'Verifications of this VASP, newest first.' });
