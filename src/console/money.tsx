import type { Answers } from '../client/client.ts';
import { type Column, DataTable, Pager, pageSize, withQuery } from './components/table.tsx';
import { Copyable, Fold, Note, WithReason } from './components/text.tsx';
import {
  amountColumn,
  Badge,
  Time,
  TransactionLink,
  UserLink,
  VerificationLink,
  verificationColumn,
} from './components/values.tsx';
import type { Page } from './page.ts';
import { BalancesOverTime, type Change } from './pictures/balances-over-time.tsx';
import type { Texts } from './texts/english.ts';
import { counted, fill, useTexts } from './texts/languages.ts';

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
        amountColumn(useTexts()),
        {
          head: verification.status,
          bare: true,
          line: true,
          cell: ({ transactionStatus, why }) => (
            <WithReason reason={why}>
              <Badge of={transactionStatus} />
            </WithReason>
          ),
        },
        { head: list.user, line: true, cell: ({ userId }) => <UserLink id={userId} /> },
        { head: verification.to, line: true, cell: ({ to }) => <Copyable text={to} ends={6} /> },
        { head: list.transaction, line: true, cell: row => <TransactionLink {...row} /> },
        verificationColumn(useTexts()),
      ]}
    />
  );
};

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

export const money: Page = {
  path: '/money',
  title: 'Money',
  group: 'Look',
  servedBy: 'robot',
  isLive: true,
  async render({ api, query, texts: { money: texts } }) {
    const list = LISTS.find(each => each === query.list) ?? LISTS[0];
    const position = { limit: pageSize(query), before: query.before };
    const [{ now }, { balances }, { transfers }, { payments: deposits }, paid, received] = await Promise.all([
      api.clock(),
      api.balances(),
      api.transfers(),
      api.receivedPayments(),
      list === 'transfers' ? api.transfers(position) : undefined,
      list === 'deposits' ? api.receivedPayments(position) : undefined,
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
        <nav class="views" id="payments" aria-label={texts.views}>
          {LISTS.map(each => (
            <a
              href={`${withQuery(PATH, each === 'transfers' ? {} : { list: each })}#payments`}
              aria-current={each === list ? 'page' : undefined}
            >
              {texts[each]}
            </a>
          ))}
        </nav>
        <p>{list === 'transfers' ? texts.transfersMeaning : texts.depositsMeaning}</p>
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

/** For each symbol what a picture of its balances shows. Numbers are good enough for drawing. */
const pictured = (balances: readonly Balance[], transfers: readonly Transfer[], deposits: readonly Deposit[]) =>
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

const change = (at: string, user: string, amount: number, what: Change['what']): Change => {
  return { at: Date.parse(at), user, amount, what };
};

const Deposits = ({ rows }: { rows: readonly Deposit[] }) => {
  const texts = useTexts();
  const { money, list, verification } = texts;
  return (
    <DataTable
      empty={money.noDeposit}
      caption={money.depositsCaption}
      rows={rows}
      idOf={({ symbol, txHash, address, vout }) =>
        `deposit-${symbol}-${txHash}-${vout ?? address}`.replaceAll(':', '_')
      }
      isLoud={({ status }) => status === 'REORGANISED'}
      columns={[
        // A ledger has a clock of its own: a payment that is not credited has only its block.
        { head: money.block, cell: ({ height }) => height },
        { head: money.credited, bare: true, cell: ({ creditedAt }) => (creditedAt ? <Time at={creditedAt} /> : '') },
        amountColumn(texts),
        // Final on chain is not enough: nobody has named it.
        {
          head: verification.status,
          bare: true,
          cell: ({ status }) => <Badge of={status} tone={status === 'CONFIRMED' ? 'warn' : undefined} />,
        },
        { head: verification.to, line: true, cell: ({ address }) => <Copyable text={address} ends={6} /> },
        { head: verification.from, line: true, cell: ({ from }) => <Copyable text={from} ends={4} /> },
        { head: list.transaction, line: true, cell: row => <TransactionLink {...row} /> },
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
