import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Note } from '../components/note.tsx';
import { Time } from '../components/time.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { VerificationLink } from '../components/verification-link.tsx';

type Deposit = SandboxAnswers['deposits']['deposits'][number];

export const Deposits = ({ rows }: { rows: readonly Deposit[] }) =>
  rows.length === 0 ? (
    <Empty>
      No deposit yet. <a href="/console/send">Send a verification</a>, then pay its amount to the address of
      the beneficiary.
    </Empty>
  ) : (
    <DataTable
      caption="Deposits, newest first"
      rows={rows}
      idOf={({ symbol, txHash, address }) => `deposit-${symbol}-${txHash}-${address}`.replaceAll(':', '_')}
      isLoud={({ status }) => status === 'REORGANISED'}
      columns={[
        { head: 'Time', cell: ({ at }) => <Time at={at} /> },
        {
          head: 'Amount',
          numeric: true,
          cell: ({ amount, symbol }) => (
            <>
              {amount} {symbol}
            </>
          ),
        },
        { head: 'Status', cell: row => <Status of={row} /> },
        { head: 'To', cell: ({ address }) => <Copyable text={address} ends={8} /> },
        { head: 'From', cell: ({ from }) => <Copyable text={from} ends={6} /> },
        { head: 'Transaction', cell: row => <Transaction of={row} /> },
        {
          head: 'Verification',
          cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} />,
        },
      ]}
    />
  );

const Status = ({ of: { status, note } }: { of: Deposit }) => (
  <>
    <Badge of={status} />
    <br />
    <Note>{note}</Note>
  </>
);

const Transaction = ({ of: { symbol, txHash, height } }: { of: Deposit }) => (
  <>
    <TransactionLink symbol={symbol} txHash={txHash} />
    <br />
    <small>block {height}</small>
  </>
);
