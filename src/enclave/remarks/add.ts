import type { Tx } from '../../db/transaction.ts';
import { addRemark, type RemarkFinding } from '../../remarks/store.ts';
import type { EnclaveDeps } from '../deps.ts';

/** D-27: the conduct of the robot is no subject of remarks. */
export function addRemarks(
  { residentVaspId }: EnclaveDeps,
  tx: Tx,
  of: { verificationUuid: string; vaspId: string; at: number },
  findings: () => readonly RemarkFinding[],
): void {
  if (of.vaspId === residentVaspId) return;
  for (const finding of findings()) addRemark(tx, { ...of, ...finding });
}
