import { refusals } from '../../contract/refusals.ts';
import { KYT_API_TYPE } from '../../contract/risk.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordBegin } from '../../db/transition.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import { assessmentMachine, assessmentStatus } from './machine.ts';
import type { Assessment, AssessmentKind } from './store.ts';
import * as assessments from './store.ts';

/** REF-4.1, REF-4.2, REF-4.3: by its role the caller assesses its counterparty. The values name columns of the verification. */
const COUNTERPARTIES = {
  originating: {
    direction: 'OUTGOING',
    vaspId: 'beneficiaryVaspId',
    address: 'beneficiaryAccountNumber',
    party: 'beneficiary',
  },
  beneficiary: {
    direction: 'INCOMING',
    vaspId: 'originatingVaspId',
    address: 'originatorAccountNumber',
    party: 'originator',
  },
} as const;

export interface AssessmentContext<K extends AssessmentKind = AssessmentKind> {
  kind: K;
  caller: string;
  verification: Verification;
  counterparty: (typeof COUNTERPARTIES)[keyof typeof COUNTERPARTIES];
  /** Of a monitoring. Null: UNSUPPORTED-RISK-ASSESSMENT. */
  apiType: 'ATTEMPT' | 'TRANSFER' | null;
  counterpartyVaspId: string;
  /** The account that is assessed. */
  address: string;
  /** When the request came, epoch ms on the clock of `owner`. */
  at: number;
  owner: string;
}

/** Throws `Refusal` verification-missing, not-completed, txhash-not-reported. Every result completes a verification. */
export function assessmentContext<K extends AssessmentKind>(
  deps: EnclaveDeps,
  kind: K,
  uuid: string,
  caller: string,
): AssessmentContext<K> {
  const verification = verifications.find(deps.db, uuid);
  const role = verification && roleOf(verification, caller);
  if (!role) throw refusals.verificationMissing(uuid);
  if (verification.status === 'OPEN') throw refusals.notCompleted(uuid);
  const apiType = KYT_API_TYPE[role][verification.txHash === null ? 'unreported' : 'reported'];
  if (kind === 'kyt' && apiType === null) throw refusals.txHashNotReported();
  const counterparty = COUNTERPARTIES[role];
  const counterpartyVaspId = verification[counterparty.vaspId];
  const owner = clockOwner(deps, caller, counterpartyVaspId);
  return {
    kind,
    caller,
    verification,
    counterparty,
    apiType,
    counterpartyVaspId,
    address: verification[counterparty.address],
    at: deps.clock.now(owner),
    owner,
  };
}

/** Undefined: the caller is neither of the two VASPs. */
const roleOf = ({ originatingVaspId, beneficiaryVaspId }: Verification, caller: string) =>
  originatingVaspId === caller ? 'originating' : beneficiaryVaspId === caller ? 'beneficiary' : undefined;

/**
 * Stores the assessment. `reference`: the provider's identifier of the request. `error`: why the first call of the provider
 * failed. `then` runs in the same transaction.
 */
export function createAssessment(
  deps: EnclaveDeps,
  { kind, caller, verification, counterparty, counterpartyVaspId, at }: AssessmentContext,
  { request, reference, error }: { request: object; reference: string | null; error: string | null },
  then: (tx: Tx, row: Assessment) => Assessment,
): Assessment {
  return write(deps.db, tx => {
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
  });
}
