import { refusals } from '../../contract/refusals.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import * as verifications from '../verification/store.ts';
import { type Counterparties, counterpartyOf } from './counterparty-table.ts';
import type { AssessmentKind } from './store.ts';

/** One request for an assessment, with the counterparty that it is about. */
export interface AssessmentContext<K extends AssessmentKind> {
  kind: K;
  caller: string;
  verification: Verification;
  counterparty: NonNullable<Counterparties[K]>;
  counterpartyVaspId: string;
  address: string;
  /** When the request came, epoch ms on the clock of `owner`. */
  at: number;
  owner: string;
}

/** Throws `Refusal` verification-missing, not-completed, txhash-not-reported. Every result completes a verification. */
export function assessmentContext<K extends AssessmentKind>(
  deps: Pick<EnclaveDeps, 'clock' | 'db' | 'residentVaspId'>,
  kind: K,
  uuid: string,
  caller: string,
): AssessmentContext<K> {
  const verification = verifications.find(deps.db, uuid);
  const counterparty = verification && counterpartyOf(verification, caller, kind);
  if (!verification || counterparty === undefined) throw refusals.verificationMissing(uuid);
  if (verification.status === 'OPEN') throw refusals.notCompleted(uuid);
  if (counterparty === null) throw refusals.txHashNotReported();
  const counterpartyVaspId = verification[counterparty.vaspId];
  const owner = clockOwner(deps, caller, counterpartyVaspId);
  return {
    kind,
    caller,
    verification,
    counterparty: counterparty as NonNullable<Counterparties[K]>,
    counterpartyVaspId,
    address: verification[counterparty.address],
    at: deps.clock.now(owner),
    owner,
  };
}
