import { expect, test } from 'vitest';
import type { TransactionLookup } from '../../src/chains/port.ts';
import { deposits } from '../../src/db/schema/robot.ts';
import { write } from '../../src/db/transaction.ts';
import { resumeChain } from '../../src/robot/control.ts';
import * as cursors from '../../src/robot/deposit/cursor-store.ts';
import { lookUpReport } from '../../src/robot/deposit/inquire.ts';
import * as expectations from '../../src/robot/expectation/store.ts';
import { expectingRobot } from '../support/robot/expecting-robot.ts';

const HASH = `0x${'ab'.repeat(32)}`;
const at = (height: number, genesis: string) => ({ height, hash: `${genesis} ${height}`, genesis });

/** The node answers while `meanwhile` happens. Returns the deposits. */
async function lookedUp(meanwhile: (robot: ReturnType<typeof expectingRobot>) => void) {
  let answer: (found: TransactionLookup) => void = () => {};
  const answered = new Promise<TransactionLookup>(resolve => {
    answer = resolve;
  });
  const robot = expectingRobot({ status: async () => 'PENDING', lookup: () => answered });
  const { db, deps } = robot;
  const [account = ''] = (await deps.users.watched('ETH')).accounts;
  robot.open('v', 'a', '1');
  write(db, tx => {
    cursors.save(tx, 'ETH', at(499, 'old'));
    expectations.patch(tx, 'v', { txHash: HASH, txHashSource: 'report', namedAt: robot.machine.at });
  });
  const lookUp = lookUpReport(deps, { verificationUuid: 'v' });
  // The node is asked.
  await new Promise(setImmediate);
  meanwhile(robot);
  const transfer = { index: 0, from: `0x${'22'.repeat(20)}`, to: { account }, amount: 10n ** 18n };
  answer({
    state: { status: 'final', height: 500, blockHash: 'old 500', succeeded: true },
    transfers: [transfer],
  } as TransactionLookup);
  const { apply } = await lookUp;
  write(db, tx => apply?.(tx));
  const found = db.orm.select().from(deposits).all();
  await robot.close();
  return found;
}

test('D-26: what a look-up has found becomes a deposit', async () => {
  await expect(lookedUp(() => {})).resolves.toEqual([expect.objectContaining({ txHash: HASH, height: 500 })]);
});

test('D-33: what the chain has said before it started over becomes none', async () => {
  const startOver = ({ db, deps }: ReturnType<typeof expectingRobot>) =>
    write(db, tx => {
      cursors.stopAt(tx, 'ETH', 'started over');
      resumeChain(deps, tx, 'ETH', at(0, 'new'), 'started over');
    });
  await expect(lookedUp(startOver)).resolves.toEqual([]);
});
