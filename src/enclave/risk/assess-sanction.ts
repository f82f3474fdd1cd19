import type { AssessSanctionRequest } from '../../contract/requests.ts';
import type { AssessSanctionResponse } from '../../contract/risk.ts';
import { advance } from '../../db/advance.ts';
import type { EnclaveDeps } from '../deps.ts';
import { assessmentStatus } from './machine.ts';
import { presentSanction } from './present.ts';
import { asRefusal, keysOf } from './provider-call.ts';
import { questionOf } from './question.ts';
import { register } from './register.ts';

/** REF-4.1: the counterparty's address against the sanction lists, at once. */
export async function assessSanction(
  deps: EnclaveDeps,
  { verificationUuid }: AssessSanctionRequest,
  caller: string,
): Promise<AssessSanctionResponse> {
  const question = questionOf(deps, 'sanction', verificationUuid, caller);
  const request = { asset: question.verification.symbol, address: question.address };
  const { sanction } = deps.risk.screening(caller);
  const finding = await sanction.screen(keysOf(deps, caller), request).catch(error => {
    throw asRefusal(error);
  });
  const row = register(deps, question, { request, reference: null, error: null }, (tx, registered) => {
    const at = deps.clock.now(question.owner);
    return advance(tx, assessmentStatus, registered, 'processed', {
      patch: { result: JSON.stringify(finding), assessedAt: at },
      at,
      cause: 'the provider has answered',
    });
  });
  return presentSanction(row);
}
