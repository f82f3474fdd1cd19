import { withQuery } from '../components/pager.tsx';
import { exchangesOfTest } from '../components/step-exchanges.ts';
import { AssetChoice, testRun } from '../components/test-run.tsx';
import { inOrder, Steps } from '../components/test-steps.tsx';
import type { Action, Page } from '../page.ts';
import { letOursWithdraw } from './reference-vasp.ts';
import { BalanceStep, PATH, PayStep, ReportStep, VerifyStep } from './steps.tsx';

type Query = Record<string, string>;
const goOn = (query: Query) => ({ goTo: withQuery(PATH, query) });

const verify: Action = async ({ api, query }, { user = '', amount = '' }) => {
  const { symbol } = await testRun(api, query);
  const { body } = await api.readyRequest('verify-user', { symbol, user, amount: amount.trim() });
  const { verificationUuid } = await api.verifyUser(body as never);
  await api.advance('0s');
  return goOn({ symbol, verificationUuid });
};

const pay: Action = async ({ api, query }) => {
  const { symbol, verification } = await testRun(api, query);
  if (!verification) return goOn({ symbol });
  const { beneficiaryAddress, amount } = verification;
  const { txHash } = await api.faucet(symbol, beneficiaryAddress, amount);
  return goOn({ ...query, txHash });
};

const report: Action = async ({ api, query }, { txHash = '' }) => {
  await api.reportTransaction(query.verificationUuid ?? '', txHash.trim());
  await api.advance('0s');
  return goOn({ ...query, txHash: txHash.trim() });
};

const ours: Action = async ({ api, query, texts }, { user = '', amount = '' }) => {
  const { symbol } = await testRun(api, query);
  const verificationUuid = await letOursWithdraw(api, { symbol, user, amount: amount.trim() });
  await api.advance('0s');
  if (verificationUuid) return goOn({ symbol, verificationUuid });
  return {
    kind: 'failed',
    text: texts.withdrawal.accountDenied(user),
  };
};

const balance: Action = async ({ api, query }) => {
  const { info, symbol, verification } = await testRun(api, query);
  await api.advance('0s');
  const { value } = await api.balance(info.vasp.vaspId, symbol, verification?.beneficiaryAddress ?? '');
  return goOn({ ...query, balance: value });
};

/** You pay the robot, in four steps. Each step fills in the next one. */
export const withdrawalTest: Page = {
  path: '/tests/withdrawal',
  title: 'Withdrawal test',
  parent: '/tests',
  isLive: true,
  actions: { verify, ours, pay, report, balance },
  async render({ api, query, origin, texts: { pages, withdrawal } }) {
    const [run, reference] = await Promise.all([testRun(api, query), api.referenceVasp()]);
    const { symbol, verification } = run;
    const [exchangeOf, balances] = await Promise.all([
      exchangesOfTest(api, verification?.verificationUuid),
      query.balance === undefined ? undefined : api.exchanges({ operation: 'robot-balance', limit: 1 }),
    ]);
    const txHash = verification?.txHash ?? query.txHash;
    return (
      <>
        <p>{withdrawal.intro}</p>
        <AssetChoice path={PATH} symbol={symbol} of={pages['Withdrawal test']} />
        <Steps
          origin={origin}
          of={inOrder([
            {
              title: withdrawal.verify,
              call: 'POST /v1/verifications',
              exchange: exchangeOf('verify-user'),
              isDone: verification?.result === 'VERIFIED',
              children: <VerifyStep run={run} query={query} isOursRunning={reference.running} />,
            },
            {
              title: withdrawal.pay,
              call: withdrawal.payCall(symbol),
              isDone: txHash !== undefined,
              children: <PayStep run={run} query={query} txHash={txHash} />,
            },
            {
              title: withdrawal.report,
              call: 'POST /v1/verifications/tx',
              exchange: exchangeOf('report-transaction'),
              isDone: typeof verification?.txHash === 'string',
              children: <ReportStep query={query} isDone={typeof verification?.txHash === 'string'} />,
            },
            {
              title: withdrawal.balance,
              call: 'GET /vega/robot/v1.0/testnet/balance',
              exchange: balances?.exchanges[0],
              isDone: query.balance !== undefined,
              children: <BalanceStep query={query} symbol={symbol} />,
            },
          ])}
        />
      </>
    );
  },
};
