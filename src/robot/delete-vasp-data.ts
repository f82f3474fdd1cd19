import type { Tx } from '../db/transaction.ts';
import { releaseDeposits } from './deposit/attribute.ts';
import type { RobotDeps } from './deps.ts';

/** Removes what the robot knows of a VASP. Unattributed deposits to users of the fixtures are the chain's, and stay. */
export function deleteVaspData(deps: RobotDeps, tx: Tx, vaspId: string): void {
  const awaited = deps.expectations.openOf(vaspId);
  deps.expectations.removeOf(tx, vaspId);
  deps.deposits.removeOf(tx, vaspId);
  deps.transfers.removeOf(tx, vaspId);
  deps.answers.removeOf(tx, vaspId);
  deps.users.restoreFixtures(tx, vaspId);
  for (const expectation of awaited) releaseDeposits(deps, tx, expectation);
}
