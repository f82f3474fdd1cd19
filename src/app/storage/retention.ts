import type { Log } from '../../kernel/log.ts';
import { startSweep } from '../../kernel/sweep.ts';
import type { SandboxDeps } from '../../sandbox/deps.ts';
import { deleteFinal } from '../../sandbox/verifications/delete-final.ts';

/**
 * Deletes final verifications after the time of RETENTION, with their callbacks, assessments, exchanges, remarks and
 * history, the exchanges without a verification, and the runs of checks that have ended. Deposits, transfers and wallets
 * stay, so every balance stays. An open verification stays, with its exchanges.
 */

/** The returned function ends it. */
export function startRetention(deps: SandboxDeps, retentionMs: number, log: Log): () => void {
  if (retentionMs === 0) return () => {};
  return startSweep(() => sweep(deps, retentionMs), log, 'the retention sweep failed');
}

function* sweep(deps: SandboxDeps, retentionMs: number): Generator<void> {
  for (const { vaspId } of deps.enclave.listVasps()) {
    const machineAt = deps.clock.machineNow() - retentionMs;
    // Rows have times on the clock of their VASP.
    const before = deps.isHosted ? deps.clock.timeAt(vaspId, machineAt) : deps.clock.now(vaspId) - retentionMs;
    yield* deleteFinal(deps, vaspId, before);
    yield* deps.exchanges.removeOld(vaspId, before);
    yield* deps.runs.removeOld(vaspId, machineAt);
    yield* deps.robot.removeOld(vaspId, { machineAt, before });
  }
}
