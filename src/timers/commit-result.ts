import { CommitRefused, groupCommit } from '../db/group-commit.ts';
import type { Db } from '../db/open.ts';
import type { Tx } from '../db/transaction.ts';
import type { Log } from '../kernel/log.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';
import { pause } from './loop.ts';
import type { Outcome } from './registry.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { TimerRow } from './store.ts';
import * as timerRows from './store.ts';
import { type RunStart, recordFailed, recordFired } from './timer-history.ts';

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 300_000;
const COMMIT_AGAIN_MS = 100;

export type RunResult = { outcome: Outcome<unknown> } | { error: unknown };

interface CommitDeps {
  /** True: the program stops. A result that cannot be stored is dropped then, as after a kill. */
  isStopping: () => boolean;
  db: Db;
  clock: SandboxClock;
  log: Log;
}

/** Commits an outcome, or schedules a retry after an error. Waits while the database refuses to commit. */
export async function commitResult(
  deps: CommitDeps,
  row: TimerRow,
  start: RunStart,
  result: RunResult,
): Promise<void> {
  const { db, log } = deps;
  for (let current = result; ; ) {
    try {
      return await groupCommit(db, tx =>
        'error' in current
          ? retryLater(deps, tx, row, start, current.error)
          : commitOutcome(tx, row, start, current.outcome),
      );
    } catch (error) {
      if (isOfHandler(error) && !('error' in current)) {
        current = { error };
        continue;
      }
      if (deps.isStopping()) return;
      log.error({ err: String(error) }, 'the database refuses to commit, will be tried again');
      await pause(COMMIT_AGAIN_MS);
    }
  }
}

const isOfHandler = (error: unknown): boolean => !(error instanceof CommitRefused) && !storageTrouble(error);

function commitOutcome(tx: Tx, row: TimerRow, start: RunStart, outcome: Outcome<unknown>): void {
  const { againAt, why = row.why } = outcome;
  const payload = outcome.payload ?? row.payload;
  const next = againAt === undefined ? undefined : { dueAt: againAt, why };
  const isCurrent = next
    ? timerRows.move(tx, row, {
        dueAt: next.dueAt,
        attempts: row.attempts + 1,
        lastError: null,
        why,
        payload,
      })
    : timerRows.finish(tx, row);
  if (isCurrent) recordFired(tx, row, start, next);
  outcome.apply?.(tx);
}

function retryLater(
  { clock, log }: CommitDeps,
  tx: Tx,
  row: TimerRow,
  { at }: RunStart,
  error: unknown,
): void {
  // Storage trouble is no failure of the timer: the first delay stays.
  const attempts = row.attempts + (storageTrouble(error) ? 0 : 1);
  const delayMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(Math.max(attempts - 1, 0), 20), LONGEST_RETRY_MS);
  const lastError = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  log.warn({ kind: row.kind, key: row.key, attempts, err: lastError }, 'timer failed, will be tried again');
  const dueAt = clock.now(row.owner) + delayMs;
  if (timerRows.move(tx, row, { dueAt, attempts, lastError }))
    recordFailed(tx, row, at, { lastError, dueAt });
}
