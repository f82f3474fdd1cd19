import { shortened } from './copyable.tsx';

/** A hash with a link to the transaction's page. */
export const TransactionLink = ({ symbol, txHash }: { symbol: string; txHash: string | null }) =>
  txHash === null ? (
    <span class="muted">none yet</span>
  ) : (
    <span class="copyable short">
      <a class="code" href={`/console/chain/${symbol}/${encodeURIComponent(txHash)}`} title={txHash}>
        {shortened(txHash, 6)}
      </a>
      <button type="button" class="copy" data-copy={txHash} aria-label={`Copy ${txHash}`}>
        Copy
      </button>
    </span>
  );
