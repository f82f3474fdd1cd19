import { jsonProblem } from '../../kernel/json-problem.ts';
import type { Action, Notice } from '../page.ts';
import { counted, fill } from '../texts/languages.ts';
import { AnswerDetail, outcomeOf } from './answer.tsx';
import { prepare } from './prepare.ts';

/** Sends the request of the form as this VASP and shows the answer. */
export const send: Action = async ({ api, query, texts }, form) => {
  const prepared = await prepare(api, query);
  const { method } = prepared.action;
  const problem = form.body === undefined ? undefined : jsonProblem(form.body);
  if (problem) {
    const { line, column, message } = problem;
    return { kind: 'failed', text: fill(texts.send.notJson, { line, column, message }), field: 'body' };
  }
  const answer = await api.call<Record<string, unknown>>(method, prepared.path, form.body);
  const body = typeof answer.body === 'object' ? answer.body : undefined;
  const outcome = await outcomeOf(api, prepared, body);
  const requestId = typeof body?.requestId === 'string' ? body.requestId : undefined;
  return notice(
    answer.status === 200 || outcome.isAsExpected === true,
    fill(texts.send.answered, { call: `${method} ${prepared.action.path}`, status: answer.status }),
    <AnswerDetail {...{ prepared, query, answer, requestId, outcome }} />,
  );
};

export const advance: Action = async ({ api, query, texts }, { duration = '', verificationUuid = '', requestId }) => {
  const { now, fired } = await api.advance(duration.trim());
  const prepared = await prepare(api, { ...query, verificationUuid });
  const outcome = await outcomeOf(api, prepared, { verificationUuid, requestId });
  return notice(
    true,
    counted(texts.send.timeIs, fired.length, { now }),
    <AnswerDetail {...{ prepared, query, answer: undefined, requestId, outcome }} />,
  );
};

const notice = (isGood: boolean, text: string, detail: Notice['detail']): Notice => ({
  kind: isGood ? 'done' : 'failed',
  text,
  detail,
});
