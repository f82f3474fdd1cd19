import type { Answers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { TransactionLink, VerificationLink } from '../components/links.tsx';
import { DataTable } from '../components/table.tsx';
import { Copyable, Note } from '../components/text.tsx';
import { Time } from '../components/time.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { moneyNote } from '../texts/of-records.ts';

type Deposit = Answers['deposits']['deposits'][number];

export const Deposits = ({ rows }: { rows: readonly Deposit[] }) => {
  const texts = useTexts();
  const { money, list, verification } = texts;
  return (
    <DataTable
      empty={money.noDeposit}
      caption={money.depositsCaption}
      rows={rows}
      idOf={({ symbol, txHash, address }) => `deposit-${symbol}-${txHash}-${address}`.replaceAll(':', '_')}
      isLoud={({ status }) => status === 'REORGANISED'}
      columns={[
        { head: money.blockTime, bare: true, cell: ({ at }) => <Time at={at} clock="machine" /> },
        {
          head: verification.amount,
          bare: true,
          numeric: true,
          cell: ({ amount, symbol }) => (
            <>
              {amount} {symbol}
            </>
          ),
        },
        // Final on chain is not enough: nobody has named it.
        {
          head: verification.status,
          bare: true,
          cell: ({ status }) =>
            status === 'CONFIRMED' ? <Badge of={status} tone="warn" /> : <Badge of={status} />,
        },
        { head: verification.to, cell: ({ address }) => <Copyable text={address} ends={6} /> },
        { head: verification.from, cell: ({ from }) => <Copyable text={from} ends={4} /> },
        { head: list.transaction, cell: row => <Transaction of={row} /> },
        {
          head: verification.verification,
          bare: true,
          cell: ({ verificationUuid, status, amount, symbol }) =>
            status === 'CONFIRMED' ? (
              <a href={`/console/verifications?search=${amount}&symbol=${symbol}`}>{money.unnamed}</a>
            ) : (
              <VerificationLink uuid={verificationUuid} />
            ),
        },
      ]}
      more={({ status, note }) => <Note>{moneyNote({ kind: 'deposit', status, note }, texts)}</Note>}
    />
  );
};

const Transaction = ({ of: { symbol, txHash, height } }: { of: Deposit }) => (
  <>
    <TransactionLink symbol={symbol} txHash={txHash} />
    <br />
    <small>{fill(useTexts().money.block, { height })}</small>
  </>
);
