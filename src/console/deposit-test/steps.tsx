import type { SandboxAnswers } from '../../client/answers.ts';
import { isAtLeast, isDecimal } from '../../kernel/decimal.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge, toneOf } from '../components/badge.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { NextOwnVasp } from '../components/next-own-vasp.tsx';
import { withQuery } from '../components/pager.tsx';
import { Prose } from '../components/prose.tsx';
import { ResultOf, type TestRun } from '../components/test-run.tsx';
import { TransactionLink } from '../components/transaction-link.tsx';
import { useTexts } from '../texts/languages.ts';

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
  const { deposit, tests } = useTexts();
  if (verification?.result === 'VERIFIED') return <ResultOf of={verification} />;
  const rich = funds.find(({ value }) => isDecimal(value) && isAtLeast(value, AMOUNT));
  const held = Object.fromEntries(funds.map(({ userId, value }) => [userId, value]));
  return (
    <>
      {verification ? <ResultOf of={verification} /> : null}
      {rich ? null : (
        <Empty>
          <Prose of={deposit.noFunds(symbol, withQuery('/console/tests/withdrawal', { symbol }))} />
        </Empty>
      )}
      <ActionForm to={at('verify', { ...query, symbol })} label={deposit.verify} tone="primary">
        <Field
          name="user"
          label={deposit.fromUser}
          value={query.user ?? rich?.userId ?? 'taylor-robbins'}
          options={info.users.map(({ id }) => [id, held[id] ? `${id}: ${held[id]} ${symbol}` : id] as const)}
        />
        <Field name="amount" label={tests.amountIn(symbol)} value={query.amount ?? AMOUNT} required />
        <Field name="account" label={deposit.toCustomer} placeholder={deposit.addressHint} code />
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
    <ActionForm to={at('pay', query)} label={useTexts().deposit.pay} tone="primary" />
  );

export const ReportStep = ({ report, symbol }: { report: Callback | undefined; symbol: string }) =>
  report ? (
    <p class="row">
      <Badge of={report.status} />
      <TransactionLink symbol={symbol} txHash={String(report.data.txHash)} />
    </p>
  ) : (
    <p aria-busy="true">{useTexts().deposit.reportComes}</p>
  );

export const StatusStep = ({ query }: { query: Query }) => {
  const { deposit } = useTexts();
  const isConfirmed = query.status === 'CONFIRMED';
  return (
    <>
      {query.status === undefined ? null : (
        <p>
          {deposit.answered} <Badge of={query.status} tone={toneOf(query.status)} />{' '}
          {isConfirmed ? deposit.complete : deposit.askLater}
        </p>
      )}
      {isConfirmed ? (
        <NextOwnVasp />
      ) : (
        <ActionForm to={at('status', query)} label={deposit.status} tone="primary" />
      )}
    </>
  );
};
