import type { Info, SandboxAnswers } from '../../client/answers.ts';
import { type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Facts } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { type Typed, typedInto } from '../components/form-values.ts';
import { lasting } from '../components/time.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import type { Page } from '../page.ts';
import { Knob } from './knob.tsx';
import { KNOB_FORMS, parametersOf } from './knobs.ts';

type Chain = Info['chains'][number];
type Reading = SandboxAnswers['health']['chains'][number];

export const chains: Page = {
  path: '/chains',
  title: 'Chains',
  inNavigation: true,
  isLive: true,
  async render({ api, origin, form }) {
    const [{ chains: all }, health] = await Promise.all([api.info(), api.health()]);
    return all.map(chain => (
      <ChainSection
        chain={chain}
        reading={health.chains.find(({ symbol }) => symbol === chain.symbol)}
        origin={origin}
        sent={form}
      />
    ));
  },
  actions: {
    async knob({ api }, { symbol = '', knob = '', ...form }) {
      const known = isAssetSymbol(symbol) ? KNOB_FORMS[symbol][knob] : undefined;
      const { head } = await api.turnKnob(symbol, knob, known ? parametersOf(known, form) : {});
      return {
        kind: 'done',
        text: head
          ? `${symbol}: ${known?.title ?? knob} is done. The head is ${head.height}.`
          : `${symbol}: ${known?.title ?? knob} is done. The chain cannot be reached at the moment.`,
        detail: head ? <Copyable text={head.hash} ends={10} /> : undefined,
      };
    },
    async faucet({ api }, { symbol = '', address = '', amount = '' }) {
      const { txHash } = await api.faucet(symbol, address.trim(), amount.trim());
      return {
        kind: 'done',
        text: `${amount.trim()} ${symbol} are at ${address.trim()}.`,
        detail: <TransactionLink symbol={symbol} txHash={txHash} />,
      };
    },
  },
};

interface ChainSection {
  chain: Chain;
  reading: Reading | undefined;
  origin: string;
  /** The form that was just sent. */
  sent: Typed | undefined;
}

const ChainSection = ({ chain, reading, origin, sent }: ChainSection) => (
  <section id={`chain-${chain.symbol}`} class="chain">
    <h2>
      {chain.symbol}: {chain.network} {chain.head === null ? <Badge of="DOWN" /> : <Badge of="UP" />}
    </h2>
    <Facts
      of={[
        ['Where', chain.embedded ? 'embedded in this program' : 'given by URL'],
        ['Address', <Copyable text={chain.embedded ? origin + chain.url : chain.url} />],
        ['Network id', chain.id === null ? 'not known: the chain does not answer' : chain.id],
        ['Head', chain.head === null ? 'not known' : chain.head],
        ['Age of the head', chain.headAgeMs === null ? undefined : lasting(chain.headAgeMs)],
        ['Read by the robot', reading && (reading.why ?? `up to ${reading.readUpTo}`)],
      ]}
    />
    {reading?.funds.length ? <Funds of={reading} /> : null}
    {chain.embedded ? <Controls symbol={chain.symbol as AssetSymbol} sent={sent} /> : <NoControls />}
  </section>
);

/** Of a chain by URL: what the robot pays its fees with. */
const Funds = ({ of: { symbol, funds } }: { of: Reading }) => (
  <DataTable
    caption={`Funds of the robot in ${symbol}`}
    rows={funds}
    idOf={({ address }) => `funds-${symbol}-${address}`}
    columns={[
      { head: 'Account of the robot', cell: ({ address }) => <Copyable text={address} ends={10} /> },
      { head: 'Can spend', numeric: true, cell: ({ balance }) => `${balance} ${symbol}` },
      { head: '', cell: ({ isLow }) => (isLow ? <Badge of="LOW" tone="bad" /> : null) },
    ]}
  />
);

const NoControls = () => (
  <p class="empty">
    This chain belongs to somebody else, so it cannot be steered from here: no knobs, no faucet. Start the
    program without its URL to get an embedded chain with both.
  </p>
);

const Controls = ({ symbol, sent }: { symbol: AssetSymbol; sent: Typed | undefined }) => (
  <>
    <h3>Faucet</h3>
    <Faucet symbol={symbol} typed={typedInto(sent, { symbol })} />
    <h3>Knobs</h3>
    <div class="cards">
      {Object.entries(KNOB_FORMS[symbol]).map(([name, form]) => (
        <Knob symbol={symbol} name={name} form={form} sent={sent} />
      ))}
    </div>
  </>
);

const Faucet = ({ symbol, typed }: { symbol: AssetSymbol; typed: Typed }) => (
  <form id={`faucet-${symbol}`} class="action" method="post" action="/console/chains/faucet" hx-morph-skip>
    <input type="hidden" name="symbol" value={symbol} />
    <Field name="address" label="Address" value={typed.address} placeholder={EXAMPLE[symbol]} required code />
    <Field name="amount" label={`Amount in ${symbol}`} value={typed.amount ?? '100'} required />
    <button type="submit">Fund</button>
  </form>
);

const EXAMPLE: Record<AssetSymbol, string> = { ETH: '0x…', XRP: 'r… or r…:tag' };
