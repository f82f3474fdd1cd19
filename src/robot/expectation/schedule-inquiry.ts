import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from './store.ts';

/** D-17: the first status query follows after the waiting time. The window for the queries begins with it. */
export function scheduleInquiry(
  deps: RobotDeps,
  tx: Tx,
  { verificationUuid, vaspId }: Pick<Expectation, 'verificationUuid' | 'vaspId'>,
): void {
  const { waitMs, windowMs } = deps.inquiry;
  const dueAt = deps.clock.now(vaspId) + waitMs;
  deps.expectations.patch(tx, verificationUuid, { inquireUntil: dueAt + windowMs });
  deps.timers.schedule(tx, 'robot.deposit.inquire', {
    key: verificationUuid,
    owner: vaspId,
    dueAt,
    why: 'status query, unless a transaction report comes first',
    payload: { verificationUuid },
  });
}
