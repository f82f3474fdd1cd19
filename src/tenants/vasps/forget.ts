import * as closing from '../../db/closing.ts';
import { truncateLog } from '../../db/compact.ts';
import { write } from '../../db/transaction.ts';
import { sleep } from '../../kernel/clock.ts';
import { runInParts } from '../../kernel/turns.ts';
import { forgetData } from '../../sandbox/delete-data.ts';
import { deleteFinal } from '../../sandbox/delete-final.ts';
import type { TenantsDeps } from '../deps.ts';
import * as invitations from '../invitation-store.ts';
import { requireTenant } from './change.ts';

/** The answer waits this long for what is under way. The rest of the work goes on without it. */
const WAITED_MS = 10_000;
const LOOK_AGAIN_MS = 20;

/**
 * Deletes everything that tells of the VASP and of its persons. Money stays: deposits and transfers without accounts of
 * persons. A transfer under way keeps its account until it is final: until then the VASP is closing. The id stays taken.
 * Throws `Refusal` not-found.
 */
export async function forget(deps: TenantsDeps, vaspId: string): Promise<{ result: true }> {
  if (!deps.tenants.isClosing(vaspId)) requireTenant(deps, vaspId);
  close(deps, vaspId);
  const until = deps.elapsed() + WAITED_MS;
  while (!(await deleteAll(deps, vaspId)) && deps.elapsed() < until) await sleep(LOOK_AGAIN_MS);
  return { result: true };
}

/** From here on nobody calls for the VASP, and nothing is written for it. */
export function close(deps: TenantsDeps, vaspId: string): void {
  const { enclave } = deps.sandbox;
  write(deps.db, tx => {
    enclave.saveVasp({ ...enclave.findVasp(vaspId)!, isActive: false });
    closing.close(tx, vaspId);
    deps.keys.remove(tx, deps.keys.ofVasp(vaspId));
    deps.sandbox.timers.deleteAll(tx, vaspId);
    const trial = deps.trials.find(vaspId);
    if (trial) deps.trials.move(tx, trial, 'ended', deps.now(), 'the operator forgot the VASP');
  });
}

/** Goes on with those that are closing: a transfer has become final, or the process ended in between. */
export async function forgetClosing(deps: TenantsDeps, vaspId: string): Promise<void> {
  if (!deps.sandbox.robot.hasTransferUnderWay(vaspId)) await deleteAll(deps, vaspId);
}

/** In parts, because much data would keep the others waiting. False: something is under way that may still write. */
async function deleteAll(deps: TenantsDeps, vaspId: string): Promise<boolean> {
  const { db, sandbox, tenants, now } = deps;
  await sandbox.runs.stopOf(vaspId);
  if (isUnderWay(deps, vaspId)) return false;
  await runInParts(deleteFinal(sandbox, vaspId, Number.MAX_SAFE_INTEGER));
  await runInParts(sandbox.exchanges.removeOld(vaspId, Number.MAX_SAFE_INTEGER));
  if (isUnderWay(deps, vaspId)) return false;
  const isFinal = write(db, tx => {
    forgetData(sandbox, tx, vaspId);
    deps.usage.removeOf(tx, vaspId);
    deps.trials.forget(tx, vaspId);
    invitations.forgetNames(tx, vaspId);
    deps.audit.forgetDetails(tx, vaspId);
    tenants.change(tx, vaspId, { quotas: {} });
    // One that becomes final later still has its recipient.
    return !sandbox.robot.hasTransferUnderWay(vaspId);
  });
  // From here on nothing that others read names it.
  await runInParts(sandbox.exchanges.removeNaming(vaspId));
  truncateLog(db);
  if (isFinal) write(db, tx => tenants.change(tx, vaspId, { forgottenAt: now() }));
  return true;
}

/** A request of the VASP, or a call about one of its verifications, that has not ended. */
const isUnderWay = ({ underWay, sandbox }: TenantsDeps, vaspId: string): boolean =>
  underWay.of(vaspId) > 0 ||
  sandbox.timers
    .running()
    .some(
      ({ owner, verificationUuid }) =>
        owner === vaspId || (verificationUuid !== null && sandbox.enclave.isPartyTo(vaspId, verificationUuid)),
    );
