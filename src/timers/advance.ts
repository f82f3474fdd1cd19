import type { Db } from '../db/open.ts';
import { write } from '../db/transaction.ts';
import { elapsedMs } from '../kernel/clock.ts';
import type { TimerKind } from './registry.ts';
import type { Runner, RunningTimer } from './runner.ts';
import type { SandboxClock } from './sandbox-clock.ts';
import type { TimerStore } from './store.ts';

export type Fired = { kind: TimerKind; key: string; dueAt: number };

/** A VASP is silent after this time without an answer. More than the limits of 1 s: those calls end first. */
const SILENT_AFTER_MS = 2_000;

/** The handlers of these kinds wait for the answer of a VASP. All others end by themselves. */
const CALLING_KINDS: ReadonlySet<string> = new Set<TimerKind>([
  'enclave.verification.ask',
  'enclave.callback.deliver',
  'robot.deposit.inquire',
]);

interface AdvanceDeps {
  db: Db;
  store: TimerStore;
  clock: SandboxClock;
  runner: Runner;
  silentAfterMs?: number | undefined;
}

/** `Timers.advance`. Calls for the same owner run one after the other. */
export function createAdvance({
  db,
  store,
  clock,
  runner,
  silentAfterMs = SILENT_AFTER_MS,
}: AdvanceDeps): (owner: string, durationMs: number) => Promise<Fired[]> {
  const latest = new Map<string, Promise<unknown>>();

  const untilSilentMs = ({ kind, startedAt }: RunningTimer): number =>
    CALLING_KINDS.has(kind) ? startedAt + silentAfterMs - elapsedMs() : Number.POSITIVE_INFINITY;

  async function moveThrough(owner: string, durationMs: number): Promise<void> {
    if (durationMs === 0) return runner.runDue(owner, untilSilentMs);
    const target = clock.now(owner) + durationMs;
    await runner.runDue(owner);
    for (;;) {
      const next = store.nextAfter(owner, clock.now(owner));
      const to = next === undefined || next > target ? target : next;
      write(db, tx => clock.moveTo(tx, owner, to));
      await runner.runDue(owner);
      if (to === target) return;
    }
  }

  async function advance(owner: string, durationMs: number): Promise<Fired[]> {
    const fired: Fired[] = [];
    const stopListening = runner.onRun(row => {
      if (row.owner === owner) fired.push({ kind: row.kind, key: row.key, dueAt: row.dueAt });
    });
    await moveThrough(owner, durationMs).finally(stopListening);
    return fired;
  }

  return (owner, durationMs) => {
    const previous = latest.get(owner) ?? Promise.resolve();
    const current = previous.catch(() => {}).then(() => advance(owner, durationMs));
    latest.set(owner, current);
    return current;
  };
}
