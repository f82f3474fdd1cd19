import type { AssetSymbol } from '../../contract/assets.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { NextOwnVasp } from '../components/next-own-vasp.tsx';
import { withQuery } from '../components/pager.tsx';
import { ResultOf, type TestRun } from '../components/test-run.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';

/** The contents of the steps of a withdrawal test. */

type Query = Record<string, string>;
export const PATH = '/console/tests/withdrawal';
const at = (action: string, query: Query) => withQuery(`${PATH}/${action}`, query);

export const VerifyStep = ({
  run: { info, symbol, verification },
  query,
  isOursRunning,
}: {
  run: TestRun;
  query: Query;
  isOursRunning: boolean;
}) => (
  <>
    {verification ? <ResultOf of={verification} /> : null}
    {verification?.result === 'VERIFIED' ? null : (
      <ActionForm
        to={at(isOursRunning ? 'ours' : 'verify', { ...query, symbol })}
        label={isOursRunning ? 'Let the reference VASP withdraw' : 'Ask the robot'}
        tone="primary"
      >
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

export const PayStep = ({
  run,
  query,
  txHash,
}: {
  run: TestRun;
  query: Query;
  txHash: string | undefined;
}) => {
  const { info, symbol, verification } = run;
  if (!verification) return null;
  const isEmbedded = info.chains.find(chain => chain.symbol === symbol)!.embedded;
  return (
    <>
      <DefinitionList
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
        <p>This chain runs outside, so there is no faucet. Pay with your own wallet.</p>
      )}
      {txHash === undefined ? <OwnPayment query={query} symbol={symbol} /> : null}
    </>
  );
};

const OwnPayment = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => (
  <form method="get" action={PATH} class="action">
    <input type="hidden" name="symbol" value={symbol} />
    <input type="hidden" name="verificationUuid" value={query.verificationUuid} />
    <Field name="txHash" label="Or pay yourself, and enter the hash" code required />
    <button type="submit" class="secondary">
      I have paid
    </button>
  </form>
);

export const ReportStep = ({ query, isDone }: { query: Query; isDone: boolean }) =>
  isDone ? (
    <p>The transaction is reported to the robot.</p>
  ) : (
    <ActionForm
      to={at('report', query)}
      label="Report it"
      tone="primary"
      values={{ txHash: query.txHash ?? '' }}
    />
  );

export const BalanceStep = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => (
  <>
    {query.balance === undefined ? null : (
      <>
        <p>
          <strong id="balance">{`${query.balance} ${symbol}`}</strong> are credited to you. The withdrawal
          test is complete.
        </p>
        <p>
          Next: <a href={withQuery('/console/tests/deposit', { symbol })}>the deposit test</a>. It pays the
          money back.
        </p>
        <NextOwnVasp />
      </>
    )}
    <ActionForm
      to={at('balance', query)}
      label={query.balance === undefined ? 'Ask for the balance' : 'Ask again'}
      tone={query.balance === undefined ? 'primary' : 'secondary'}
    />
  </>
);
