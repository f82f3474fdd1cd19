import type { Answers } from '../../client/answers.ts';
import { type Column, DataTable, Pager, pageSize } from '../components/table.tsx';
import { Copyable, Note } from '../components/text.tsx';
import { Badge, Time, TransactionLink, UserLink, VerificationLink } from '../components/values.tsx';
import type { Page } from '../page.ts';
import { BalancesOverTime, type Change } from '../pictures/balances-over-time.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { moneyNote } from '../texts/of-records.ts';
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
        <Pager {...pager} of={DEPOSITS} list={texts.deposits} shown={deposits.deposits.length} next={deposits.next} />
      </>
    );
  },
};

type Balance = Answers['balances']['balances'][number];
type Figure = 'credited' | 'reserved' | 'paidOut' | 'value';

const figure = (head: string, name: Figure): Column<Balance> => ({
  head,
  numeric: true,
  line: name !== 'reserved',
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
        { head: money.address, bare: true, line: true, cell: ({ address }) => <Copyable text={address} ends={10} /> },
        figure(money.credited, 'credited'),
        figure(money.reserved, 'reserved'),
        figure(money.paidOut, 'paidOut'),
        figure(money.balance, 'value'),
      ]}
    />
  );
};

type Transfer = Answers['transfers']['transfers'][number];
type Deposit = Answers['deposits']['deposits'][number];

interface Pictured {
  symbol: string;
  changes: Change[];
  now: Map<string, number>;
}

/** For each symbol what a picture of its balances shows. Numbers are good enough for drawing. */
const pictured = (
  balances: readonly Balance[],
  transfers: readonly Transfer[],
  deposits: readonly Deposit[],
): Pictured[] =>
  [...new Set(balances.map(({ symbol }) => symbol))].map(symbol => {
    const own = balances.filter(each => each.symbol === symbol);
    const nameOf = (address: string) => own.find(each => each.address === address)?.userId ?? address.slice(0, 12);
    return {
      symbol,
      now: new Map(own.map(({ address, value }) => [nameOf(address), Number(value)])),
      changes: [
        ...deposits
          .filter(each => each.symbol === symbol && each.status === 'CREDITED')
          .map(({ at, address, amount }) => change(at, nameOf(address), Number(amount), 'deposit')),
        ...transfers
          .filter(each => each.symbol === symbol && each.transactionStatus !== 'CANCELED')
          .map(({ createdAt, from, amount }) => change(createdAt, nameOf(from), -Number(amount), 'transfer')),
      ],
    };
  });

const change = (at: string, user: string, amount: number, what: Change['what']): Change => ({
  at: Date.parse(at),
  user,
  amount,
  what,
});

const Deposits = ({ rows }: { rows: readonly Deposit[] }) => {
  const texts = useTexts();
  const { money, list, verification } = texts;
  return (
    <DataTable
      empty={money.noDeposit}
      caption={money.depositsCaption}
      rows={rows}
      idOf={({ symbol, txHash, address }) => `deposit-${symbol}-${txHash}-${address}`.replaceAll(':', '_')}
      isLoud={({ status }) => status === 'REORGANISED'}
      columns={[
        { head: money.blockTime, bare: true, cell: ({ at }) => <Time at={at} clock="machine" /> },
        {
          head: verification.amount,
          bare: true,
          line: true,
          numeric: true,
          cell: ({ amount, symbol }) => (
            <>
              {amount} {symbol}
            </>
          ),
        },
        // Final on chain is not enough: nobody has named it.
        {
          head: verification.status,
          bare: true,
          cell: ({ status }) => (status === 'CONFIRMED' ? <Badge of={status} tone="warn" /> : <Badge of={status} />),
        },
        { head: verification.to, line: true, cell: ({ address }) => <Copyable text={address} ends={6} /> },
        { head: verification.from, line: true, cell: ({ from }) => <Copyable text={from} ends={4} /> },
        { head: list.transaction, line: true, cell: row => <Transaction of={row} /> },
        {
          head: verification.verification,
          bare: true,
          cell: ({ verificationUuid, status, amount, symbol }) =>
            status === 'CONFIRMED' ? (
              <a href={`/console/verifications?search=${amount}&symbol=${symbol}`}>{money.unnamed}</a>
            ) : (
              <VerificationLink uuid={verificationUuid} />
            ),
        },
      ]}
      more={({ status, note }) => <Note>{moneyNote({ kind: 'deposit', status, note }, texts)}</Note>}
    />
  );
};

const Transaction = ({ of: { symbol, txHash, height } }: { of: Deposit }) => (
  <>
    <TransactionLink symbol={symbol} txHash={txHash} />
    <br />
    <small>{fill(useTexts().money.block, { height })}</small>
  </>
);
