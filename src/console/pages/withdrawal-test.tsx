import type { AssetSymbol } from '../../contract/assets.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Facts } from '../components/facts.tsx';
import { Field } from '../components/field.tsx';
import { withQuery } from '../components/pager.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import type { Action, Page } from '../page.ts';
import { AssetChoice, ResultOf, type TestRun, testRun } from '../tests/about.tsx';
import { inOrder, Steps } from '../tests/steps.tsx';

const PATH = '/console/tests/withdrawal';
type Query = Record<string, string>;
const at = (action: string, query: Query) => withQuery(`${PATH}/${action}`, query);
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

const balance: Action = async ({ api, query }) => {
  const { info, symbol, verification } = await testRun(api, query);
  await api.advance('0s');
  const { value } = await api.balance(info.vasp.vaspId, symbol, verification?.beneficiaryAddress ?? '');
  return goOn({ ...query, balance: value });
};

/** You pay, the robot is paid: four steps, everything filled in from the step before. */
export const withdrawalTest: Page = {
  path: '/tests/withdrawal',
  title: 'Withdrawal test',
  inNavigation: false,
  isLive: true,
  actions: { verify, pay, report, balance },
  async render({ api, query }) {
    const run = await testRun(api, query);
    const { symbol, verification } = run;
    const txHash = verification?.txHash ?? query.txHash;
    return (
      <>
        <p>
          Your customer pays a user of the robot: the robot verifies, you pay on the real ledger and report,
          the robot credits. Every step is the call that your own VASP would make.
        </p>
        <AssetChoice path={PATH} symbol={symbol} of="Withdrawal test" />
        <Steps
          of={inOrder([
            {
              title: 'Verify the user',
              call: 'POST /v1/verifications',
              isDone: verification?.result === 'VERIFIED',
              children: <VerifyStep run={run} query={query} />,
            },
            {
              title: 'Pay exactly that',
              call: `A real transfer on the ledger of ${symbol}`,
              isDone: txHash !== undefined,
              children: <PayStep run={run} query={query} txHash={txHash} />,
            },
            {
              title: 'Report the transaction',
              call: 'POST /v1/verifications/tx',
              isDone: typeof verification?.txHash === 'string',
              children: <ReportStep query={query} isDone={typeof verification?.txHash === 'string'} />,
            },
            {
              title: 'See the balance',
              call: 'GET /vega/robot/v1.0/testnet/balance',
              isDone: query.balance !== undefined,
              children: <BalanceStep query={query} symbol={symbol} />,
            },
          ])}
        />
      </>
    );
  },
};

const VerifyStep = ({ run: { info, symbol, verification }, query }: { run: TestRun; query: Query }) => (
  <>
    {verification ? <ResultOf of={verification} /> : null}
    {verification?.result === 'VERIFIED' ? null : (
      <ActionForm to={at('verify', { ...query, symbol })} label="Ask the robot" tone="primary">
        <Field
          name="user"
          label="To this user of the robot"
          value={query.user ?? 'taylor-robbins'}
          options={info.users.map(({ id }) => id)}
        />
        <Field name="amount" label={`Amount in ${symbol}`} value={query.amount ?? '0.024'} required />
      </ActionForm>
    )}
  </>
);

const PayStep = ({ run, query, txHash }: { run: TestRun; query: Query; txHash: string | undefined }) => {
  const { info, symbol, verification } = run;
  if (!verification) return null;
  const isEmbedded = info.chains.find(chain => chain.symbol === symbol)!.embedded;
  return (
    <>
      <Facts
        of={[
          ['Amount', <Copyable text={verification.amount} />],
          [
            symbol === 'XRP' ? 'Address:destination tag' : 'Address',
            <Copyable text={verification.beneficiaryAddress} />,
          ],
          [
            'Transaction',
            txHash === undefined ? undefined : <TransactionLink symbol={symbol} txHash={txHash} />,
          ],
        ]}
      />
      {txHash !== undefined ? null : isEmbedded ? (
        <ActionForm to={at('pay', query)} label="Pay from the faucet" tone="primary" />
      ) : (
        <p>This chain is not embedded, so there is no faucet: pay with a wallet of your own.</p>
      )}
      {txHash === undefined ? <OwnPayment query={query} symbol={symbol} /> : null}
    </>
  );
};

const OwnPayment = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => (
  <form method="get" action={PATH} class="action">
    <input type="hidden" name="symbol" value={symbol} />
    <input type="hidden" name="verificationUuid" value={query.verificationUuid} />
    <Field name="txHash" label="Or paid by yourself: its hash" code required />
    <button type="submit" class="secondary">
      I have paid
    </button>
  </form>
);

const ReportStep = ({ query, isDone }: { query: Query; isDone: boolean }) =>
  isDone ? (
    <p>The robot knows your transaction.</p>
  ) : (
    <ActionForm
      to={at('report', query)}
      label="Report it"
      tone="primary"
      values={{ txHash: query.txHash ?? '' }}
    />
  );

const BalanceStep = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => (
  <>
    {query.balance === undefined ? null : (
      <>
        <p>
          <strong id="balance">{`${query.balance} ${symbol}`}</strong> are credited to you there. That is the
          whole withdrawal test.
        </p>
        <p>
          Next: <a href={withQuery('/console/tests/deposit', { symbol })}>the deposit test</a>, which pays it
          back.
        </p>
      </>
    )}
    <ActionForm
      to={at('balance', query)}
      label={query.balance === undefined ? 'Ask for the balance' : 'Ask again'}
      tone={query.balance === undefined ? 'primary' : 'secondary'}
    />
  </>
);
