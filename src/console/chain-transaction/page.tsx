import type { Info } from '../../client/answers.ts';
import { isAssetSymbol } from '../../contract/assets.ts';
import { Json } from '../components/json.tsx';
import { Copyable, DefinitionList, Empty, Prose } from '../components/text.tsx';
import { Badge, type Tone, VerificationLink } from '../components/values.tsx';
import type { Page } from '../page.ts';
import { useTexts } from '../texts/languages.ts';
import { type ChainTransaction, READERS } from './readers.ts';

type Chain = Info['chains'][number];

export const chainTransaction: Page = {
  path: '/chain/:symbol/:txHash',
  title: 'Transaction on chain',
  parent: '/chains',
  servedBy: 'robot',
  isLive: true,
  async render({ api, params: { symbol = '', txHash = '' }, origin, texts }) {
    const chain = (await api.info()).chains.find(each => each.symbol === symbol);
    if (!chain || !isAssetSymbol(symbol)) return <Empty of={texts.chainTransaction.noChain} with={{ symbol }} />;
    const found = chain.embedded ? await READERS[symbol](api, chain.url, txHash) : undefined;
    const { verifications } = found ? await api.verifications({ search: txHash }) : { verifications: [] };
    return (
      <>
        <p class="hash">
          <Copyable text={txHash} />
        </p>
        {found ? (
          <Found
            of={found}
            symbol={symbol}
            uuids={verifications
              .filter(each => each.txHash?.toLowerCase() === txHash.toLowerCase())
              .map(({ verificationUuid }) => verificationUuid)}
          />
        ) : null}
        {!found && chain.embedded ? <NotFound chain={chain} /> : null}
        <Source chain={chain} origin={origin} txHash={txHash} />
        {found ? <Json of={found.raw} /> : null}
      </>
    );
  },
};

const OUTCOMES: Record<ChainTransaction['outcome'], Tone> = { WAITING: 'busy', SUCCEEDED: 'good', FAILED: 'bad' };

const Found = ({ of: { outcome, code, height, from, to, amount, fee }, symbol, uuids }: Found) => {
  const { chainTransaction: texts, verification, callback, pages } = useTexts();
  return (
    <DefinitionList
      of={[
        [
          texts.outcome,
          <>
            <Badge of={outcome} tone={OUTCOMES[outcome]} /> {code}
          </>,
        ],
        [texts.block, height ?? callback.noneYet],
        [verification.from, <Copyable text={from} />],
        [verification.to, to && <Copyable text={to} />],
        [verification.amount, amount && `${amount} ${symbol}`],
        [texts.fee, fee && `${fee} ${symbol}`],
        [pages.Verification, uuids.length === 0 ? undefined : uuids.map(uuid => <VerificationLink uuid={uuid} />)],
      ]}
    />
  );
};
interface Found {
  of: ChainTransaction;
  symbol: string;
  /** Of the verifications that name it. */
  uuids: readonly string[];
}

const NotFound = ({ chain }: { chain: Chain }) => (
  <Empty of={useTexts().chainTransaction.unknown} with={{ chain: chain.name }} />
);

const Source = ({ chain, origin, txHash }: { chain: Chain; origin: string; txHash: string }) => {
  const texts = useTexts().chainTransaction;
  if (chain.embedded)
    return (
      <p>
        <Prose of={texts.source} with={{ network: chain.network, address: <Copyable text={origin + chain.url} /> }} />
      </p>
    );
  const page = chain.explorer?.replace('{hash}', encodeURIComponent(txHash));
  return (
    <p>
      <Prose
        of={texts.outside}
        with={{
          chain: chain.name,
          explorer: page ? <a href={page}>{texts.explorer}</a> : texts.explorer,
          address: <Copyable text={chain.url} />,
        }}
      />
    </p>
  );
};
