import type { Client } from '../../client/client.ts';
import type { Prepared, Verification } from './prepare.ts';

/** What a request has come to by now. */
export interface Outcome {
  verification: Verification | undefined;
  /** Of the assessment that the request began. */
  assessment: object | undefined;
  /** Undefined: nothing was promised. */
  cameAsExpected: boolean | undefined;
}

type Json = { [member: string]: unknown };

/** Looks when everything that is due has run: the robot has judged, callbacks are delivered. */
export async function outcomeOf(api: Client, prepared: Prepared, answer: Json | undefined): Promise<Outcome> {
  await api.advance('0s');
  const uuid = text(answer?.verificationUuid) ?? prepared.values.verificationUuid;
  const verification = uuid === '' ? undefined : (await api.verifications({ search: uuid })).verifications[0];
  const assessment = await assessmentOf(api, uuid, text(answer?.requestId));
  const { expect } = prepared.scenario ?? {};
  const candidates = [answer, assessment, verification && asCallback(verification)];
  return {
    verification,
    assessment,
    cameAsExpected: expect && candidates.some(each => contains(each, expect)),
  };
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

async function assessmentOf(
  api: Client,
  verificationUuid: string,
  requestId: string | undefined,
): Promise<object | undefined> {
  if (requestId === undefined || verificationUuid === '') return undefined;
  const { assessments } = await api.assessments({ verificationUuid });
  return assessments.find(each => each.requestId === requestId)?.riskAssessment;
}

/** As VERIFICATION_RESULT says it: the catalogue promises that. */
const asCallback = ({ result, reason, message }: Verification): object => ({
  verificationResult: result,
  reason,
  message,
});

/** Whether everything that is expected stands there, whatever else does. */
export function contains(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return Object.is(actual, expected);
  if (typeof actual !== 'object' || actual === null) return false;
  return Object.entries(expected).every(([member, value]) => contains((actual as Json)[member], value));
}
