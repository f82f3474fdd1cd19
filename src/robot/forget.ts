import type { Tx } from '../db/write.ts';
import type { RobotDeps } from './deps.ts';

/** Removes what the robot knows of a VASP. Unattributed deposits are the chain's, and stay. */
export function forget(deps: RobotDeps, tx: Tx, vaspId: string): void {
  deps.expectations.removeOf(tx, vaspId);
  deps.deposits.removeOf(tx, vaspId);
  deps.transfers.removeOf(tx, vaspId);
}
