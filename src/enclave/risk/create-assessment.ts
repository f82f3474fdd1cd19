import { refusals } from '../../contract/refusals.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { begin } from '../../db/transition.ts';
import type { EnclaveDeps } from '../deps.ts';
import type { AssessmentContext } from './assessment-context.ts';
import { assessmentMachine, assessmentStatus } from './machine.ts';
import type { Assessment, AssessmentKind } from './store.ts';

interface Registration {
  request: object;
  reference: string | null;
  /** Of the first call, if it was in vain. */
  error: string | null;
}

/** Stores the assessment, and with it, in the same transaction, what `then` does. */
export function createAssessment<T>(
  deps: EnclaveDeps,
  {
    kind,
    caller,
    verification,
    counterparty: cell,
    counterpartyVaspId,
    at,
  }: AssessmentContext<AssessmentKind>,
  { request, reference, error }: Registration,
  then: (tx: Tx, row: Assessment) => T extends PromiseLike<unknown> ? never : T,
): T {
  return write<unknown>(deps.db, tx => {
    // The provider was asked meanwhile: a reset may have taken the verification away.
    if (!deps.verifications.find(verification.uuid)) throw refusals.verificationMissing(verification.uuid);
    const row = deps.assessments.insert(tx, {
      requestId: deps.random.uuid(),
      kind,
      status: assessmentMachine.initial,
      verificationUuid: verification.uuid,
      callerVaspId: caller,
      counterpartyVaspId,
      direction: cell.direction,
      request: JSON.stringify(request),
      reference,
      failures: error === null ? 0 : 1,
      lastError: error,
      createdAt: at,
    });
    begin(tx, assessmentStatus, row, at, `${kind} of the ${cell.party}, ${cell.direction}`);
    return then(tx, row);
  }) as T;
}
