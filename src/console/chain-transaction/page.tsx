import type { Info } from '../../client/answers.ts';
import { isAssetSymbol } from '../../contract/assets.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Empty } from '../components/empty.tsx';
import { Json } from '../components/json.tsx';
import type { Page } from '../page.ts';
import { type ChainTransaction, READERS } from './readers.ts';

type Chain = Info['chains'][number];

export const chainTransaction: Page = {
  path: '/chain/:symbol/:txHash',
  title: 'Transaction on chain',
  parent: '/chains',
  isLive: true,
  async render({ api, params: { symbol = '', txHash = '' }, origin }) {
    const chain = (await api.info()).chains.find(each => each.symbol === symbol);
    if (!chain || !isAssetSymbol(symbol))
      return (
        <Empty>
          There is no chain for {symbol}. Choose one of <a href="/console/chains">the chains</a>.
        </Empty>
      );
    const found = chain.embedded ? await READERS[symbol](api, chain.url, txHash) : undefined;
    return (
      <>
        <p class="hash">
          <Copyable text={txHash} />
        </p>
        {found ? <Found of={found} symbol={symbol} /> : null}
        {!found && chain.embedded ? <NotFound chain={chain} /> : null}
        <Source chain={chain} origin={origin} txHash={txHash} />
        {found ? <Json of={found.raw} /> : null}
      </>
    );
  },
};

const OUTCOMES: Record<ChainTransaction['outcome'], Tone> = {
  WAITING: 'busy',
  SUCCEEDED: 'good',
  FAILED: 'bad',
};

const Found = ({ of: { outcome, code, height, from, to, amount, fee }, symbol }: Found) => (
  <DefinitionList
    of={[
      [
        'Outcome',
        <>
          <Badge of={outcome} tone={OUTCOMES[outcome]} /> {code}
        </>,
      ],
      ['Block', height ?? 'none yet'],
      ['From', <Copyable text={from} />],
      ['To', to && <Copyable text={to} />],
      ['Amount', amount && `${amount} ${symbol}`],
      ['Fee', fee && `${fee} ${symbol}`],
    ]}
  />
);
interface Found {
  of: ChainTransaction;
  symbol: string;
}

const NotFound = ({ chain }: { chain: Chain }) => (
  <Empty>
    {chain.name} has no transaction with this hash. It was never broadcast, or it was dropped, or a
    reorganisation or a restart of the chain removed it. Look at <a href="/console/chains">the chain</a>.
  </Empty>
);

const Source = ({ chain, origin, txHash }: { chain: Chain; origin: string; txHash: string }) => {
  if (chain.embedded)
    return (
      <p>
        Source: the embedded {chain.network} at <Copyable text={origin + chain.url} />
      </p>
    );
  const page = chain.explorer?.replace('{hash}', encodeURIComponent(txHash));
  return (
    <p>
      The chain is {chain.name}.{' '}
      {page ? <a href={page}>Look up the hash in its explorer</a> : 'Look up the hash in its explorer'}, or
      ask <Copyable text={chain.url} />
    </p>
  );
};
