import type { Answers } from '../../client/answers.ts';
import { UserLink } from '../components/links.tsx';
import { type Column, DataTable, Pager, pageSize } from '../components/table.tsx';
import { Copyable } from '../components/text.tsx';
import type { Page } from '../page.ts';
import { BalancesOverTime } from '../pictures/balances-over-time.tsx';
import { useTexts } from '../texts/languages.ts';
import { pictured } from './changes.ts';
import { Deposits } from './deposits.tsx';
import { Transfers } from './transfers.tsx';

const PATH = '/console/money';
const [TRANSFERS, DEPOSITS] = ['transfers-', 'deposits-'];

const pageOf = (query: Readonly<Record<string, string>>, list: string) => {
  const before = query[`${list}before`];
  return { limit: pageSize(query), ...(before === undefined ? {} : { before }) };
};

export const money: Page = {
  path: '/money',
  title: 'Money',
  group: 'Look',
  home: 'robot',
  isLive: true,
  async render({ api, query, texts: { money: texts } }) {
    const [{ now }, { balances }, newest, transfers, deposits] = await Promise.all([
      api.clock(),
      api.balances(),
      Promise.all([api.transfers(), api.deposits()]),
      api.transfers(pageOf(query, TRANSFERS)),
      api.deposits(pageOf(query, DEPOSITS)),
    ]);
    const pager = { path: PATH, query, total: null };
    return (
      <>
        <h2 id="balances">{texts.balances}</h2>
        <p>{texts.balancesMeaning}</p>
        <Balances rows={balances} />
        <div class="pictures">
          {pictured(balances, newest[0].transfers, newest[1].deposits).map(each => (
            <BalancesOverTime {...each} until={Date.parse(now)} />
          ))}
        </div>
        <h2 id="transfers">{texts.transfers}</h2>
        <p>{texts.transfersMeaning}</p>
        <Transfers rows={transfers.transfers} />
        <Pager
          {...pager}
          of={TRANSFERS}
          list={texts.transfers}
          shown={transfers.transfers.length}
          next={transfers.next}
        />
        <h2 id="deposits">{texts.deposits}</h2>
        <p>{texts.depositsMeaning}</p>
        <Deposits rows={deposits.deposits} />
        <Pager
          {...pager}
          of={DEPOSITS}
          list={texts.deposits}
          shown={deposits.deposits.length}
          next={deposits.next}
        />
      </>
    );
  },
};

type Balance = Answers['balances']['balances'][number];
type Figure = 'credited' | 'reserved' | 'paidOut' | 'value';

const figure = (head: string, name: Figure): Column<Balance> => ({
  head,
  numeric: true,
  cell: row => (name === 'value' ? <strong>{row[name]}</strong> : row[name]),
});

const Balances = ({ rows }: { rows: readonly Balance[] }) => {
  const { money, list } = useTexts();
  return (
    <DataTable
      empty={money.noBalance}
      caption={money.balancesCaption}
      rows={rows}
      idOf={({ symbol, address }) => `balance-${symbol}-${address.replace(':', '_')}`}
      columns={[
        { head: list.user, bare: true, cell: ({ userId }) => <UserLink id={userId} /> },
        { head: list.symbol, bare: true, cell: ({ symbol }) => symbol },
        { head: money.address, bare: true, cell: ({ address }) => <Copyable text={address} ends={10} /> },
        figure(money.credited, 'credited'),
        figure(money.reserved, 'reserved'),
        figure(money.paidOut, 'paidOut'),
        figure(money.balance, 'value'),
      ]}
    />
  );
};
