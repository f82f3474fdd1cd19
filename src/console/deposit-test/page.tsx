import type { SandboxAnswers } from '../../client/answers.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { withQuery } from '../components/pager.tsx';
import { exchangesOfTest } from '../components/step-exchanges.ts';
import { AssetChoice, testRun } from '../components/test-run.tsx';
import { inOrder, Steps } from '../components/test-steps.tsx';
import type { Action, Page } from '../page.ts';
import { PATH, PayStep, ReportStep, StatusStep, VerifyStep } from './steps.tsx';

type Query = Record<string, string>;
type Callback = SandboxAnswers['callbacks']['callbacks'][number];
const goOn = (query: Query) => ({ goTo: withQuery(PATH, query) });

const verify: Action = async ({ api, query }, { user = '', amount = '', account = '' }) => {
  const { symbol } = await testRun(api, query);
  const values = {
    symbol,
    user,
    amount: amount.trim(),
    ...(account.trim() ? { account: account.trim() } : {}),
  };
  const { body } = await api.readyRequest('robot-verify-user', values);
  const { verificationUuid } = await api.letRobotVerifyUser(body as unknown as VerifyUserRequest);
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

/** The robot pays you, in four steps. */
export const depositTest: Page = {
  path: '/tests/deposit',
  title: 'Deposit test',
  parent: '/tests',
  isLive: true,
  actions: { verify, pay, status },
  async render({ api, query, origin, texts: { pages, deposit } }) {
    const run = await testRun(api, query);
    const { symbol, verification } = run;
    const verificationUuid = verification?.verificationUuid;
    const [{ balances }, exchangeOf, transfer, report] = await Promise.all([
      api.balances(),
      exchangesOfTest(api, verificationUuid),
      verificationUuid
        ? api.transfers({ verificationUuid }).then(({ transfers }) => transfers[0])
        : undefined,
      verificationUuid
        ? api.callbacks({ verificationUuid }).then(({ callbacks }) => txReport(callbacks))
        : undefined,
    ]);
    return (
      <>
        <p>{deposit.intro}</p>
        <AssetChoice path={PATH} symbol={symbol} of={pages['Deposit test']} />
        <Steps
          origin={origin}
          of={inOrder([
            {
              title: deposit.verify,
              call: 'POST /vega/robot/v1.0/action/verifications',
              exchange: exchangeOf('robot-verify-user'),
              isDone: verification?.result === 'VERIFIED',
              children: (
                <VerifyStep run={run} query={query} funds={balances.filter(each => each.symbol === symbol)} />
              ),
            },
            {
              title: deposit.pay,
              call: 'POST /vega/robot/v1.0/action/withdrawal',
              exchange: exchangeOf('robot-withdraw'),
              isDone: transfer !== undefined,
              children: <PayStep query={query} transfer={transfer} />,
            },
            {
              title: deposit.report,
              call: deposit.reportCall,
              exchange: exchangeOf('callback'),
              isDone: report !== undefined,
              children: <ReportStep report={report} symbol={symbol} />,
            },
            {
              title: deposit.status,
              call: 'POST /v1/verifications/tx/inquiry',
              exchange: exchangeOf('inquire-transaction'),
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
