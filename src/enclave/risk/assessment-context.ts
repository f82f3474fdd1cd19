import { refusals } from '../../contract/refusals.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { type Counterparties, counterpartyOf } from './counterparty-table.ts';
import type { AssessmentKind } from './store.ts';

/** One request to assess, its counterparty found. */
export interface AssessmentContext<K extends AssessmentKind> {
  kind: K;
  caller: string;
  verification: Verification;
  counterparty: NonNullable<Counterparties[K]>;
  counterpartyVaspId: string;
  address: string;
  /** When it was asked, epoch ms on the clock of `owner`. */
  at: number;
  owner: string;
}

/** Throws `Refusal` verification-missing, not-completed, txhash-not-reported. Any result completes a verification. */
export function assessmentContext<K extends AssessmentKind>(
  deps: EnclaveDeps,
  kind: K,
  uuid: string,
  caller: string,
): AssessmentContext<K> {
  const verification = deps.verifications.find(uuid);
  const cell = verification && counterpartyOf(verification, caller, kind);
  if (!verification || cell === undefined) throw refusals.verificationMissing(uuid);
  if (verification.status === 'OPEN') throw refusals.notCompleted(uuid);
  if (cell === null) throw refusals.txHashNotReported();
  const counterpartyVaspId = verification[cell.vaspId];
  const owner = clockOwner(deps, caller, counterpartyVaspId);
  return {
    kind,
    caller,
    verification,
    counterparty: cell as NonNullable<Counterparties[K]>,
    counterpartyVaspId,
    address: verification[cell.address],
    at: deps.clock.now(owner),
    owner,
  };
}
