import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import * as tables from '../../src/db/schema/robot.ts';
import { type Tx, write } from '../../src/db/transaction.ts';
import * as balances from '../../src/robot/balance/store.ts';
import * as deposits from '../../src/robot/deposit/store.ts';
import * as transfers from '../../src/robot/transfer/store.ts';
import { addedUp, running } from '../support/db/balances.ts';

const AT = 1_000;
const VASPS = ['a', 'b'];
const deposit = { index: 0, from: 'x', height: 1, blockHash: 'b', note: '', at: AT, afterHistory: -1 };
const transfer = { userId: 'u', walletIndex: 0, toAccount: 'y', omitTxReport: false, isHeld: false };

const symbol = fc.constantFrom('ETH' as const, 'XRP' as const);
const row = fc.record({
  vaspId: fc.constantFrom(...VASPS),
  symbol,
  account: fc.constantFrom('one', 'two'),
  tag: fc.constantFrom(null, 0, 7),
  amount: fc
    .tuple(fc.bigInt(1n, 10n ** 20n), fc.bigInt(0n, 999_999n))
    .map(([whole, part]) => (part === 0n ? String(whole) : `${whole}.${part}`.replace(/0+$/, ''))),
});
const DEPOSIT_STATUS = ['SEEN', 'CONFIRMED', 'CREDITED', 'REORGANISED', 'TAKEN-BACK'];
const TRANSFER_STATUS = ['PENDING', 'PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED', 'CANCELED'];
const n = fc.nat(20);
const act = fc.oneof(
  { weight: 6, arbitrary: fc.record({ act: fc.constant('deposit' as const), row }) },
  { weight: 6, arbitrary: fc.record({ act: fc.constant('transfer' as const), row }) },
  {
    weight: 10,
    arbitrary: fc.record({ act: fc.constant('move deposit' as const), n, to: fc.constantFrom(...DEPOSIT_STATUS) }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ act: fc.constant('move transfer' as const), n, to: fc.constantFrom(...TRANSFER_STATUS) }),
  },
  fc.record({ act: fc.constant('remove' as const), vaspId: fc.constantFrom(...VASPS) }),
  fc.record({ act: fc.constant('start over' as const), symbol }),
);

type Act = typeof act extends fc.Arbitrary<infer A> ? A : never;

function perform(tx: Tx, each: Act, number: number): void {
  switch (each.act) {
    case 'deposit':
      return void deposits.insert(tx, { ...deposit, ...each.row, txHash: `0x${number}`, status: 'SEEN' });
    case 'transfer':
      return balances.moveTransfer(
        tx,
        undefined,
        transfers.insert(tx, {
          ...transfer,
          ...each.row,
          verificationUuid: `v${number}`,
          status: 'PENDING',
          createdAt: AT,
        }),
      );
    case 'move deposit': {
      const row = tx.orm.select().from(tables.deposits).all()[each.n];
      if (!row) return;
      tx.sqlite.prepare('UPDATE robot_deposits SET status = ? WHERE id = ?').run(each.to, row.id);
      return balances.moveDeposit(tx, row, { ...row, status: each.to });
    }
    case 'move transfer': {
      const row = tx.orm.select().from(tables.transfers).all()[each.n];
      if (!row) return;
      tx.sqlite
        .prepare('UPDATE robot_transfers SET status = ? WHERE verification_uuid = ?')
        .run(each.to, row.verificationUuid);
      return balances.moveTransfer(tx, row, { ...row, status: each.to });
    }
    case 'remove':
      deposits.removeOf(tx, each.vaspId);
      transfers.removeOf(tx, each.vaspId);
      for (const owner of [each.vaspId, '']) balances.addUp(tx, owner);
      return;
    case 'start over':
      deposits.moveToPastChain(tx, each.symbol);
      transfers.moveToPastChain(tx, each.symbol);
      return balances.startOver(tx, each.symbol);
  }
}

describe('D-19: the running balances', () => {
  const db = openDb(':memory:');

  /** Performs the acts on an empty database, and undoes them after `check`. */
  const withActs = (acts: Act[], check: () => void) => {
    const undo = new Error('undo');
    expect(() =>
      write(db, tx => {
        for (const [number, each] of acts.entries()) perform(tx, each, number);
        check();
        throw undo;
      }),
    ).toThrow(undo);
    expect(running(db.sqlite)).toEqual({});
  };

  test('are the sums of all deposits and transfers after any mix of events', () => {
    const check = () => expect(running(db.sqlite)).toEqual(addedUp(db.sqlite));
    fc.assert(
      fc.property(fc.array(act, { maxLength: 60 }), acts => withActs(acts, check)),
      { numRuns: 100 },
    );
  });
});
