import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { Facts } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { Json } from '../components/json.tsx';
import { withQuery } from '../components/pager.tsx';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Outcome } from './outcome.ts';
import type { Prepared, Verification } from './prepare.ts';

interface AnswerProps {
  prepared: Prepared;
  query: Record<string, string>;
  /** Undefined: only time has passed. */
  answer: { status: number; body: unknown } | undefined;
  requestId: string | undefined;
  outcome: Outcome;
}

/** What came back, what it has led to, and what can be done next. */
export const AnswerDetail = ({ prepared, query, answer, requestId, outcome }: AnswerProps) => {
  const { verification, assessment, cameAsExpected } = outcome;
  return (
    <>
      <Facts
        of={[
          ['Expected', prepared.scenario?.expect && <code>{JSON.stringify(prepared.scenario.expect)}</code>],
          ['Came', cameAsExpected === undefined ? undefined : <Came isExpected={cameAsExpected} />],
          ['Verification', verification && <Result of={verification} />],
        ]}
      />
      {answer ? <Json of={answer.body ?? ''} /> : null}
      {assessment ? (
        <>
          <p>The assessment by now:</p>
          <Json of={assessment} />
        </>
      ) : null}
      <Next {...{ prepared, query, requestId, outcome }} />
    </>
  );
};

const Came = ({ isExpected }: { isExpected: boolean }) =>
  isExpected ? <Badge of="AS EXPECTED" tone="good" /> : <Badge of="NOT YET" tone="warn" />;

const Result = ({ of: { verificationUuid, result, reason, message } }: { of: Verification }) => (
  <span class="row">
    <VerificationLink uuid={verificationUuid} />
    <Badge of={result ?? 'OPEN'} />
    {reason === null || reason === 'OK' ? null : <code>{reason}</code>}
    {message}
  </span>
);

/** Where it goes on: the verification, the next step of its test, time. */
const Next = ({ prepared, query, requestId, outcome }: Omit<AnswerProps, 'answer'>) => {
  const { verification, cameAsExpected } = outcome;
  const isWaiting = requestId !== undefined || cameAsExpected === false || verification?.result === null;
  return (
    <>
      {verification?.result === 'VERIFIED' ? (
        <p>
          <a href={testOf(verification)}>
            {verification.role === 'originating'
              ? 'Go on: pay, report, see the balance'
              : 'Go on: let the robot pay'}
          </a>{' '}
          · <a href={withQuery('/console/send', whatAssesses(verification))}>Screen the address</a>
        </p>
      ) : null}
      {prepared.action.group === 'sandbox' ? <a href="/console/faults">What is in force</a> : null}
      <ActionForm
        to={withQuery('/console/send/advance', query)}
        label="Advance the time"
        values={{
          verificationUuid: verification?.verificationUuid ?? '',
          ...(requestId ? { requestId } : {}),
        }}
      >
        <Field
          name="duration"
          label="By"
          value={prepared.scenario?.advance ?? (isWaiting ? '10s' : '10m')}
          required
        />
      </ActionForm>
    </>
  );
};

const testOf = ({ role, symbol, verificationUuid }: Verification): string =>
  withQuery(`/console/tests/${role === 'originating' ? 'withdrawal' : 'deposit'}`, {
    symbol,
    verificationUuid,
  });

const whatAssesses = ({ verificationUuid }: Verification) => ({
  action: 'assess-sanction',
  verificationUuid,
});
