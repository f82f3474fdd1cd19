import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from './store.ts';
import * as expectations from './store.ts';

type Deps = Pick<RobotDeps, 'clock' | 'inquiry' | 'timers'>;

/** D-17: the first status query follows after the waiting time. The window for the queries begins with it. */
export function scheduleInquiry(
  deps: Deps,
  tx: Tx,
  expectation: Pick<Expectation, 'verificationUuid' | 'vaspId' | 'inquireUntil'>,
  now = deps.clock.now(expectation.vaspId),
): void {
  const { verificationUuid, vaspId } = expectation;
  const inquireUntil = inquiryEnd(deps, now);
  if (expectation.inquireUntil !== inquireUntil) expectations.patch(tx, verificationUuid, { inquireUntil });
  deps.timers.schedule(tx, 'robot.deposit.inquire', {
    key: verificationUuid,
    owner: vaspId,
    dueAt: now + deps.inquiry.waitMs,
    why: 'status query, unless a transaction report comes first',
    payload: { verificationUuid },
  });
}

export const inquiryEnd = ({ inquiry: { waitMs, windowMs } }: Deps, now: number): number =>
  now + waitMs + windowMs;
