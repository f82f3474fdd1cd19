import type { Client } from '../client/client.ts';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createLoop } from '../timers/loop.ts';

/** The time of the VASP's timers. A sandbox moves the time of a VASP instead of waiting. */
export interface SandboxClock extends Clock {
  /** The sandbox tells its time. Otherwise this is the clock of the machine. */
  isFollowing(): boolean;
  stop(): void;
}

const LOOK_MS = 500;

/** `moved`: what was not due may be due now. */
export async function followSandbox(api: Client, moved: () => void): Promise<SandboxClock> {
  let aheadMs: number | undefined;
  const look = async () => {
    const before = aheadMs;
    aheadMs = (await api.clock()).aheadMs;
    if (before !== aheadMs) moved();
  };
  const loop = createLoop(() => void look().then(next, next));
  const next = () => loop.within(LOOK_MS);
  await look().catch(() => {});
  next();
  return { now: () => systemClock.now() + (aheadMs ?? 0), isFollowing: () => aheadMs !== undefined, stop: loop.stop };
}
