import type { CallerId } from '../../contract/tenancy.ts';
import { deleteOwnHistory, record } from '../../db/history.ts';
import { write } from '../../db/transaction.ts';
import type { SandboxDeps } from '../deps.ts';

/**
 * Deletes the data of this VASP except its registration, and sets its clock to the machine's time. The history keeps one
 * entry: the reset. In hosted mode verifications with other VASPs stay: they belong to both.
 */
export function reset(deps: SandboxDeps, vaspId: CallerId): { result: true } {
  write(deps.db, tx => {
    deps.timers.deleteAll(tx, vaspId);
    deps.robot.deleteVaspData(tx, vaspId);
    deps.enclave.deleteVaspData(tx, vaspId, deps.isHosted ? 'resident' : 'all');
    deps.exchanges.removeOf(tx, vaspId);
    deps.faults.removeOf(tx, vaspId);
    deps.plans.removeOf(tx, vaspId);
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
      cause: 'all data of this VASP were deleted',
    });
  });
  return { result: true };
}
