import { deleteHistory } from '../db/history.ts';
import type { Tx } from '../db/transaction.ts';
import { deleteRemarks } from '../remarks/store.ts';
import * as callbacks from './callbacks/store.ts';
import type { EnclaveDeps } from './deps.ts';
import * as assessments from './risk/store.ts';
import * as verificationRemoval from './verification/removal-store.ts';

type Deps = Pick<EnclaveDeps, 'residentVaspId'>;

/** Deletes the verifications of a VASP with their callbacks, assessments, remarks and history. The registration stays. */
export function deleteVaspData(deps: Deps, tx: Tx, vaspId: string, among: 'resident' | 'all' = 'all'): void {
  const other = among === 'resident' ? deps.residentVaspId : undefined;
  deleteRecords(tx, verificationRemoval.uuidsOf(tx, vaspId, other));
  verificationRemoval.removeOf(tx, vaspId, other);
}

/** Deletes at most `most` of these verifications. Returns how many. */
export function deleteSomeVaspData(
  deps: Deps,
  tx: Tx,
  vaspId: string,
  { among, most }: { among: 'resident' | 'all'; most: number },
): number {
  const other = among === 'resident' ? deps.residentVaspId : undefined;
  const uuids = verificationRemoval.someOf(tx, vaspId, most, other);
  deleteRecords(tx, verificationRemoval.uuidsAmong(tx, uuids));
  verificationRemoval.removeAll(tx, uuids);
  return uuids.length;
}

export function deleteVerification(tx: Tx, uuid: string): void {
  deleteRecords(tx, verificationRemoval.uuidsAmong(tx, [uuid]));
  verificationRemoval.removeAll(tx, [uuid]);
}

function deleteRecords(tx: Tx, uuids: ReturnType<typeof verificationRemoval.uuidsAmong>): void {
  callbacks.removeOf(tx, uuids);
  assessments.removeOf(tx, uuids);
  deleteHistory(tx, uuids);
  deleteRemarks(tx, uuids);
}
