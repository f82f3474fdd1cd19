import { refusals } from '../../contract/refusals.ts';
import { type EnclaveDeps, ownerOf } from '../deps.ts';
import type { Verification } from '../verification/store.ts';
import { type Cells, cellOf } from './counterparty-table.ts';
import type { AssessmentKind } from './store.ts';

/** One request to assess, its counterparty found. */
export interface AssessmentContext<K extends AssessmentKind> {
  kind: K;
  caller: string;
  verification: Verification;
  cell: NonNullable<Cells[K]>;
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
  const cell = verification && cellOf(verification, caller, kind);
  if (!verification || cell === undefined) throw refusals.verificationMissing(uuid);
  if (verification.status === 'OPEN') throw refusals.notCompleted(uuid);
  if (cell === null) throw refusals.txHashNotReported();
  const counterpartyVaspId = verification[cell.vaspId];
  const owner = ownerOf(deps, caller, counterpartyVaspId);
  return {
    kind,
    caller,
    verification,
    cell: cell as NonNullable<Cells[K]>,
    counterpartyVaspId,
    address: verification[cell.address],
    at: deps.clock.now(owner),
    owner,
  };
}
