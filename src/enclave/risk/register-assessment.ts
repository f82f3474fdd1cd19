import type { AssessmentRegistered } from '../../contract/risk.ts';
import { AccessRefused, GroupNotFound, type Registered } from '../../screening/port.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { AssessmentContext } from './assessment-context.ts';
import { ASYNC_PROVIDERS } from './async-providers.ts';
import { recordFailure, retryAfterMs } from './collect-result.ts';
import { createAssessment } from './create-assessment.ts';
import { asRefusal, failureText } from './provider-errors.ts';

type FirstAnswer = (Registered & { error: null }) | { reference: null; error: string };

/**
 * REF-4.2, REF-4.3: registers at the provider; the result is collected by the timer that commits with the row. A refusal is
 * the caller's answer, and nothing is stored. A failed call is the caller's answer too where REF-7 says so (person
 * screening); otherwise the assessment is REGISTERED without a number of the provider (REF-2.6) and is tried again.
 */
export async function registerAssessment<K extends 'kyt' | 'wco'>(
  deps: EnclaveDeps,
  question: AssessmentContext<K>,
  request: object,
): Promise<AssessmentRegistered> {
  const first = await firstAnswer(deps, question, request);
  const row = createAssessment(deps, question, { request, ...first }, (tx, registered) => {
    const now = deps.clock.now(question.owner);
    const failed = first.error !== null;
    if (failed) recordFailure(deps, tx, question.verification, registered, now);
    deps.timers.schedule(tx, 'enclave.risk.collect', {
      key: registered.requestId,
      owner: question.owner,
      // Results of one verification arrive in the order in which they were asked for.
      lane: `assessment ${registered.verificationUuid}`,
      dueAt: now + (failed ? retryAfterMs(registered.failures) : first.readyInMs),
      why: failed ? `attempt 1 failed: ${first.error}` : 'the provider works on the result',
      payload: { requestId: registered.requestId, verificationUuid: registered.verificationUuid },
    });
    return registered;
  });
  return { requestId: row.requestId };
}

async function firstAnswer(
  deps: EnclaveDeps,
  { kind, caller }: AssessmentContext<'kyt' | 'wco'>,
  request: object,
): Promise<FirstAnswer> {
  try {
    const registered = await ASYNC_PROVIDERS[kind].register(deps, caller, request, 1);
    return { ...registered, error: null };
  } catch (error) {
    const isRefusal = error instanceof AccessRefused || error instanceof GroupNotFound;
    if (isRefusal || kind === 'wco') throw asRefusal(error);
    return { reference: null, error: failureText(error) };
  }
}
