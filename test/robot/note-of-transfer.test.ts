import { expect, onTestFinished, test } from 'vitest';
import { unguardedHistoryOf } from '../../src/db/history.ts';
import { openDb } from '../../src/db/open.ts';
import { write } from '../../src/db/transaction.ts';
import type { RobotDeps } from '../../src/robot/deps.ts';
import { beginTransfer, markBroadcast, setNote } from '../../src/robot/transfer/lifecycle.ts';
import { sandboxClock } from '../../src/timers/sandbox-clock.ts';

const UUID = '33e4cad7-8b84-4339-b509-5578118125fc';
const TRANSFER = {
  symbol: 'ETH' as const,
  ...{ verificationUuid: UUID, vaspId: '1', userId: 'kim', account: '0xa', walletIndex: 0, toAccount: '0xb' },
  ...{ amount: '1', omitTxReport: false, isHeld: false, createdAt: 1 },
};

test('the line of a note has the status of the transfer by then', () => {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const deps = { db, clock: sandboxClock(db, { now: () => 1 }) } as unknown as RobotDeps;
  const asRead = write(db, tx => beginTransfer(tx, TRANSFER, 'reserved'));
  write(db, tx => void markBroadcast(deps, tx, asRead, { hash: '0x1', cause: 'a node has taken it' }));
  write(db, tx => setNote(deps, tx, asRead, 'waits', 'low funds'));
  const lines = unguardedHistoryOf(db, UUID).filter(({ event }) => event === 'waits');
  expect(lines).toMatchObject([{ from: 'PROCESSING', to: 'PROCESSING', cause: 'low funds' }]);
});
