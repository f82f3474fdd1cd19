import type { Client } from '../client/client.ts';
import { ASSET_SYMBOLS, type AssetSymbol, CONTROLS, isAssetSymbol } from '../contract/assets.ts';
import { ChainFacts } from './components/chain-facts.tsx';
import { ActionForm, Checkbox, Field, numberIn } from './components/form.tsx';
import { Copyable } from './components/text.tsx';
import { Badge, TransactionLink } from './components/values.tsx';
import type { Page } from './page.ts';
import { type Block, LastBlocks } from './pictures/last-blocks.tsx';
import type { Texts } from './texts/english.ts';
import { fill, useTexts } from './texts/languages.ts';

/** The controls of the embedded chains as forms, made of their schemas. */

type Schema = { safeParse(value: unknown): { success: boolean } };
type FieldName = keyof Texts['controlFields'];
interface ControlForm {
  control: string;
  text: keyof Texts['controls'];
  fields: readonly { name: FieldName; kind: 'whole' | 'yes' | 'text' }[];
  /** It is switched on and off by two buttons. */
  isSwitch: boolean;
  /** It cannot be undone. */
  isFinal: boolean;
}

const FINAL = ['start-over', 'forget-history'];
/** The same chain control of the other chain means something else. */
const OF_BOTH = ['hold', 'drop'];

const kindOf = (schema: Schema) =>
  schema.safeParse(true).success ? 'yes' : schema.safeParse(1).success ? 'whole' : 'text';

const formsOf = (symbol: AssetSymbol): ControlForm[] =>
  Object.entries(CONTROLS[symbol]).map(([control, { shape }]) => {
    const members = Object.entries(shape as Record<string, Schema>);
    return {
      control,
      text: (OF_BOTH.includes(control) ? `${control}-${symbol}` : control) as ControlForm['text'],
      fields: members
        .filter(([name]) => name !== 'on')
        .map(([name, schema]) => ({ name: name as FieldName, kind: kindOf(schema) })),
      isSwitch: members.some(([name]) => name === 'on'),
      isFinal: FINAL.includes(control),
    };
  });

const CONTROL_FORMS = Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, formsOf(symbol)])) as Record<
  AssetSymbol,
  ControlForm[]
>;

/** Form values -> body of the API call. Empty fields are left out. */
function parametersOf({ fields }: ControlForm, form: Record<string, string>): Record<string, unknown> {
  const parameters: Record<string, unknown> = form.on === undefined ? {} : { on: form.on === 'true' };
  for (const { name, kind } of fields) {
    const text = (form[name] ?? '').trim();
    if (kind === 'yes') parameters[name] = text !== '';
    else if (text !== '') parameters[name] = kind === 'whole' ? numberIn(text) : text;
  }
  return parameters;
}

const VALUES: Partial<Record<FieldName, string>> = {
  blocks: '1',
  depth: '1',
  baseFee: '500000000000',
  closes: '2',
  factor: '10',
};

const ChainControl = ({ symbol, of }: { symbol: string; of: ControlForm }) => {
  const { control, text, fields, isSwitch, isFinal } = of;
  const { controls, chains } = useTexts();
  const { title, meaning } = controls[text];
  const switches = [
    { label: chains.hold, name: 'on', value: 'true' },
    { label: chains.release, name: 'on', value: 'false' },
  ];
  return (
    <article>
      <h4>{title}</h4>
      <p>{meaning}</p>
      <ActionForm
        id={`control-${symbol}-${control}`}
        to="/console/chains/control"
        values={{ symbol, control }}
        label={isSwitch ? switches : title}
        describe={label => `${symbol}: ${label}`}
        tone={isFinal ? 'contrast' : 'secondary'}
        warning={isFinal ? chains.cannotUndo : undefined}
        keeps
      >
        {fields.map(field => (
          <Input {...field} />
        ))}
      </ActionForm>
    </article>
  );
};

const Input = ({ name, kind }: ControlForm['fields'][number]) => {
  const label = useTexts().controlFields[name];
  return kind === 'yes' ? (
    <Checkbox name={name} label={label} />
  ) : (
    <Field name={name} label={label} value={VALUES[name]} type={kind === 'whole' ? 'number' : 'text'} required />
  );
};

export const chains: Page = {
  path: '/chains',
  title: 'Chains',
  group: 'Steer',
  servedBy: 'robot',
  isLive: true,
  async render({ api, origin, texts: { chains: texts } }) {
    const [{ chains: all, hosted }, health, { payments: deposits }, { transfers }] = await Promise.all([
      api.info(),
      api.health(),
      api.receivedPayments(),
      api.transfers(),
    ]);
    const payments = {
      deposits: new Set(deposits.map(({ txHash }) => txHash.toLowerCase())),
      payouts: new Set(transfers.flatMap(({ txHash }) => txHash?.toLowerCase() ?? [])),
    };
    const blocks = await Promise.all(
      all.map(({ symbol, url, head, embedded }) =>
        embedded && head !== null && isAssetSymbol(symbol) ? READERS[symbol](api, url, heights(head)) : [],
      ),
    );
    return all.map((chain, index) => {
      const { symbol, name, embedded } = chain;
      const reading = health.chains.find(each => each.symbol === symbol)!;
      return (
        <section id={`chain-${symbol}`} class="chain">
          <h2>
            {symbol}: {name} <Badge of={reading.isRead ? 'UP' : 'DOWN'} />
          </h2>
          <ChainFacts of={reading} chain={chain} origin={origin} />
          {blocks[index]!.length === 0 ? null : <LastBlocks symbol={symbol} blocks={blocks[index]!} {...payments} />}
          {embedded ? (
            <Controls symbol={symbol as AssetSymbol} isShared={hosted} />
          ) : (
            <p class="empty">{texts.noControls}</p>
          )}
        </section>
      );
    });
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

/** `isShared`: only its operator may turn the controls. */
const Controls = ({ symbol, isShared }: { symbol: AssetSymbol; isShared: boolean }) => {
  const { chains: texts } = useTexts();
  const hint = symbol === 'XRP' ? texts.xrpHint : '0x…';
  return (
    <>
      <h3>{texts.faucet}</h3>
      <ActionForm id={`faucet-${symbol}`} to="/console/chains/faucet" values={{ symbol }} label={texts.fund} keeps>
        <Field name="address" label={texts.address} placeholder={hint} required code />
        <Field name="amount" label={fill(texts.amountIn, { symbol })} value="100" required />
      </ActionForm>
      <h3>{texts.controls}</h3>
      {isShared ? (
        <p class="empty">{texts.onlyOperator}</p>
      ) : (
        <div class="cards">
          {CONTROL_FORMS[symbol].map(each => (
            <ChainControl symbol={symbol} of={each} />
          ))}
        </div>
      )}
    </>
  );
};

const SHOWN = 6;
const heights = (head: number): number[] =>
  Array.from({ length: SHOWN }, (_, index) => head - SHOWN + 1 + index).filter(height => height >= 0);

/** The last blocks of an embedded chain, oldest first, and its pool. None while it does not answer. */
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
