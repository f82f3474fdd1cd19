import type { Client } from '../../client/client.ts';
import { jsonProblem } from '../../kernel/json.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { Json } from '../components/json.tsx';
import { withQuery } from '../components/table.tsx';
import { DefinitionList } from '../components/text.tsx';
import { Badge, VerificationLink } from '../components/values.tsx';
import { type Action, done } from '../page.ts';
import { counted, fill, useTexts } from '../texts/languages.ts';
import { type Prepared, prepare, type Verification } from './prepare.ts';

/** Sends the request of the form as this VASP and shows the answer. */
export const send: Action = async ({ api, query, texts }, form) => {
  const prepared = await prepare(api, query);
  const { method } = prepared.action;
  const problem = form.body === undefined ? undefined : jsonProblem(form.body);
  if (problem !== undefined) return { kind: 'failed', text: fill(texts.send.notJson, { problem }), field: 'body' };
  const answer = await api.call<Record<string, unknown>>(method, prepared.path, form.body);
  const body = typeof answer.body === 'object' ? answer.body : undefined;
  const outcome = await outcomeOf(api, prepared, body);
  const requestId = typeof body?.requestId === 'string' ? body.requestId : undefined;
  return {
    kind: answer.status === 200 || outcome.isAsExpected ? 'done' : 'failed',
    text: fill(texts.send.answered, { call: `${method} ${prepared.action.path}`, status: answer.status }),
    detail: <AnswerDetail {...{ prepared, query, answer, requestId, outcome }} />,
  };
};

export const advance: Action = async ({ api, query, texts }, { duration = '', verificationUuid = '', requestId }) => {
  const { now, fired } = await api.advance(duration.trim());
  const prepared = await prepare(api, { ...query, verificationUuid });
  const outcome = await outcomeOf(api, prepared, { verificationUuid, requestId });
  const detail = <AnswerDetail {...{ prepared, query, answer: undefined, requestId, outcome }} />;
  return done(counted(texts.send.timeIs, fired.length, { now }), detail);
};

interface AnswerProps {
  prepared: Prepared;
  query: Record<string, string>;
  /** Undefined: only the time was advanced. */
  answer: { status: number; body: unknown } | undefined;
  requestId: string | undefined;
  outcome: Outcome;
}

/** The answer, its effects, and possible next steps. */
const AnswerDetail = ({ prepared, query, answer, requestId, outcome }: AnswerProps) => {
  const { verification, assessment, isAsExpected } = outcome;
  const { send } = useTexts();
  return (
    <>
      <DefinitionList
        of={[
          [send.expected, prepared.scenario?.expect && <code>{JSON.stringify(prepared.scenario.expect)}</code>],
          [
            send.outcome,
            isAsExpected === undefined ? undefined : (
              <Badge of={isAsExpected ? send.asExpected : send.notYet} tone={isAsExpected ? 'good' : 'warn'} />
            ),
          ],
          [useTexts().pages.Verification, verification && <Result of={verification} />],
        ]}
      />
      {answer ? <Json of={answer.body ?? ''} /> : null}
      {assessment ? (
        <>
          <p>{send.theAssessment}</p>
          <Json of={assessment} />
        </>
      ) : null}
      <Next {...{ prepared, query, requestId, outcome }} />
    </>
  );
};

const Result = ({ of: { verificationUuid, result, reason, message } }: { of: Verification }) => (
  <span class="row">
    <VerificationLink uuid={verificationUuid} />
    <Badge of={result ?? 'OPEN'} />
    {reason === null || reason === 'OK' ? null : <code>{reason}</code>}
    {message}
  </span>
);

/** Next steps: the verification, or more time where something waits. */
const Next = ({ prepared, query, requestId, outcome }: Omit<AnswerProps, 'answer'>) => {
  const { verification, isAsExpected } = outcome;
  const { verificationUuid = '' } = verification ?? {};
  const { send } = useTexts();
  const isWaiting = requestId !== undefined || isAsExpected === false || verification?.result === null;
  const duration = prepared.scenario?.advance ?? (isWaiting ? '10s' : undefined);
  return (
    <>
      {verification?.result === 'VERIFIED' ? (
        <p>
          <a href={`/console/verifications/${verificationUuid}`}>
            {verification.role === 'originating' ? send.goOnPay : send.goOnLetPay}
          </a>{' '}
          ·{' '}
          <a href={withQuery('/console/send', { action: 'assess-sanction', verificationUuid })}>{send.screenAddress}</a>
        </p>
      ) : null}
      {prepared.action.group === 'sandbox' ? <a href="/console/faults">{send.activeFaults}</a> : null}
      {duration === undefined ? null : (
        <ActionForm
          to={withQuery('/console/send/advance', query)}
          label={send.advance}
          values={{ verificationUuid, ...(requestId ? { requestId } : {}) }}
        >
          <Field name="duration" label={send.by} value={duration} required />
        </ActionForm>
      )}
    </>
  );
};

/** The effects of a request until now. */
interface Outcome {
  verification: Verification | undefined;
  /** The assessment that the request started. */
  assessment: object | undefined;
  /** Undefined: the catalogue promises nothing. */
  isAsExpected: boolean | undefined;
}

type Body = { [member: string]: unknown };

/** First runs everything that is due: the robot judges and callbacks are delivered. */
async function outcomeOf(api: Client, prepared: Prepared, answer: Body | undefined): Promise<Outcome> {
  await api.advance('0s');
  const uuid = text(answer?.verificationUuid) ?? prepared.values.verificationUuid;
  const verification = uuid === '' ? undefined : (await api.verifications({ verificationUuid: uuid })).verifications[0];
  const assessment = await assessmentOf(api, uuid, text(answer?.requestId));
  const { expect } = prepared.scenario ?? {};
  const candidates = [answer, assessment, verification, verification && asCallback(verification)];
  return { verification, assessment, isAsExpected: expect && candidates.some(each => contains(each, expect)) };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function assessmentOf(api: Client, verificationUuid: string, requestId?: string): Promise<object | undefined> {
  if (requestId === undefined || verificationUuid === '') return undefined;
  const { assessments } = await api.assessments({ verificationUuid });
  return assessments.find(each => each.requestId === requestId)?.riskAssessment;
}

/** With the member names of VERIFICATION_RESULT, as the catalogue uses them. */
const asCallback = ({ result, reason, message }: Verification): object => ({
  verificationResult: result,
  reason,
  message,
});

/** Does `actual` hold every expected member? Others are ignored. */
function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([member, value]) => contains((actual as Body)[member], value));
}
