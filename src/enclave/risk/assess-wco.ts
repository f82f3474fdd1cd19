import type { AssessWcoRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import type { EnclaveDeps } from '../deps.ts';
import { assessmentContext } from './assessment-context.ts';
import { registerAssessment } from './register-assessment.ts';
import { screenedParty } from './screened-party.ts';

/** REF-4.3: the person or organisation on the other side, with what `payload` adds. */
export async function assessWco(
  deps: EnclaveDeps,
  { verificationUuid, payload }: AssessWcoRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const question = assessmentContext(deps, 'wco', verificationUuid, caller);
  return registerAssessment(deps, question, screenedParty(question, payload));
}
