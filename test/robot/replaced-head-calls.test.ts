import { expect, test } from 'vitest';
import { write } from '../../src/db/transaction.ts';
import { findReplacedHeads } from '../../src/robot/expectation/schedule.ts';
import * as expectations from '../../src/robot/expectation/store.ts';
import { expectingRobot, ROBOT_ACCOUNT } from '../support/robot/expecting-robot.ts';

test('D-18: a block at VERIFIED is looked up once, whatever number of verifications began with it', async () => {
  const robot = expectingRobot({
    status: async () => 'PENDING',
    lookup: async () => ({ state: { status: 'unknown' }, transfers: [] }),
  });
  const { db, deps, chain } = robot;
  const uuids = Array.from({ length: 200 }, (_, n) => `v${n}`);
  for (const [n, uuid] of uuids.entries()) {
    robot.open(uuid, 'a', '1');
    const verifiedHeight = 100 + (n % 2);
    write(db, tx => expectations.patch(tx, uuid, { verifiedHeight, verifiedHash: `h${verifiedHeight}` }));
  }
  const asked: number[] = [];
  const counting = {
    ...chain,
    isInChain: async ({ height }: { height: number }) => {
      asked.push(height);
      return height === 100;
    },
  };
  const paid = { account: ROBOT_ACCOUNT, tag: null, amount: '1', height: 100 };
  const note = await findReplacedHeads(deps, counting, [paid, paid]);
  expect(asked).toEqual([100, 101]);
  write(db, note);
  const heights = uuids.map(uuid => robot.find(uuid).verifiedHeight);
  expect(heights.filter(height => height === 99)).toHaveLength(100);
  expect(heights.filter(height => height === 100)).toHaveLength(100);
  await robot.close();
});
