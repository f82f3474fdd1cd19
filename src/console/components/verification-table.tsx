import type { Answers } from '../../client/client.ts';
import { useTexts } from '../texts/languages.ts';
import { DataTable } from './table.tsx';
import { amountColumn, Badge, Time, verificationColumn } from './values.tsx';

export type Verification = Answers['verifications']['verifications'][number];

interface VerificationTable {
  rows: readonly Verification[];
  /** Shown when there are none. */
  empty: string;
}

export const VerificationTable = ({ rows, empty }: VerificationTable) => {
  const texts = useTexts().verification;
  return (
    <DataTable
      caption={texts.caption}
      rows={rows}
      empty={empty}
      idOf={({ verificationUuid }) => `verification-${verificationUuid}`}
      hrefOf={({ verificationUuid }) => `/console/verifications/${verificationUuid}`}
      columns={[
        { head: texts.created, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        verificationColumn(useTexts()),
        { head: texts.youAre, bare: true, line: true, cell: ({ role }) => texts[role] },
        {
          head: texts.counterparty,
          bare: true,
          cell: ({ counterparty, userId }) => (
            <>
              {counterparty.name} {userId === null ? null : <small class="together">· {userId}</small>}
            </>
          ),
        },
        amountColumn(useTexts()),
        { head: texts.result, bare: true, line: true, cell: row => <Result of={row} /> },
        { head: texts.money, bare: true, cell: ({ money }) => <MoneyStatus of={money} /> },
      ]}
    />
  );
};

export const Result = ({ of: { result, status, reason } }: { of: Verification }) => (
  <>
    <Badge of={result ?? status} />{' '}
    {reason === null || reason === 'OK' ? null : <small class="together">{reason}</small>}
  </>
);

/** The role of the row says who pays. */
const MoneyStatus = ({ of }: { of: Verification['money'] }) =>
  of === null ? (
    <span class="muted">–</span>
  ) : (
    <span title={useTexts().money[of.kind]}>
      <Badge of={of.status} />
    </span>
  );
