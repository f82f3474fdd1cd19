import type { AssessWcoRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import type { AssessmentDeps, OutboxDeps } from '../deps.ts';
import { assessmentContext } from './assessment-context.ts';
import { registerAssessment } from './register-assessment.ts';
import { screenedParty } from './screened-party.ts';

/** REF-4.3: screens the person or organisation on the other side. `payload` adds to what the verification holds. */
export async function assessWco(
  deps: OutboxDeps & AssessmentDeps,
  { verificationUuid, payload }: AssessWcoRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const context = assessmentContext(deps, 'wco', verificationUuid, caller);
  return registerAssessment(deps, context, screenedParty(context, payload));
}
