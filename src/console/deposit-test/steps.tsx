import type { SandboxAnswers } from '../../client/answers.ts';
import { isAtLeast, isDecimal } from '../../kernel/decimal.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge, toneOf } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { NextOwnVasp } from '../components/next-own-vasp.tsx';
import { withQuery } from '../components/pager.tsx';
import { ResultOf, type TestRun } from '../components/test-run.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';

/** The contents of the steps of a deposit test. */

type Query = Record<string, string>;
type Balance = SandboxAnswers['balances']['balances'][number];
type Transfer = SandboxAnswers['transfers']['transfers'][number];
type Callback = SandboxAnswers['callbacks']['callbacks'][number];
export const PATH = '/console/tests/deposit';
const at = (action: string, query: Query) => withQuery(`${PATH}/${action}`, query);
const AMOUNT = '0.01';

interface VerifyStepProps {
  run: TestRun;
  query: Query;
  funds: readonly Balance[];
}
export const VerifyStep = ({ run: { info, symbol, verification }, query, funds }: VerifyStepProps) => {
  if (verification?.result === 'VERIFIED') return <ResultOf of={verification} />;
  const rich = funds.find(({ value }) => isDecimal(value) && isAtLeast(value, AMOUNT));
  const held = Object.fromEntries(funds.map(({ userId, value }) => [userId, value]));
  return (
    <>
      {verification ? <ResultOf of={verification} /> : null}
      {rich ? null : (
        <Empty>
          The robot has no {symbol} to pay you.{' '}
          <a href={withQuery('/console/tests/withdrawal', { symbol })}>Run the withdrawal test first</a>.
        </Empty>
      )}
      <ActionForm to={at('verify', { ...query, symbol })} label="Let the robot verify" tone="primary">
        <Field
          name="user"
          label="From this user of the robot"
          value={query.user ?? rich?.userId ?? 'taylor-robbins'}
          options={info.users.map(({ id }) => [id, held[id] ? `${id}: ${held[id]} ${symbol}` : id] as const)}
        />
        <Field name="amount" label={`Amount in ${symbol}`} value={query.amount ?? AMOUNT} required />
        <Field
          name="account"
          label="To this address of your customer"
          placeholder="empty: address of your newest deposit, or a sample"
          code
        />
      </ActionForm>
    </>
  );
};

export const PayStep = ({ query, transfer }: { query: Query; transfer: Transfer | undefined }) =>
  transfer ? (
    <p class="row">
      <Badge of={transfer.transactionStatus} />
      {`${transfer.amount} ${transfer.symbol}`}
      <TransactionLink symbol={transfer.symbol} txHash={transfer.txHash} />
    </p>
  ) : (
    <ActionForm to={at('pay', query)} label="Let the robot pay" tone="primary" />
  );

export const ReportStep = ({ report, symbol }: { report: Callback | undefined; symbol: string }) =>
  report ? (
    <p class="row">
      <Badge of={report.status} />
      <TransactionLink symbol={symbol} txHash={String(report.data.txHash)} />
    </p>
  ) : (
    <p aria-busy="true">The robot reports its transaction right after sending it.</p>
  );

export const StatusStep = ({ query }: { query: Query }) => (
  <>
    {query.status === undefined ? null : (
      <p>
        The robot answered <Badge of={query.status} tone={toneOf(query.status)} />
        {query.status === 'CONFIRMED' ? ' The deposit test is complete.' : ' Ask again in a moment.'}
      </p>
    )}
    {query.status === 'CONFIRMED' ? (
      <NextOwnVasp />
    ) : (
      <ActionForm to={at('status', query)} label="Ask for the status" tone="primary" />
    )}
  </>
);
