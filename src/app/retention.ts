import { actAs, type CallerId, type Own } from '../contract/tenancy.ts';
import { write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import { repeat } from '../kernel/interval.ts';
import type { Log } from '../kernel/log.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';

/**
 * Deletes final verifications after the time of RETENTION, with their callbacks, assessments, exchanges, remarks and
 * history. Deposits, transfers and wallets stay, so every balance stays. An open verification stays.
 */

const FIRST_SWEEP_MS = 5_000;
const SWEEP_EVERY_MS = 60_000;
/** Requests are served between two parts. */
const PAUSE_MS = 20;
const PART_MS = 5;
const PAGE = 50;

type Deps = Pick<SandboxDeps, 'db' | 'isHosted' | 'clock' | 'enclave' | 'robot' | 'exchanges' | 'timers'>;

/** The returned function ends it. */
export function startRetention(deps: Deps, retentionMs: number, log: Log): () => void {
  if (retentionMs === 0) return () => {};
  let parts: Generator<void> | undefined;
  let delayMs = FIRST_SWEEP_MS;
  return repeat(
    () => delayMs,
    () => {
      try {
        parts ??= sweep(deps, retentionMs);
        if (parts.next().done) parts = undefined;
      } catch (error) {
        parts = undefined;
        if (!storageTrouble(error)) log.error({ err: String(error) }, 'the retention sweep failed');
      }
      delayMs = parts ? PAUSE_MS : SWEEP_EVERY_MS;
    },
  );
}

/** Yields after each part of at most a few milliseconds. */
export function* sweep(deps: Deps, retentionMs: number): Generator<void> {
  let startedAt = elapsedMs();
  for (const { vaspId } of deps.enclave.listVasps())
    for (let after = { createdAt: 0, id: 0 }; ; ) {
      if (elapsedMs() - startedAt > PART_MS) {
        yield;
        startedAt = elapsedMs();
      }
      const now = deps.isHosted ? deps.clock.machineNow() : deps.clock.now(vaspId);
      const before = now - retentionMs;
      const rows = deps.enclave.listFinal(actAs(vaspId), { after, before, limit: PAGE });
      for (const { uuid } of rows) {
        deleteIfFinal(deps, uuid, actAs(vaspId));
        if (elapsedMs() - startedAt > PART_MS) {
          yield;
          startedAt = elapsedMs();
        }
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) break;
      after = last;
    }
}

function deleteIfFinal(
  { db, enclave, robot, exchanges, timers }: Deps,
  uuid: Own<string>,
  caller: CallerId,
): void {
  const keys = [...enclave.timersOf(uuid, caller), ...robot.timersOf(uuid)];
  if (timers.pendingOf(keys).length > 0 || !robot.isFinal(uuid)) return;
  write(db, tx => {
    robot.deleteVerification(tx, uuid);
    exchanges.removeOfVerification(tx, uuid);
    enclave.deleteVerification(tx, uuid);
  });
}
