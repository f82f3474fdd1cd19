import { asCaller, type CallerId, type Scoped } from '../contract/tenancy.ts';
import { write } from '../db/transaction.ts';
import type { SandboxDeps } from './deps.ts';

const PAGE = 50;

/**
 * Deletes the final verifications of a VASP from before a time, with their callbacks, assessments, exchanges, findings and
 * history. Deposits and transfers stay. Yields after each verification.
 */
export function* deleteFinal(deps: SandboxDeps, vaspId: string, before: number): Generator<void> {
  const caller = asCaller(vaspId);
  for (let after = { createdAt: 0, id: 0 }; ; ) {
    const rows = deps.enclave.listFinal(caller, { after, before, limit: PAGE });
    yield;
    for (const { uuid } of rows) {
      deleteIfFinal(deps, uuid, caller);
      yield;
    }
    const last = rows.at(-1);
    if (!last || rows.length < PAGE) return;
    after = last;
  }
}

function deleteIfFinal(
  { db, enclave, robot, exchanges, timers }: SandboxDeps,
  uuid: Scoped<string>,
  caller: CallerId,
): void {
  const keys = [...enclave.timersOf(uuid, caller), ...robot.timersOf(uuid)];
  if (timers.pendingOf(keys).length > 0 || !robot.isFinal(uuid)) return;
  // A call about it may still be recorded.
  if (timers.running().some(({ verificationUuid }) => verificationUuid === uuid)) return;
  write(db, tx => {
    robot.deleteVerification(tx, uuid);
    exchanges.removeOfVerification(tx, uuid);
    enclave.deleteVerification(tx, uuid);
  });
}
