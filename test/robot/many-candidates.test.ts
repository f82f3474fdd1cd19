import { expect, test, vi } from 'vitest';
import { refusals } from '../../src/contract/refusals.ts';
import { expectations } from '../../src/db/schema/robot.ts';
import { write } from '../../src/db/transaction.ts';
import { recordTransfer, releaseDeposits } from '../../src/robot/deposit/lifecycle.ts';
import { expectingRobot, ROBOT_ACCOUNT } from '../support/robot/expecting-robot.ts';

const deposited = ({ db, deps, machine }: ReturnType<typeof expectingRobot>, n = 0) =>
  write(db, tx =>
    recordTransfer(
      deps,
      tx,
      'ETH',
      {
        txHash: `0x${String(n).padStart(64, '0')}`,
        index: 0,
        from: `0x${'22'.repeat(20)}`,
        to: { account: ROBOT_ACCOUNT },
        amount: 10n ** 18n,
        height: 7,
        blockHash: 'block 7',
        at: machine.at,
        final: true,
      },
      undefined,
    ),
  );
const robotOf = () => expectingRobot({ status: async () => 'PENDING', lookup: () => Promise.reject(new Error()) });
/** Those whose window was extended by the payment. */
function awaiting({ db, machine, deps }: ReturnType<typeof expectingRobot>): string[] {
  const { waitMs, windowMs } = deps.inquiry;
  return db.orm
    .select()
    .from(expectations)
    .all()
    .filter(({ inquireUntil }) => inquireUntil === machine.at + waitMs + windowMs)
    .map(({ verificationUuid }) => verificationUuid);
}

test('REF-4.5.4: one payment lets the robot ask for the newest hundred of each VASP', async () => {
  const robot = robotOf();
  for (let n = 0; n < 150; n++) {
    robot.machine.at += 1_000;
    robot.open(`a ${n}`, 'a', '1');
    if (n === 10) robot.open('b', 'b', '1');
  }
  robot.machine.at += 1_000;
  deposited(robot);
  const asked = awaiting(robot);
  expect(asked).toHaveLength(101);
  expect(asked).toContain('b');
  expect(asked).toContain('a 149');
  expect(asked).not.toContain('a 49');
  await robot.close();
});

test('a verification that is being deleted stops no deposit', async () => {
  const robot = robotOf();
  const { deps } = robot;
  robot.open('deleted', 'a', '1');
  robot.open('kept', 'a', '1');
  robot.machine.at += 1_000;
  const { get } = deps.enclave;
  deps.enclave.get = (uuid, caller) => {
    if (uuid === 'deleted') throw refusals.verificationMissing(uuid);
    return get(uuid, caller);
  };
  deposited(robot);
  expect(awaiting(robot)).toEqual(['kept']);
  await robot.close();
});

test('a status answer looks at each candidate once, whatever number of payments wait', async () => {
  const robot = robotOf();
  const { db, deps } = robot;
  const looked = vi.spyOn(deps.enclave, 'get');
  for (let n = 0; n < 10; n++) robot.open(`a ${n}`, 'a', '1');
  for (let n = 0; n < 30; n++) deposited(robot, n);
  looked.mockClear();
  write(db, tx => releaseDeposits(deps, tx, robot.find('a 3')));
  expect(looked).toHaveBeenCalledTimes(10);
  await robot.close();
});
