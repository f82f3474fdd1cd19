import { deleteHistory } from '../db/history.ts';
import type { Tx } from '../db/transaction.ts';
import { deleteRemarks } from '../remarks/store.ts';
import type { EnclaveDeps } from './deps.ts';

type Deps = Pick<EnclaveDeps, 'assessments' | 'callbacks' | 'residentVaspId' | 'verifications'>;

/** Deletes the verifications of a VASP with their callbacks, assessments, remarks and history. The registration stays. */
export function deleteVaspData(deps: Deps, tx: Tx, vaspId: string, among: 'resident' | 'all' = 'all'): void {
  const other = among === 'resident' ? deps.residentVaspId : undefined;
  deleteRecords(deps, tx, deps.verifications.uuidsOf(tx, vaspId, other));
  deps.verifications.removeOf(tx, vaspId, other);
}

/** Deletes at most `most` of these verifications. Returns how many. */
export function deleteSomeVaspData(
  deps: Deps,
  tx: Tx,
  vaspId: string,
  { among, most }: { among: 'resident' | 'all'; most: number },
): number {
  const other = among === 'resident' ? deps.residentVaspId : undefined;
  const uuids = deps.verifications.someOf(vaspId, most, other);
  deleteRecords(deps, tx, deps.verifications.uuidsAmong(tx, uuids));
  deps.verifications.removeAll(tx, uuids);
  return uuids.length;
}

/** Deletes one verification, with the same records. */
export function deleteVerification(deps: Deps, tx: Tx, uuid: string): void {
  deleteRecords(deps, tx, deps.verifications.uuidsAmong(tx, [uuid]));
  deps.verifications.removeAll(tx, [uuid]);
}

function deleteRecords(deps: Deps, tx: Tx, uuids: ReturnType<EnclaveDeps['verifications']['uuidsOf']>): void {
  deps.callbacks.removeOf(tx, uuids);
  deps.assessments.removeOf(tx, uuids);
  deleteHistory(tx, uuids);
  deleteRemarks(tx, uuids);
}
