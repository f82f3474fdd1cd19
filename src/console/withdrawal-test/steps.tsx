import type { AssetSymbol } from '../../contract/assets.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { NextOwnVasp } from '../components/next-own-vasp.tsx';
import { withQuery } from '../components/pager.tsx';
import { Prose } from '../components/prose.tsx';
import { ResultOf, type TestRun } from '../components/test-run.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { useTexts } from '../texts/languages.ts';

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
}) => {
  const { withdrawal, tests } = useTexts();
  return (
    <>
      {verification ? <ResultOf of={verification} /> : null}
      {verification?.result === 'VERIFIED' ? null : (
        <ActionForm
          to={at(isOursRunning ? 'ours' : 'verify', { ...query, symbol })}
          label={isOursRunning ? withdrawal.letOursWithdraw : withdrawal.askRobot}
          tone="primary"
        >
          <Field
            name="user"
            label={withdrawal.toUser}
            value={query.user ?? 'taylor-robbins'}
            options={info.users.map(({ id }) => id)}
          />
          <Field name="amount" label={tests.amountIn(symbol)} value={query.amount ?? '0.024'} required />
        </ActionForm>
      )}
    </>
  );
};

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
  const { withdrawal, tests } = useTexts();
  if (!verification) return null;
  const isEmbedded = info.chains.find(chain => chain.symbol === symbol)!.embedded;
  return (
    <>
      <DefinitionList
        of={[
          [tests.amount, <Copyable text={verification.amount} />],
          [
            symbol === 'XRP' ? tests.addressWithTag : tests.address,
            <Copyable text={verification.beneficiaryAddress} />,
          ],
          [
            tests.transaction,
            txHash === undefined ? undefined : <TransactionLink symbol={symbol} txHash={txHash} />,
          ],
        ]}
      />
      {txHash !== undefined ? null : isEmbedded ? (
        <ActionForm to={at('pay', query)} label={withdrawal.faucet} tone="primary" />
      ) : (
        <p>{withdrawal.noFaucet}</p>
      )}
      {txHash === undefined ? <OwnPayment query={query} symbol={symbol} /> : null}
    </>
  );
};

const OwnPayment = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => (
  <form method="get" action={PATH} class="action">
    <input type="hidden" name="symbol" value={symbol} />
    <input type="hidden" name="verificationUuid" value={query.verificationUuid} />
    <Field name="txHash" label={useTexts().withdrawal.ownPayment} code required />
    <button type="submit" class="secondary">
      {useTexts().withdrawal.havePaid}
    </button>
  </form>
);

export const ReportStep = ({ query, isDone }: { query: Query; isDone: boolean }) =>
  isDone ? (
    <p>{useTexts().withdrawal.reported}</p>
  ) : (
    <ActionForm
      to={at('report', query)}
      label={useTexts().withdrawal.reportIt}
      tone="primary"
      values={{ txHash: query.txHash ?? '' }}
    />
  );

export const BalanceStep = ({ query, symbol }: { query: Query; symbol: AssetSymbol }) => {
  const { withdrawal } = useTexts();
  return (
    <>
      {query.balance === undefined ? null : (
        <>
          <p>
            <strong id="balance">{`${query.balance} ${symbol}`}</strong> {withdrawal.credited}
          </p>
          <p>
            <Prose of={withdrawal.nextDeposit(withQuery('/console/tests/deposit', { symbol }))} />
          </p>
          <NextOwnVasp />
        </>
      )}
      <ActionForm
        to={at('balance', query)}
        label={query.balance === undefined ? withdrawal.askBalance : withdrawal.askAgain}
        tone={query.balance === undefined ? 'primary' : 'secondary'}
      />
    </>
  );
};
