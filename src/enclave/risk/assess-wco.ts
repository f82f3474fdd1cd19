import type { AssessWcoRequest } from '../../contract/requests.ts';
import type { AssessmentRegistered } from '../../contract/risk.ts';
import type { EnclaveDeps } from '../deps.ts';
import { beginSlow } from './begin-slow.ts';
import { questionOf } from './question.ts';
import { screenedParty } from './screened-party.ts';

/** REF-4.3: the person or organisation on the other side, with what `payload` adds. */
export async function assessWco(
  deps: EnclaveDeps,
  { verificationUuid, payload }: AssessWcoRequest,
  caller: string,
): Promise<AssessmentRegistered> {
  const question = questionOf(deps, 'wco', verificationUuid, caller);
  return beginSlow(deps, question, screenedParty(question, payload));
}
