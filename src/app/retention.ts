import { runPart } from '../kernel/in-parts.ts';
import { repeat } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import { deleteFinal } from '../sandbox/verifications/delete-final.ts';

/**
 * Deletes final verifications after the time of RETENTION, with their callbacks, assessments, exchanges, remarks and
 * history, the exchanges without a verification, and the runs of checks that have ended. Deposits, transfers and wallets
 * stay, so every balance stays. An open verification stays, with its exchanges.
 */

const FIRST_SWEEP_MS = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Requests are served between two parts. */
const PAUSE_MS = 20;
const PART_MS = 5;

type Deps = Pick<
  SandboxDeps,
  'db' | 'isHosted' | 'clock' | 'enclave' | 'robot' | 'exchanges' | 'plans' | 'timers'
>;

/** The returned function ends it. */
export function startRetention(deps: Deps, retentionMs: number, log: Log): () => void {
  if (retentionMs === 0) return () => {};
  let steps: Generator<void> | undefined;
  let delayMs = FIRST_SWEEP_MS;
  return repeat(
    () => delayMs,
    () => {
      try {
        steps ??= sweep(deps, retentionMs);
        if (runPart(steps, PART_MS)) steps = undefined;
      } catch (error) {
        steps = undefined;
        if (!storageTrouble(error)) log.error({ err: String(error) }, 'the retention sweep failed');
      }
      delayMs = steps ? PAUSE_MS : SWEEP_EVERY_MS;
    },
  );
}

function* sweep(deps: Deps, retentionMs: number): Generator<void> {
  for (const { vaspId } of deps.enclave.listVasps()) {
    const machineAt = deps.clock.machineNow() - retentionMs;
    // Rows have times on the clock of their VASP.
    const before = deps.isHosted
      ? deps.clock.timeAt(vaspId, machineAt)
      : deps.clock.now(vaspId) - retentionMs;
    yield* deleteFinal(deps, vaspId, before);
    yield* deps.exchanges.removeOld(vaspId, before);
    yield* deps.plans.removeOld(vaspId, machineAt);
  }
}
