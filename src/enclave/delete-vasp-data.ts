import { deleteHistory } from '../db/history.ts';
import { deleteRemarks } from '../db/remarks.ts';
import type { Tx } from '../db/transaction.ts';
import type { EnclaveDeps } from './deps.ts';

/** Deletes the verifications of a VASP with their callbacks, assessments, remarks and history. The registration stays. */
export function deleteVaspData(deps: EnclaveDeps, tx: Tx, vaspId: string): void {
  const uuids = deps.verifications.uuidsOf(tx, vaspId);
  deps.callbacks.removeOf(tx, uuids);
  deps.assessments.removeOf(tx, uuids);
  deleteHistory(tx, uuids);
  deleteRemarks(tx, uuids);
  deps.verifications.removeOf(tx, vaspId);
}
