import type { Answers } from '../../client/answers.ts';
import { DataTable } from '../components/table.tsx';
import { Copyable, Fold, Note } from '../components/text.tsx';
import { Badge, TextWithTime, Time, TransactionLink, UserLink, verificationColumn } from '../components/values.tsx';
import type { Texts } from '../texts/english.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { moneyNote } from '../texts/of-records.ts';

type Transfer = Answers['transfers']['transfers'][number];
type Signed = Transfer['transactions'][number];

export const Transfers = ({ rows }: { rows: readonly Transfer[] }) => {
  const { money, list, verification } = useTexts();
  return (
    <DataTable
      empty={money.noTransfer}
      caption={money.transfersCaption}
      rows={rows}
      idOf={({ verificationUuid }) => `transfer-${verificationUuid}`}
      more={row => (row.transactions.length === 0 ? null : <Hashes of={row} />)}
      columns={[
        { head: verification.requested, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: verification.amount,
          bare: true,
          line: true,
          numeric: true,
          cell: ({ amount, symbol }) => `${amount} ${symbol}`,
        },
        { head: verification.status, bare: true, line: true, cell: row => <Status of={row} /> },
        { head: list.user, line: true, cell: ({ userId }) => <UserLink id={userId} /> },
        { head: verification.to, line: true, cell: ({ to }) => <Copyable text={to} ends={6} /> },
        {
          head: list.transaction,
          line: true,
          cell: ({ symbol, txHash }) => <TransactionLink symbol={symbol} txHash={txHash} />,
        },
        verificationColumn(useTexts()),
      ]}
    />
  );
};

const Status = ({ of: { transactionStatus, why } }: { of: Transfer }) => (
  <>
    <Badge of={transactionStatus} />
    <br />
    <Note>{moneyNote({ kind: 'transfer', status: transactionStatus, note: why }, useTexts())}</Note>
  </>
);

const Hashes = ({ of: { verificationUuid, symbol, transactions, reportedTxHash } }: { of: Transfer }) => {
  const { money } = useTexts();
  return (
    <Fold
      id={`hashes-${verificationUuid}`}
      summary={
        <small>
          {counted(money.signed, transactions.length)},{' '}
          {reportedTxHash === null ? money.notReported : money.oneReported}
        </small>
      }
    >
      <ul>
        {transactions.map(signed => (
          <li>
            <TransactionLink symbol={symbol} txHash={signed.txHash} />{' '}
            <small>
              <TextWithTime at={signed.signedAt} text={time => summaryOf(signed, time, money)} />
              {signed.txHash === reportedTxHash ? `, ${money.isReported}` : ''}
            </small>
          </li>
        ))}
      </ul>
    </Fold>
  );
};

const summaryOf = ({ number, fee, rejection }: Signed, signedAt: string, texts: Texts['money']): string =>
  [
    fill(texts.number, { nonce: number }),
    ...Object.entries(fee).map(([part, bid]) => `${part} ${bid}`),
    fill(texts.signedAt, { time: signedAt }),
    ...(rejection === null ? [] : [fill(texts.refused, { reason: rejection })]),
  ].join(', ');
