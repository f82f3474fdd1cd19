import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from './machine.ts';

/** A VASP came from another sandbox: the addresses of its open deposits belong to the robot there. */
export function stopExpectations(deps: RobotDeps, tx: Tx, vaspId: string, cause: string): void {
  const at = deps.clock.now(vaspId);
  for (const expectation of deps.expectations.openOf(vaspId))
    transition(tx, expectationStatus, expectation, 'moved', { at, cause });
}
