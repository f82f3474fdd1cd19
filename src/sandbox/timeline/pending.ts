import type { PendingTimer } from '../../timers/timers.ts';
import type { SandboxDeps } from '../deps.ts';

/** The pending timers of a verification that concern the calling VASP, next first. */
export const pendingTimersOf = (
  { enclave, robot, timers }: SandboxDeps,
  verificationUuid: string,
  caller: string,
): PendingTimer[] =>
  timers
    .pendingOf([...enclave.timersOf(verificationUuid, caller), ...robot.timersOf(verificationUuid)])
    .sort((a, b) => a.dueAt - b.dueAt);
