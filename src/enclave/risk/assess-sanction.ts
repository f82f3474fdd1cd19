import type { AssessSanctionRequest } from '../../contract/requests.ts';
import type { AssessSanctionAnswer } from '../../contract/risk.ts';
import { transition } from '../../db/transition.ts';
import type { EnclaveDeps } from '../deps.ts';
import { assessmentContext, createAssessment } from './assessment.ts';
import { assessmentStatus } from './machine.ts';
import { presentSanction } from './present.ts';
import { asRefusal, providerKeysOf } from './provider-errors.ts';

/** REF-4.1: compares the counterparty's address with the sanction lists, at once. */
export async function assessSanction(
  deps: EnclaveDeps,
  { verificationUuid }: AssessSanctionRequest,
  caller: string,
): Promise<AssessSanctionAnswer> {
  const context = assessmentContext(deps, 'sanction', verificationUuid, caller);
  const request = { asset: context.verification.symbol, address: context.address };
  const { sanction } = deps.risk.screening(caller);
  const finding = await sanction.screen(providerKeysOf(deps, caller), request).catch(error => {
    throw asRefusal(error);
  });
  const registration = { request, reference: null, error: null };
  const row = createAssessment(deps, context, registration, (tx, created) => {
    const at = deps.clock.now(context.owner);
    return transition(tx, assessmentStatus, created, 'processed', {
      patch: { result: finding, assessedAt: at },
      at,
      cause: 'the provider answered',
    });
  });
  return presentSanction(row);
}
