import type { SandboxAnswers } from '../../client/answers.ts';
import { isAtLeast } from '../../kernel/decimal.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { withQuery } from '../components/pager.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import type { Action, Page } from '../page.ts';
import { AssetChoice, ResultOf, type TestRun, testRun } from '../tests/about.tsx';
import { inOrder, Steps } from '../tests/steps.tsx';

const PATH = '/console/tests/deposit';
type Query = Record<string, string>;
type Balance = SandboxAnswers['balances']['balances'][number];
type Transfer = SandboxAnswers['transfers']['transfers'][number];
type Callback = SandboxAnswers['callbacks']['callbacks'][number];
const at = (action: string, query: Query) => withQuery(`${PATH}/${action}`, query);
const goOn = (query: Query) => ({ goTo: withQuery(PATH, query) });
const AMOUNT = '0.01';

const verify: Action = async ({ api, query }, { user = '', amount = '', account = '' }) => {
  const { symbol } = await testRun(api, query);
  const wish = {
    symbol,
    user,
    amount: amount.trim(),
    ...(account.trim() ? { account: account.trim() } : {}),
  };
  const { body } = await api.readyRequest('robot-verify-user', wish);
  const { verificationUuid } = await api.letRobotVerifyUser(body as never);
  await api.advance('0s');
  return goOn({ symbol, verificationUuid });
};

const pay: Action = async ({ api, query }) => {
  await api.letRobotWithdraw(query.verificationUuid ?? '');
  await api.advance('0s');
  return goOn(query);
};

const status: Action = async ({ api, query }) => {
  const { transactionStatus } = await api.inquireTransaction(query.verificationUuid ?? '');
  return goOn({ ...query, status: transactionStatus });
};

/** The robot pays, you are paid: four steps. */
export const depositTest: Page = {
  path: '/tests/deposit',
  title: 'Deposit test',
  inNavigation: false,
  isLive: true,
  actions: { verify, pay, status },
  async render({ api, query }) {
    const run = await testRun(api, query);
    const { symbol, verification } = run;
    const verificationUuid = verification?.verificationUuid;
    const [{ balances }, transfer, report] = await Promise.all([
      api.balances(),
      verificationUuid
        ? api.transfers({ verificationUuid }).then(({ transfers }) => transfers[0])
        : undefined,
      verificationUuid
        ? api.callbacks({ verificationUuid }).then(({ callbacks }) => txReport(callbacks))
        : undefined,
    ]);
    return (
      <>
        <p>
          A user of the robot pays your customer: the robot asks your VASP, pays on the real ledger and
          reports, you ask for the status. It pays out at most what it has received in withdrawal tests.
        </p>
        <AssetChoice path={PATH} symbol={symbol} of="Deposit test" />
        <Steps
          of={inOrder([
            {
              title: 'Let the robot verify',
              call: 'POST /vega/robot/v1.0/action/verifications',
              isDone: verification?.result === 'VERIFIED',
              children: (
                <VerifyStep run={run} query={query} funds={balances.filter(each => each.symbol === symbol)} />
              ),
            },
            {
              title: 'Let the robot pay',
              call: 'POST /vega/robot/v1.0/action/withdrawal',
              isDone: transfer !== undefined,
              children: <PayStep query={query} transfer={transfer} />,
            },
            {
              title: 'Get the transaction report',
              call: 'Callback TX_REPORT to your VASP',
              isDone: report !== undefined,
              children: <ReportStep report={report} symbol={symbol} />,
            },
            {
              title: 'Ask for the status',
              call: 'POST /v1/verifications/tx/inquiry',
              isDone: query.status === 'CONFIRMED',
              children: <StatusStep query={query} />,
            },
          ])}
        />
      </>
    );
  },
};

const txReport = (callbacks: readonly Callback[]): Callback | undefined =>
  callbacks.find(({ callbackType }) => callbackType === 'TX_REPORT');

interface VerifyStepProps {
  run: TestRun;
  query: Query;
  funds: readonly Balance[];
}
const VerifyStep = ({ run: { info, symbol, verification }, query, funds }: VerifyStepProps) => {
  if (verification?.result === 'VERIFIED') return <ResultOf of={verification} />;
  const rich = funds.find(({ value }) => isAtLeast(value, AMOUNT));
  const at0 = Object.fromEntries(funds.map(({ userId, value }) => [userId, value]));
  return (
    <>
      {verification ? <ResultOf of={verification} /> : null}
      {rich ? null : (
        <Empty>
          The robot has no {symbol} of yours to pay with.{' '}
          <a href={withQuery('/console/tests/withdrawal', { symbol })}>Play the withdrawal test first</a>.
        </Empty>
      )}
      <ActionForm to={at('verify', { ...query, symbol })} label="Let it verify" tone="primary">
        <Field
          name="user"
          label="From this user of the robot"
          value={query.user ?? rich?.userId ?? 'taylor-robbins'}
          options={info.users.map(({ id }) => [id, at0[id] ? `${id}: ${at0[id]} ${symbol}` : id] as const)}
        />
        <Field name="amount" label={`Amount in ${symbol}`} value={query.amount ?? AMOUNT} required />
        <Field
          name="account"
          label="To this address of your customer"
          help="Empty: that of your newest verified deposit, or a sample."
          code
        />
      </ActionForm>
    </>
  );
};

const PayStep = ({ query, transfer }: { query: Query; transfer: Transfer | undefined }) =>
  transfer ? (
    <p class="row">
      <Badge of={transfer.transactionStatus} />
      {`${transfer.amount} ${transfer.symbol}`}
      <TransactionLink symbol={transfer.symbol} txHash={transfer.txHash} />
    </p>
  ) : (
    <ActionForm to={at('pay', query)} label="Let it pay" tone="primary" />
  );

const ReportStep = ({ report, symbol }: { report: Callback | undefined; symbol: string }) =>
  report ? (
    <p class="row">
      <Badge of={report.status} />
      <TransactionLink symbol={symbol} txHash={String(report.data.txHash)} />
    </p>
  ) : (
    <p aria-busy="true">The robot reports as soon as its transaction is on its way.</p>
  );

const StatusStep = ({ query }: { query: Query }) => (
  <>
    {query.status === undefined ? null : (
      <p>
        The robot answered <Badge of={query.status} />
        {query.status === 'CONFIRMED' ? ' That is the whole deposit test.' : ' Ask again in a moment.'}
      </p>
    )}
    {query.status === 'CONFIRMED' ? null : (
      <ActionForm to={at('status', query)} label="Ask for the status" tone="primary" />
    )}
  </>
);
