import type { Tx } from '../../db/transaction.ts';
import { addFinding, type NewFinding } from '../../findings/store.ts';
import type { EnclaveDeps } from '../deps.ts';

/** D-27: the conduct of the robot is no subject of findings. */
export function addFindings(
  { residentVaspId }: EnclaveDeps,
  tx: Tx,
  of: { verificationUuid: string; vaspId: string; at: number },
  findings: () => readonly NewFinding[],
): void {
  if (of.vaspId === residentVaspId) return;
  for (const finding of findings()) addFinding(tx, { ...of, ...finding });
}
