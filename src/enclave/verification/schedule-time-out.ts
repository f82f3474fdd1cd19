import type { Tx } from '../../db/transaction.ts';
import { clockOwner, type EnclaveDeps } from '../deps.ts';
import type { Verification } from './store.ts';
import * as verifications from './store.ts';

/** D-12 */
export function scheduleTimeOut(deps: EnclaveDeps, tx: Tx, row: Verification): void {
  deps.timers.schedule(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

/** The reset of a VASP has deleted its timers. Its open verifications with others get theirs again. */
export function timeOutOpen(deps: EnclaveDeps, tx: Tx, vaspId: string): void {
  for (const row of verifications.openFrom(tx, vaspId))
    deps.timers.ensure(tx, 'enclave.verification.time-out', timeOutTimer(deps, row));
}

/** Also for a copy that has ended: then the timer compares its end with that of the enclave that leads. */
const timeOutTimer = (deps: EnclaveDeps, row: Verification) => ({
  dueAt: row.createdAt + deps.timeoutMs.verifyUser,
  why:
    row.status === 'OPEN'
      ? 'will time out unless the beneficiary VASP answers'
      : 'ask the enclave what became of the answer',
  ...verificationTimer(deps, row),
});

export const verificationTimer = (deps: EnclaveDeps, { uuid, originatingVaspId, beneficiaryVaspId }: Verification) => ({
  key: uuid,
  owner: clockOwner(deps, originatingVaspId, beneficiaryVaspId),
  queue: `verification ${uuid}`,
  payload: { uuid },
});
