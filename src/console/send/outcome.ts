import type { Client } from '../../client/client.ts';
import type { Prepared, Verification } from './prepare.ts';

/** The effects of a request until now. */
export interface Outcome {
  verification: Verification | undefined;
  /** The assessment that the request started. */
  assessment: object | undefined;
  /** Undefined: the catalogue promises nothing. */
  isAsExpected: boolean | undefined;
}

type Json = { [member: string]: unknown };

/** First runs everything that is due: the robot judges and callbacks are delivered. */
export async function outcomeOf(api: Client, prepared: Prepared, answer: Json | undefined): Promise<Outcome> {
  await api.advance('0s');
  const uuid = text(answer?.verificationUuid) ?? prepared.values.verificationUuid;
  const verification = uuid === '' ? undefined : (await api.verifications({ search: uuid })).verifications[0];
  const assessment = await assessmentOf(api, uuid, text(answer?.requestId));
  const { expect } = prepared.scenario ?? {};
  const candidates = [answer, assessment, verification, verification && asCallback(verification)];
  return {
    verification,
    assessment,
    isAsExpected: expect && candidates.some(each => contains(each, expect)),
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
  return Object.entries(expected).every(([member, value]) => contains((actual as Json)[member], value));
}
