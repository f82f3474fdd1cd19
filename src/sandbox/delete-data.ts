import type { CallerId } from '../contract/tenancy.ts';
import { deleteOwnHistory, record } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { type Tx, write } from '../db/transaction.ts';
import { runInParts } from '../kernel/turns.ts';
import type { SandboxDeps } from './deps.ts';

/** A few milliseconds. */
const MAX_PER_WRITE = 20;

/**
 * Deletes the data of this VASP except its registration, and sets its clock to the machine's time. The history keeps one
 * entry: the reset. In hosted mode verifications with other VASPs stay: they belong to both.
 */
export async function deleteData(deps: SandboxDeps, vaspId: CallerId): Promise<void> {
  await deps.runs.stopOf(vaspId);
  await deleteMost(deps, vaspId);
  write(deps.db, tx => {
    deleteWork(deps, tx, vaspId);
    deps.exchanges.removeOf(tx, vaspId);
    deps.enclave.deleteVaspData(tx, vaspId, among(deps));
    deleteRest(deps, tx, vaspId);
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
  if (deps.isHosted) await settleShared(deps, vaspId);
}

/** Forgets a VASP: also its verifications with others. Money stays, without persons and their accounts. */
export function forgetData(deps: SandboxDeps, tx: Tx, vaspId: string): void {
  const { enclave, exchanges, robot, timers } = deps;
  timers.deleteAll(tx, vaspId);
  robot.forgetVasp(tx, vaspId);
  exchanges.forgetVasp(tx, vaspId);
  enclave.deleteVaspData(tx, vaspId);
  deleteRest(deps, tx, vaspId);
  enclave.forgetVasp(tx, vaspId);
}

/** What a reset and forgetting delete alike. */
function deleteRest({ clock, faults, runs }: SandboxDeps, tx: Tx, vaspId: string): void {
  faults.removeOf(tx, vaspId);
  runs.removeOf(tx, vaspId);
  clock.reset(tx, vaspId);
  deleteOwnHistory(tx, vaspId);
}

/** The verifications with other VASPs. Their times were on the clock that was set back. */
async function settleShared({ db, enclave }: SandboxDeps, vaspId: CallerId): Promise<void> {
  await runInParts(parts(db, tx => enclave.moveBack(tx, vaspId, MAX_PER_WRITE)));
  write(db, tx => enclave.resumeShared(tx, vaspId));
}

/** In parts, because much data would keep the others waiting. A kill in between leaves a VASP that can be reset again. */
async function deleteMost(deps: SandboxDeps, vaspId: CallerId): Promise<void> {
  const { db, timers, robot, enclave } = deps;
  const some = { among: among(deps), limit: MAX_PER_WRITE };
  await runInParts(parts(db, tx => timers.deleteSome(tx, vaspId, MAX_PER_WRITE)));
  await runInParts(parts(db, tx => robot.deleteSomeVaspData(tx, vaspId, MAX_PER_WRITE)));
  // Nothing of the robot needs a verification afterwards.
  write(db, tx => deleteWork(deps, tx, vaspId));
  await runInParts(parts(db, tx => enclave.deleteSomeVaspData(tx, vaspId, some)));
  await runInParts(deps.exchanges.removeOld(vaspId, Number.MAX_SAFE_INTEGER));
}

/** One transaction for each part, until it has deleted nothing. */
function* parts(db: Db, deleteSome: (tx: Tx) => number): Generator<void> {
  while (write(db, deleteSome) > 0) yield;
}

function deleteWork({ timers, robot }: SandboxDeps, tx: Tx, vaspId: CallerId): void {
  timers.deleteAll(tx, vaspId);
  robot.deleteVaspData(tx, vaspId);
}

const among = ({ isHosted }: SandboxDeps) => (isHosted ? ('resident' as const) : ('all' as const));
