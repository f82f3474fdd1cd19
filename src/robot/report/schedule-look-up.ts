import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';

type Deps = Pick<RobotDeps, 'clock' | 'timers'>;

export const scheduleLookUp = (deps: Deps, tx: Tx, expectation: Expectation): void =>
  scheduleLookUpAt(deps, tx, expectation, {
    dueAt: deps.clock.now(expectation.vaspId),
    why: 'the named transaction is looked up',
  });

export function scheduleLookUpAt(
  deps: Deps,
  tx: Tx,
  { verificationUuid, vaspId }: Expectation,
  { dueAt, why }: { dueAt: number; why: string },
): void {
  deps.timers.schedule(tx, 'robot.report.look-up', {
    key: verificationUuid,
    owner: vaspId,
    dueAt,
    why,
    payload: { verificationUuid },
  });
}
