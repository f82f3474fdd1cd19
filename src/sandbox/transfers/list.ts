import type * as z from 'zod';
import { addressText } from '../../contract/assets.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { TRANSACTION_STATUSES } from '../../contract/transaction-status.ts';
import { toIso } from '../../kernel/clock.ts';
import { pageOf } from '../../kernel/page.ts';
import type { Attempt, ListedTransfer } from '../../robot/control.ts';
import type { SandboxDeps } from '../deps.ts';
import type { TransfersQuery } from './schema.ts';

/** Transfers of the robot to this VASP with their signed transactions. */
export function listTransfers(deps: SandboxDeps, query: z.output<typeof TransfersQuery>, vaspId: CallerId) {
  const { robot } = deps;
  const { rows, next } = pageOf(query.limit, limit => robot.listTransfers({ ...query, limit }, vaspId));
  return { transfers: rows.map(row => present(row, robot.signedTransactions(row.verificationUuid))), next };
}

const present = (row: ListedTransfer, signed: Attempt[]) => ({
  verificationUuid: row.verificationUuid,
  userId: row.userId,
  symbol: row.symbol,
  from: addressText(row.account, row.tag),
  to: addressText(row.toAccount, row.toTag),
  amount: row.amount,
  transactionStatus: row.status,
  why: whyOf(row),
  txHash: row.txHash,
  reportedTxHash: row.reportedTxHash,
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
