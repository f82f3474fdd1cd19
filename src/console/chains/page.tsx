import type { Child } from 'hono/jsx';
import type { Answers, Info } from '../../client/answers.ts';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { Badge } from '../components/badge.tsx';
import { ChainFacts } from '../components/chain-facts.tsx';
import { ActionForm, Field } from '../components/form.tsx';
import { TransactionLink } from '../components/links.tsx';
import { Copyable } from '../components/text.tsx';
import type { Page } from '../page.ts';
import { LastBlocks } from '../pictures/last-blocks.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { Knob } from './knob.tsx';
import { KNOB_FORMS, parametersOf } from './knobs.ts';
import { readBlocks } from './read-blocks.ts';

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
    async knob({ api, texts: { chains: texts, knobs } }, { symbol = '', knob = '', ...form }) {
      const knobForm = isAssetSymbol(symbol)
        ? KNOB_FORMS[symbol].find(each => each.knob === knob)
        : undefined;
      const { head } = await api.turnKnob(symbol, knob, knobForm ? parametersOf(knobForm, form) : {});
      const done = fill(texts.done, { symbol, knob: knobForm ? knobs[knobForm.text].title : knob });
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
      {chain.embedded ? (
        <Controls symbol={chain.symbol as AssetSymbol} isShared={isShared} />
      ) : (
        <NoControls />
      )}
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
        {KNOB_FORMS[symbol].map(each => (
          <Knob symbol={symbol} of={each} />
        ))}
      </div>
    )}
  </>
);

const Faucet = ({ symbol }: { symbol: AssetSymbol }) => {
  const { chains } = useTexts();
  return (
    <ActionForm
      id={`faucet-${symbol}`}
      to="/console/chains/faucet"
      values={{ symbol }}
      label={chains.fund}
      keeps
    >
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
