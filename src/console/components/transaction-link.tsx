import { fill } from '../texts/fill.ts';
import { useTexts } from '../texts/languages.ts';
import { shortened } from './copyable.tsx';

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
