import type { AssessSanctionRequest } from '../../contract/requests.ts';
import type { AssessSanctionResponse } from '../../contract/risk.ts';
import { transition } from '../../db/transition.ts';
import type { EnclaveDeps } from '../deps.ts';
import { assessmentContext } from './assessment-context.ts';
import { createAssessment } from './create-assessment.ts';
import { assessmentStatus } from './machine.ts';
import { presentSanction } from './present.ts';
import { asRefusal, providerKeysOf } from './provider-errors.ts';

/** REF-4.1: the counterparty's address against the sanction lists, at once. */
export async function assessSanction(
  deps: EnclaveDeps,
  { verificationUuid }: AssessSanctionRequest,
  caller: string,
): Promise<AssessSanctionResponse> {
  const question = assessmentContext(deps, 'sanction', verificationUuid, caller);
  const request = { asset: question.verification.symbol, address: question.address };
  const { sanction } = deps.risk.screening(caller);
  const finding = await sanction.screen(providerKeysOf(deps, caller), request).catch(error => {
    throw asRefusal(error);
  });
  const row = createAssessment(
    deps,
    question,
    { request, reference: null, error: null },
    (tx, registered) => {
      const at = deps.clock.now(question.owner);
      return transition(tx, assessmentStatus, registered, 'processed', {
        patch: { result: JSON.stringify(finding), assessedAt: at },
        at,
        cause: 'the provider has answered',
      });
    },
  );
  return presentSanction(row);
}
