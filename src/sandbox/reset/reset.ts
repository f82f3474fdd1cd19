import { deleteOwnHistory, record } from '../../db/history.ts';
import { write } from '../../db/transaction.ts';
import type { SandboxDeps } from '../deps.ts';

/**
 * Removes everything of this VASP but its registration, and sets its clock back to the machine's. That it happened is
 * told, and is all that is left.
 */
export function reset(deps: SandboxDeps, vaspId: string): { result: true } {
  write(deps.db, tx => {
    deps.timers.deleteAll(tx, vaspId);
    deps.robot.deleteVaspData(tx, vaspId);
    deps.enclave.deleteVaspData(tx, vaspId);
    deps.exchanges.removeOf(tx, vaspId);
    deps.faults.removeOf(tx, vaspId);
    deps.clock.reset(tx, vaspId);
    deleteOwnHistory(tx, vaspId);
    record(tx, {
      machine: 'reset',
      rowKey: vaspId,
      verificationUuid: null,
      vaspId,
      from: null,
      event: 'reset',
      to: null,
      at: deps.clock.now(vaspId),
      cause: 'everything of this VASP was removed',
    });
  });
  return { result: true };
}
