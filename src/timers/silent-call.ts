import { elapsedMs } from '../kernel/clock.ts';
import type { TimerKind } from './registry.ts';

/** A timer whose handler has begun and not ended. */
export interface RunningTimer {
  lane: string;
  kind: string;
  startedAt: number;
  done: Promise<void>;
}

/** A VASP that has not answered for so long is silent. Longer than the limits of 1 s, so that those calls end first. */
export const SILENT_AFTER_MS = 2_000;
export const FOREVER = Number.POSITIVE_INFINITY;

/** Their handlers wait for the answer of a VASP. */
const CALLING_KINDS: ReadonlySet<string> = new Set<TimerKind>([
  'enclave.verification.ask',
  'enclave.callback.deliver',
  'robot.deposit.inquire',
]);

/** How long a call may still be waited for. Everything else is the program's own work, which ends. */
export const untilSilentMs = ({ kind, startedAt }: RunningTimer, silentAfterMs: number): number =>
  CALLING_KINDS.has(kind) ? startedAt + silentAfterMs - elapsedMs() : FOREVER;
