import type { Answers } from '../client/client.ts';
import { type Roles, serves } from '../contract/tenancy.ts';
import { access } from './access/page.tsx';
import { assessments } from './assessments/page.tsx';
import { callbacks } from './callbacks/page.tsx';
import { chainTransaction } from './chain-transaction/page.tsx';
import { chains } from './chains.tsx';
import { checkRun } from './check-run/page.tsx';
import { checks } from './checks/page.tsx';
import { type Column, DataTable, Pager, pageSize, withQuery } from './components/table.tsx';
import { Copyable, Fold, Note } from './components/text.tsx';
import { Badge, Time, TransactionLink, UserLink, VerificationLink, verificationColumn } from './components/values.tsx';
import { exchanges } from './exchanges/page.tsx';
import { faults } from './faults/page.tsx';
import { deposit } from './guided-tests/deposit.tsx';
import { guidedTests } from './guided-tests/page.tsx';
import { ivms101 } from './ivms101/page.tsx';
import { keys } from './keys/page.tsx';
import { operator } from './operator/page.tsx';
import { overview } from './overview.tsx';
import type { Audience, Page } from './page.ts';
import { BalancesOverTime, type Change } from './pictures/balances-over-time.tsx';
import { send } from './send/page.tsx';
import { settings } from './settings.tsx';
import type { Texts } from './texts/english.ts';
import { counted, fill, useTexts } from './texts/languages.ts';
import { timers } from './timers/page.tsx';
import { usage } from './usage/page.tsx';
import { user } from './user/page.tsx';
import { users } from './users/page.tsx';
import { verification } from './verification/page.tsx';
import { verifications } from './verifications/page.tsx';

type Signed = Transfer['transactions'][number];

const Transfers = ({ rows }: { rows: readonly Transfer[] }) => {
  const { money, list, verification } = useTexts();
  return (
    <DataTable
      empty={money.noTransfer}
      caption={money.transfersCaption}
      rows={rows}
      idOf={({ verificationUuid }) => `transfer-${verificationUuid}`}
      more={row => (row.transactions.length === 0 ? null : <Hashes of={row} />)}
      columns={[
        { head: verification.requested, bare: true, cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          head: verification.amount,
          bare: true,
          line: true,
          numeric: true,
          cell: ({ amount, symbol }) => `${amount} ${symbol}`,
        },
        { head: verification.status, bare: true, line: true, cell: row => <Status of={row} /> },
        { head: list.user, line: true, cell: ({ userId }) => <UserLink id={userId} /> },
        { head: verification.to, line: true, cell: ({ to }) => <Copyable text={to} ends={6} /> },
        {
          head: list.transaction,
          line: true,
          cell: ({ symbol, txHash }) => <TransactionLink symbol={symbol} txHash={txHash} />,
        },
        verificationColumn(useTexts()),
      ]}
    />
  );
};

const Status = ({ of: { transactionStatus, why } }: { of: Transfer }) => (
  <>
    <Badge of={transactionStatus} />
    <br />
    <Note>{why}</Note>
  </>
);

const Hashes = ({ of: { verificationUuid, symbol, transactions, reportedTxHash } }: { of: Transfer }) => {
  const { money } = useTexts();
  return (
    <Fold
      id={`hashes-${verificationUuid}`}
      summary={
        <small>
          {counted(money.signed, transactions.length)},{' '}
          {reportedTxHash === null ? money.notReported : money.oneReported}
        </small>
      }
    >
      <ul>
        {transactions.map(signed => (
          <li>
            <TransactionLink symbol={symbol} txHash={signed.txHash} />{' '}
            <small>
              {summaryOf(signed, money)}
              {signed.txHash === reportedTxHash ? `, ${money.isReported}` : ''}
            </small>
          </li>
        ))}
      </ul>
    </Fold>
  );
};

const summaryOf = ({ number, fee, rejection }: Signed, texts: Texts['money']): string =>
  [
    fill(texts.number, { nonce: number }),
    ...Object.entries(fee).map(([part, bid]) => `${part} ${bid}`),
    ...(rejection === null ? [] : [fill(texts.refused, { reason: rejection })]),
  ].join(', ');

const PATH = '/console/money';
/** The tabs. Default: the first one. */
const LISTS = ['transfers', 'deposits'] as const;
type List = (typeof LISTS)[number];

const pageOf = (query: Readonly<Record<string, string>>) => ({
  limit: pageSize(query),
  ...(query.before === undefined ? {} : { before: query.before }),
});

/** A tab for each list. */
const Tabs = ({ current }: { current: List }) => {
  const texts = useTexts().money;
  return (
    <>
      <nav class="views" id="payments" aria-label={texts.views}>
        {LISTS.map(each => (
          <a
            href={`${withQuery(PATH, each === 'transfers' ? {} : { list: each })}#payments`}
            aria-current={each === current ? 'page' : undefined}
          >
            {texts[each]}
          </a>
        ))}
      </nav>
      <p>{current === 'transfers' ? texts.transfersMeaning : texts.depositsMeaning}</p>
    </>
  );
};

const money: Page = {
  path: '/money',
  title: 'Money',
  group: 'Look',
  servedBy: 'robot',
  isLive: true,
  async render({ api, query, texts: { money: texts } }) {
    const list = LISTS.find(each => each === query.list) ?? LISTS[0];
    const [{ now }, { balances }, { transfers }, { payments: deposits }, paid, received] = await Promise.all([
      api.clock(),
      api.balances(),
      api.transfers(),
      api.receivedPayments(),
      list === 'transfers' ? api.transfers(pageOf(query)) : undefined,
      list === 'deposits' ? api.receivedPayments(pageOf(query)) : undefined,
    ]);
    const pager = { path: PATH, query, total: null, list: texts[list] };
    return (
      <>
        <h2 id="balances">{texts.balances}</h2>
        <p>{texts.balancesMeaning}</p>
        <Balances rows={balances} />
        <div class="pictures">
          {pictured(balances, transfers, deposits).map(each => (
            <BalancesOverTime {...each} until={Date.parse(now)} />
          ))}
        </div>
        <Tabs current={list} />
        {paid ? (
          <>
            <Transfers rows={paid.transfers} />
            <Pager {...pager} shown={paid.transfers.length} next={paid.next} />
          </>
        ) : null}
        {received ? (
          <>
            <Deposits rows={received.payments} />
            <Pager {...pager} shown={received.payments.length} next={received.next} />
          </>
        ) : null}
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
type Deposit = Answers['receivedPayments']['payments'][number];

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
          .filter(each => each.symbol === symbol)
          .flatMap(({ creditedAt, address, amount }) =>
            creditedAt === null ? [] : [change(creditedAt, nameOf(address), Number(amount), 'deposit')],
          ),
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
        // A ledger has a clock of its own: a payment that is not credited has only its block.
        { head: money.block, cell: ({ height }) => height },
        { head: money.credited, bare: true, cell: ({ creditedAt }) => (creditedAt ? <Time at={creditedAt} /> : '') },
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
        {
          head: list.transaction,
          line: true,
          cell: ({ symbol, txHash }) => <TransactionLink symbol={symbol} txHash={txHash} />,
        },
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
      more={({ note }) => <Note>{note}</Note>}
    />
  );
};

/** All pages. Each group of the navigation has the same order. Each page has a folder of its own. */
export const PAGES: readonly Page[] = [
  overview,
  guidedTests,
  deposit,
  checks,
  checkRun,
  send,
  ivms101,
  verifications,
  verification,
  callbacks,
  exchanges,
  money,
  assessments,
  timers,
  faults,
  chains,
  chainTransaction,
  users,
  user,
  settings,
  keys,
  access,
  usage,
  operator,
];

/** Without an audience of its own a page is for VASPs of both modes. `roles`: those of the process. */
export const isFor = (
  { audience = ['local', 'hosted VASP'], servedBy = 'all' }: Page,
  who: Audience,
  roles: Roles = 'both',
): boolean => audience.includes(who) && serves(servedBy, roles);
