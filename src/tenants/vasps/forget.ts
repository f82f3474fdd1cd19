import { type Tx, write } from '../../db/transaction.ts';
import { runInParts } from '../../kernel/in-parts.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import { deleteFinal } from '../../sandbox/verifications/delete-final.ts';
import type { TenantsDeps } from '../deps.ts';
import * as invitations from '../invitations/store.ts';
import { closeConnections, requireTenant } from './change.ts';

type Deps = Pick<
  TenantsDeps,
  'audit' | 'connections' | 'db' | 'keys' | 'now' | 'sandbox' | 'tenants' | 'trials' | 'usage'
>;

/**
 * Deletes everything that tells of the VASP and of its persons. Money stays: deposits and
 * transfers without accounts of persons. The id stays taken. Throws `Refusal` not-found.
 */
export async function forget(deps: Deps, vaspId: string): Promise<{ result: true }> {
  requireTenant(deps, vaspId);
  closeConnections(deps, vaspId);
  await deps.sandbox.runs.stopOf(vaspId);
  await deleteMost(deps.sandbox, vaspId);
  write(deps.db, tx => {
    deleteData(deps.sandbox, tx, vaspId);
    deps.keys.remove(tx, deps.keys.ofVasp(vaspId));
    deps.usage.removeOf(tx, vaspId);
    endTrial(deps, tx, vaspId);
    invitations.forgetNames(tx, vaspId);
    deps.audit.forgetDetails(tx, vaspId);
    deps.tenants.change(tx, vaspId, { forgottenAt: deps.now(), quotas: {} });
  });
  return { result: true };
}

function endTrial({ trials, now }: Pick<Deps, 'now' | 'trials'>, tx: Tx, vaspId: string): void {
  const trial = trials.find(vaspId);
  if (trial) trials.move(tx, trial, 'ended', now(), 'the operator forgot the VASP');
  trials.forget(tx, vaspId);
}

/** In parts, because much data would keep the others waiting. A kill in between leaves a VASP that can be forgotten again. */
async function deleteMost(sandbox: SandboxDeps, vaspId: string): Promise<void> {
  await runInParts(deleteFinal(sandbox, vaspId, Number.MAX_SAFE_INTEGER));
  await runInParts(sandbox.exchanges.removeOld(vaspId, Number.MAX_SAFE_INTEGER));
}

function deleteData(sandbox: SandboxDeps, tx: Tx, vaspId: string): void {
  const { enclave, exchanges, faults, robot, runs, timers, clock } = sandbox;
  timers.deleteAll(tx, vaspId);
  robot.forgetVasp(tx, vaspId);
  exchanges.forgetVasp(tx, vaspId);
  enclave.deleteVaspData(tx, vaspId);
  faults.removeOf(tx, vaspId);
  runs.removeOf(tx, vaspId);
  clock.reset(tx, vaspId);
  enclave.forgetVasp(tx, vaspId);
}
