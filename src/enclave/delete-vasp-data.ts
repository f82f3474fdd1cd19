import { deleteHistory } from '../db/history.ts';
import type { Tx } from '../db/transaction.ts';
import { deleteFindings } from '../findings/store.ts';
import * as callbacks from './callbacks/store.ts';
import type { EnclaveDeps } from './deps.ts';
import * as assessments from './risk/store.ts';
import * as verificationRemoval from './verification/removal-store.ts';

/** Of one statement. */
const MAX_PER_WRITE = 100;

/** Deletes the verifications of a VASP with their callbacks, assessments, findings and history. The registration stays. */
export function deleteVaspData(deps: EnclaveDeps, tx: Tx, vaspId: string, among: 'resident' | 'all' = 'all'): void {
  while (deleteSomeVaspData(deps, tx, vaspId, { among, limit: MAX_PER_WRITE }) > 0);
}

/** Deletes at most `most` of these verifications. Returns how many. */
export function deleteSomeVaspData(
  deps: EnclaveDeps,
  tx: Tx,
  vaspId: string,
  { among, limit }: { among: 'resident' | 'all'; limit: number },
): number {
  const other = among === 'resident' ? deps.residentVaspId : undefined;
  const uuids = verificationRemoval.someOf(tx, vaspId, limit, other);
  deleteVerifications(tx, uuids);
  return uuids.length;
}

export function deleteVerifications(tx: Tx, uuids: readonly string[]): void {
  callbacks.removeOf(tx, uuids);
  assessments.removeOf(tx, uuids);
  deleteHistory(tx, uuids);
  deleteFindings(tx, uuids);
  verificationRemoval.removeAll(tx, uuids);
}
