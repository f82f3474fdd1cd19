import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';
import type { Column } from './table.tsx';
import { shortened } from './text.tsx';

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

export const TransactionLink = ({ symbol, txHash }: { symbol: string; txHash: string | null }) => {
  const { list, callback } = useTexts();
  return txHash === null ? (
    <span class="muted">{callback.noneYet}</span>
  ) : (
    <span class="copyable short">
      <a class="code" href={`/console/chain/${symbol}/${encodeURIComponent(txHash)}`} title={txHash}>
        {shortened(txHash, 6)}
      </a>
      <button
        type="button"
        class="copy"
        data-copy={txHash}
        aria-label={fill(list.copyThis, { what: txHash })}
      >
        {list.copy}
      </button>
    </span>
  );
};

export const UserLink = ({ id }: { id: string | null }) =>
  id === null ? (
    <span class="muted">{useTexts().money.noUser}</span>
  ) : (
    <a href={`/console/users#user-${id}`}>{id}</a>
  );
