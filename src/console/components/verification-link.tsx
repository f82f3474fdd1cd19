import type { Texts } from '../texts/english.ts';
import type { Column } from './data-table.tsx';

export const VerificationLink = ({ uuid }: { uuid: string | null }) =>
  uuid === null ? (
    <span class="muted">–</span>
  ) : (
    <a class="code" href={`/console/verifications/${uuid}`} title={uuid}>
      {uuid.slice(0, 8)}
    </a>
  );

export const verificationColumn = <Row extends { verificationUuid: string | null }>({
  verification,
}: Pick<Texts, 'verification'>): Column<Row> => ({
  head: verification.verification,
  bare: true,
  cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} />,
});
