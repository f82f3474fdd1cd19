import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Fold } from '../components/fold.tsx';
import { Note } from '../components/note.tsx';
import { moment, Time } from '../components/time.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { VerificationLink } from '../components/verification-link.tsx';
import { UserLink } from './user-link.tsx';

type Transfer = SandboxAnswers['transfers']['transfers'][number];
type Signed = Transfer['transactions'][number];

export const Transfers = ({ rows }: { rows: readonly Transfer[] }) =>
  rows.length === 0 ? (
    <Empty>
      No transfer yet. <a href="/console/send?action=robot-verify-user">Let the robot verify a user</a>, then
      let it pay. It can pay no more than it has received from you.
    </Empty>
  ) : (
    <DataTable
      caption="Transfers, newest first"
      rows={rows}
      idOf={({ verificationUuid }) => `transfer-${verificationUuid}`}
      more={row => (row.transactions.length === 0 ? null : <Hashes of={row} />)}
      columns={[
        { head: 'Requested', cell: ({ createdAt }) => <Time at={createdAt} /> },
        { head: 'Amount', numeric: true, cell: ({ amount, symbol }) => `${amount} ${symbol}` },
        { head: 'Status', cell: row => <Status of={row} /> },
        { head: 'User', cell: ({ userId }) => <UserLink id={userId} /> },
        { head: 'To', cell: ({ to }) => <Copyable text={to} ends={6} /> },
        {
          head: 'Transaction',
          cell: ({ symbol, txHash }) => <TransactionLink symbol={symbol} txHash={txHash} />,
        },
        {
          head: 'Verification',
          cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} />,
        },
      ]}
    />
  );

const Status = ({ of: { transactionStatus, why } }: { of: Transfer }) => (
  <>
    <Badge of={transactionStatus} />
    <br />
    <Note>{why}</Note>
  </>
);

const Hashes = ({ of: { verificationUuid, symbol, transactions, reportedTxHash } }: { of: Transfer }) => (
  <Fold
    id={`hashes-${verificationUuid}`}
    summary={
      <small>
        {transactions.length === 1 ? '1 signed transaction' : `${transactions.length} signed transactions`},{' '}
        {reportedTxHash === null ? 'not reported to you' : 'one reported to you'}
      </small>
    }
  >
    <ul>
      {transactions.map(signed => (
        <li>
          <TransactionLink symbol={symbol} txHash={signed.txHash} />{' '}
          <small>
            {summaryOf(signed)}
            {signed.txHash === reportedTxHash ? ', reported to you' : ''}
          </small>
        </li>
      ))}
    </ul>
  </Fold>
);

const summaryOf = ({ number, fee, rejection, signedAt }: Signed): string =>
  [
    `number ${number}`,
    ...Object.entries(fee).map(([part, bid]) => `${part} ${bid}`),
    `signed ${moment(signedAt)}`,
    ...(rejection === null ? [] : [`refused: ${rejection}`]),
  ].join(', ');
