import * as z from 'zod';
import { ASSET_SYMBOLS, addressText, decimalsOfTheAsset } from '../contract/assets.ts';
import { PersonNames } from '../contract/persons.ts';
import { AccountNumber, Amount, named, optional, text, VerificationUuid } from '../contract/text.ts';
import { Timestamp } from '../contract/time.ts';
import { TRANSACTION_STATUSES, TransactionStatus } from '../contract/verification.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { toIso } from '../kernel/clock.ts';
import { pick } from '../kernel/members.ts';
import { pageOf } from '../kernel/page.ts';
import type { Attempt, ListedTransfer } from '../robot/control.ts';
import type { SandboxDeps } from './deps.ts';
import { limit, nextPage, readOnFrom } from './parameters.ts';
import { Step } from './scenarios/schema.ts';

export const transferEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(transferCalls.transfers, {
    summary: 'List the transfers of the robot to this VASP with every signed transaction',
    run({ query }, caller) {
      const { rows, next } = pageOf(query.limit, limit => deps.robot.listTransfers({ ...query, limit }, caller));
      return { transfers: rows.map(row => present(row, deps.robot.signedTransactions(row.verificationUuid))), next };
    },
  }),
];

const present = (row: ListedTransfer, signed: Attempt[]) => ({
  ...pick(row, 'verificationUuid', 'userId', 'symbol'),
  from: addressText(row.account, row.tag),
  to: addressText(row.toAccount, row.toTag),
  amount: row.amount,
  transactionStatus: row.status,
  why: whyOf(row),
  ...pick(row, 'txHash', 'reportedTxHash'),
  transactions: signed.map(({ hash, sequence, fee, rejection, signedAt }) => ({
    txHash: hash,
    number: sequence,
    fee,
    rejection,
    signedAt: toIso(signedAt),
  })),
  createdAt: toIso(row.createdAt),
});

/** The note of the robot, or the meaning of the status. PENDING without a note is not blocked: its turn comes. */
export const whyOf = ({ status, note }: ListedTransfer): string =>
  note !== '' ? note : status === 'PENDING' ? 'It is not sent yet.' : TRANSACTION_STATUSES[status];

/** `/transfers` */

const SignedTransaction = named(
  'SignedTransaction',
  'One signed transaction of a transfer. At most one of them pays.',
  {
    txHash: z.string(),
    number: z.number().int().describe('Nonce (Ethereum) or Sequence (XRP Ledger).'),
    fee: z.record(z.string(), z.string()).describe('Parts of the fee, by the names of the network.'),
    rejection: z.string().nullable().describe('Why the node refused the transaction; null: it accepted it.'),
    signedAt: Timestamp,
  },
);

const TransferEntry = named('TransferEntry', 'The transfer of the robot for one verification.', {
  verificationUuid: z.string(),
  userId: z.string().describe('User of the robot that pays.'),
  symbol: z.string(),
  from: z.string(),
  to: z.string(),
  amount: z.string(),
  transactionStatus: TransactionStatus,
  why: z.string().describe('The reason for the status.'),
  txHash: z.string().nullable().describe('Hash of the newest transaction; for a final transfer, of the one that paid.'),
  reportedTxHash: z.string().nullable().describe('Hash in the report to the beneficiary VASP.'),
  transactions: z.array(SignedTransaction).describe('Every signed transaction, including replaced ones.'),
  createdAt: Timestamp,
});
export const TransfersResponse = named('TransfersResponse', 'The transfers of the robot to this VASP, newest first.', {
  transfers: z.array(TransferEntry),
  next: nextPage('before'),
});

export const TransferRequest = z
  .object({
    symbol: z.enum(ASSET_SYMBOLS),
    amount: Amount,
    to: optional(AccountNumber).describe(
      'Address of your customer. Default: as in `GET /sandbox/v1/requests/robot-verify-user`.',
    ),
    customer: optional(PersonNames).describe('Name of your customer. Default: as for `to`.'),
    user: optional(text(64)).describe(
      'The user of the robot who pays. Default: taylor-robbins; on a chain given by URL an ordinary user who holds the amount for you.',
    ),
    upTo: z.enum(['FUND', 'REPORT']).default('REPORT').describe('The last step. After FUND the robot can pay.'),
  })
  .meta({ id: 'TransferRequest', description: 'A payment of the robot to you.', ...decimalsOfTheAsset('amount') });
export type TransferRequest = z.output<typeof TransferRequest>;

export const TransferResponse = named('TransferResponse', 'The steps of the payment, up to the one that failed.', {
  verificationUuid: z.string().nullable().describe('null: the robot could not ask your VASP.'),
  txHash: z.string().nullable().describe('null: the robot has not paid.'),
  done: z.boolean().describe('false: the last step says what to do.'),
  steps: z.array(
    z.object({
      step: z.enum(['VERIFY', 'FUND', 'PAY', 'REPORT']),
      done: z.boolean(),
      text: z.string().describe('What happened.'),
      calls: z.array(Step).describe('What goes on after a failure, or shows more.'),
    }),
  ),
});
export type TransferResponse = z.output<typeof TransferResponse>;

export const transferCalls = calls({
  sendTransfer: { body: TransferRequest, response: TransferResponse },
  transfers: {
    query: named('TransfersQuery', {
      verificationUuid: optional(VerificationUuid),
      status: optional(TransactionStatus),
      limit,
      before: readOnFrom,
    }),
    response: TransfersResponse,
  },
});
