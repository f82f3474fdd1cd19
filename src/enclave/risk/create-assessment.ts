import { refusals } from '../../contract/refusals.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordBegin } from '../../db/transition.ts';
import type { EnclaveDeps } from '../deps.ts';
import * as verifications from '../verification/store.ts';
import type { AssessmentContext } from './assessment-context.ts';
import { assessmentMachine, assessmentStatus } from './machine.ts';
import type { Assessment, AssessmentKind } from './store.ts';
import * as assessments from './store.ts';

interface ProviderRegistration {
  request: object;
  /** The provider's identifier of the request. */
  reference: string | null;
  /** Why the first call of the provider failed. */
  error: string | null;
}

/** Stores the assessment. `then` runs in the same transaction. */
export function createAssessment<T>(
  deps: Pick<EnclaveDeps, 'db' | 'random'>,
  { kind, caller, verification, counterparty, counterpartyVaspId, at }: AssessmentContext<AssessmentKind>,
  { request, reference, error }: ProviderRegistration,
  then: (tx: Tx, row: Assessment) => T extends PromiseLike<unknown> ? never : T,
): T {
  return write<unknown>(deps.db, tx => {
    // A reset may have deleted the verification while the provider was called.
    if (!verifications.find(tx, verification.uuid)) throw refusals.verificationMissing(verification.uuid);
    const row = assessments.insert(tx, {
      requestId: deps.random.uuid(),
      kind,
      status: assessmentMachine.initial,
      verificationUuid: verification.uuid,
      callerVaspId: caller,
      counterpartyVaspId,
      direction: counterparty.direction,
      request,
      reference,
      failures: error === null ? 0 : 1,
      lastError: error,
      createdAt: at,
    });
    const cause = `${kind} assessment of the ${counterparty.party}, ${counterparty.direction}`;
    recordBegin(tx, assessmentStatus, row, at, cause);
    return then(tx, row);
  }) as T;
}
