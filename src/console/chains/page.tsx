import type { Child } from 'hono/jsx';
import type { Answers, Info } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { ChainFacts } from '../components/chain-facts.tsx';
import { ActionForm, Field } from '../components/form.tsx';
import { Copyable } from '../components/text.tsx';
import { Badge, TransactionLink } from '../components/values.tsx';
import type { Page } from '../page.ts';
import { type Block, LastBlocks } from '../pictures/last-blocks.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { ChainControl, CONTROL_FORMS, parametersOf } from './chain-control.tsx';

type Chain = Info['chains'][number];
type Reading = Answers['health']['chains'][number];

export const chains: Page = {
  path: '/chains',
  title: 'Chains',
  group: 'Steer',
  home: 'robot',
  isLive: true,
  async render({ api, origin }) {
    const [{ chains: all, hosted }, health, { deposits }, { transfers }] = await Promise.all([
      api.info(),
      api.health(),
      api.deposits(),
      api.transfers(),
    ]);
    const payments = {
      deposits: new Set(deposits.map(({ txHash }) => txHash.toLowerCase())),
      payouts: new Set(transfers.flatMap(({ txHash }) => txHash?.toLowerCase() ?? [])),
    };
    const blocks = await Promise.all(
      all.map(({ symbol, url, head, embedded }) =>
        embedded && head !== null && isAssetSymbol(symbol) ? readBlocks(api, symbol, url, head) : [],
      ),
    );
    return all.map((chain, index) => (
      <ChainSection
        chain={chain}
        isShared={hosted}
        picture={
          blocks[index]!.length === 0 ? null : (
            <LastBlocks symbol={chain.symbol} blocks={blocks[index]!} {...payments} />
          )
        }
        reading={health.chains.find(({ symbol }) => symbol === chain.symbol)!}
        origin={origin}
      />
    ));
  },
  actions: {
    async control({ api, texts: { chains: texts, controls } }, { symbol = '', control = '', ...form }) {
      const controlForm = isAssetSymbol(symbol)
        ? CONTROL_FORMS[symbol].find(each => each.control === control)
        : undefined;
      const { head } = await api.setControl(symbol, control, controlForm ? parametersOf(controlForm, form) : {});
      const done = fill(texts.done, { symbol, control: controlForm ? controls[controlForm.text].title : control });
      return {
        kind: 'done',
        text: `${done} ${head ? fill(texts.newestIs, { height: head.height }) : texts.silent}`,
        detail: head ? <Copyable text={head.hash} ends={10} /> : undefined,
      };
    },
    async faucet({ api, texts }, { symbol = '', address = '', amount = '' }) {
      const { txHash } = await api.faucet(symbol, address.trim(), amount.trim());
      return {
        kind: 'done',
        text: fill(texts.chains.paid, { amount: `${amount.trim()} ${symbol}`, address: address.trim() }),
        detail: <TransactionLink symbol={symbol} txHash={txHash} />,
      };
    },
  },
};

interface ChainSection {
  chain: Chain;
  /** Only its operator may turn the controls. */
  isShared: boolean;
  picture: Child;
  reading: Reading;
  origin: string;
}

const ChainSection = ({ chain, isShared, picture, reading, origin }: ChainSection) => {
  return (
    <section id={`chain-${chain.symbol}`} class="chain">
      <h2>
        {chain.symbol}: {chain.name} <Badge of={reading.isRead ? 'UP' : 'DOWN'} />
      </h2>
      <ChainFacts of={reading} chain={chain} origin={origin} />
      {picture}
      {chain.embedded ? <Controls symbol={chain.symbol as AssetSymbol} isShared={isShared} /> : <NoControls />}
    </section>
  );
};

const NoControls = () => <p class="empty">{useTexts().chains.noControls}</p>;

const Controls = ({ symbol, isShared }: { symbol: AssetSymbol; isShared: boolean }) => (
  <>
    <h3>{useTexts().chains.faucet}</h3>
    <Faucet symbol={symbol} />
    <h3>{useTexts().chains.controls}</h3>
    {isShared ? (
      <p class="empty">{useTexts().chains.onlyOperator}</p>
    ) : (
      <div class="cards">
        {CONTROL_FORMS[symbol].map(each => (
          <ChainControl symbol={symbol} of={each} />
        ))}
      </div>
    )}
  </>
);

const Faucet = ({ symbol }: { symbol: AssetSymbol }) => {
  const { chains } = useTexts();
  return (
    <ActionForm id={`faucet-${symbol}`} to="/console/chains/faucet" values={{ symbol }} label={chains.fund} keeps>
      <Field
        name="address"
        label={chains.address}
        placeholder={symbol === 'XRP' ? chains.xrpHint : '0x…'}
        required
        code
      />
      <Field name="amount" label={fill(chains.amountIn, { symbol })} value="100" required />
    </ActionForm>
  );
};

const SHOWN = 6;

/** The last blocks of an embedded chain, oldest first, and its pool. None while it does not answer. */
const readBlocks = (api: Client, symbol: AssetSymbol, url: string, head: number): Promise<Block[]> =>
  READERS[symbol](api, url, heights(head));

const heights = (head: number): number[] =>
  Array.from({ length: SHOWN }, (_, index) => head - SHOWN + 1 + index).filter(height => height >= 0);

const READERS: Record<AssetSymbol, (api: Client, url: string, heights: number[]) => Promise<Block[]>> = {
  async ETH(api, url, wanted) {
    const calls = [...wanted.map(height => `0x${height.toString(16)}`), 'pending'].map((block, id) => ({
      jsonrpc: '2.0',
      id,
      method: 'eth_getBlockByNumber',
      params: [block, false],
    }));
    const { body } = await api.call<{ id: number; result?: EthereumBlock | null }[]>('POST', url, calls);
    if (!Array.isArray(body)) return [];
    return body
      .sort((a, b) => a.id - b.id)
      .flatMap(({ id, result }) => {
        if (!result) return [];
        const height = wanted[id];
        const at = height === undefined ? null : new Date(Number(result.timestamp) * 1000).toISOString();
        return [{ height: height ?? null, at, hashes: result.transactions }];
      });
  },
  async XRP(api, url, wanted) {
    const ledgers = await Promise.all(
      wanted.map(async height => {
        const body = { method: 'ledger', params: [{ ledger_index: height, transactions: true }] };
        const answer = await api.call<{ result?: { ledger?: XrplLedger } }>('POST', url, body);
        const ledger = answer.body?.result?.ledger;
        return ledger && { height, at: ledger.close_time_iso ?? null, hashes: ledger.transactions ?? [] };
      }),
    );
    return ledgers.filter(each => each !== undefined);
  },
};

interface EthereumBlock {
  timestamp: string;
  transactions: string[];
}
interface XrplLedger {
  close_time_iso?: string;
  transactions?: string[];
}
