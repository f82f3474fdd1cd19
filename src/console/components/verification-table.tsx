import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge } from './badge.tsx';
import { DataTable } from './data-table.tsx';
import { Time } from './time.tsx';
import { VerificationLink } from './verification-link.tsx';

export type Verification = SandboxAnswers['verifications']['verifications'][number];

export const VerificationTable = ({ rows }: { rows: readonly Verification[] }) => (
  <DataTable
    caption="Verifications, newest first"
    rows={rows}
    idOf={({ verificationUuid }) => `verification-${verificationUuid}`}
    hrefOf={({ verificationUuid }) => `/console/verifications/${verificationUuid}`}
    columns={[
      { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} /> },
      { head: 'Verification', cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} /> },
      { head: 'You are', cell: ({ role }) => role },
      { head: 'Counterparty', cell: row => <Counterparty of={row} /> },
      { head: 'Amount', numeric: true, cell: ({ amount, symbol }) => `${amount} ${symbol}` },
      { head: 'Result', cell: row => <Result of={row} /> },
      { head: 'Money', cell: ({ money }) => <Money of={money} /> },
    ]}
  />
);

const Counterparty = ({ of: { counterparty, userId } }: { of: Verification }) => (
  <>
    {counterparty.name}
    {userId === null ? null : <small> · {userId}</small>}
  </>
);

export const Result = ({ of: { result, status, reason } }: { of: Verification }) => (
  <>
    <Badge of={result ?? status} /> {reason === null || reason === 'OK' ? null : <small>{reason}</small>}
  </>
);

/** The transfer or the deposit of the verification. */
export const Money = ({ of }: { of: Verification['money'] }) =>
  of === null ? (
    <span class="muted">–</span>
  ) : (
    <>
      {of.kind} <Badge of={of.status} />
    </>
  );
