import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import {
  type RobotVerification,
  reaches,
  received,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { booksOf, type CrashWorld, createCrashWorld, type Trap } from '../support/world/crash-world.ts';

const INCOME = '500';
const USER = 'taylor-robbins';
let world: CrashWorld;
beforeAll(async () => {
  world = await createCrashWorld();
  for (const symbol of ASSET_SYMBOLS) await received(world, { user: USER, symbol, amount: INCOME });
});
afterAll(() => world.close());

const isPending = (parameters: unknown) => (parameters as unknown[])[1] === 'pending';
const isCurrent = (request: unknown) => (request as { ledger_index: string }).ledger_index === 'current';
const isValidated = (request: unknown) => !isCurrent(request);

/** The steps of SEND-1, and the calls between which they lie. */
const STEPS: Record<string, Record<AssetSymbol, Trap>> = {
  'after the reservation': {
    ETH: { method: 'eth_getCode', when: 'before' },
    XRP: { method: 'server_info', when: 'before' },
  },
  'after the fee was read, before the number is': {
    ETH: { method: 'eth_getBalance', when: 'after' },
    XRP: { method: 'account_info', when: 'after', only: isValidated },
  },
  'after the number was read, before anything is signed': {
    ETH: { method: 'eth_getTransactionCount', when: 'after', only: isPending },
    XRP: { method: 'account_info', when: 'after', only: isCurrent },
  },
  'signed and stored, before the node gets it': {
    ETH: { method: 'eth_sendRawTransaction', when: 'before' },
    XRP: { method: 'submit', when: 'before' },
  },
  'the node has it, before its answer comes': {
    ETH: { method: 'eth_sendRawTransaction', when: 'after' },
    XRP: { method: 'submit', when: 'after' },
  },
  'the answer comes, before the report': {
    ETH: { method: 'eth_sendRawTransaction', when: 'answered' },
    XRP: { method: 'submit', when: 'answered' },
  },
  'about to look what has become of it': {
    ETH: { method: 'eth_getTransactionReceipt', when: 'before' },
    XRP: { method: 'tx', when: 'before' },
  },
  'it was found in the ledger': {
    ETH: { method: 'eth_getTransactionReceipt', when: 'after' },
    XRP: { method: 'tx', when: 'after' },
  },
};
/** Every transfer of this file, by asset. */
const all: Record<AssetSymbol, RobotVerification[]> = { ETH: [], XRP: [] };

async function aTransfer(symbol: AssetSymbol): Promise<RobotVerification> {
  const verification = await verifiedForRobot(world, { user: USER, symbol });
  all[symbol].push(verification);
  return verification;
}

/** On chain exactly one transfer, exactly one report in effect, books equal. */
async function expectPaidOnce({ symbol, uuid, to, amount, from }: RobotVerification, sentBefore: number) {
  await reaches(world, uuid, 'CONFIRMED');
  await world.idle();
  const { txHash } = await world.api.inquireTransaction(uuid);
  const ledger = world.ledger(symbol);
  expect(await ledger.transaction(txHash!)).toBeDefined();
  expect(await ledger.balanceOf(to)).toBe(amount);
  expect(await ledger.sent(from)).toBe(sentBefore + 1);
  const told = world.vasp.callbacks(uuid);
  expect(told.length).toBeGreaterThan(0);
  for (const callback of told)
    expect(callback).toEqual({ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } });
  expect((await world.api.callbacks({ verificationUuid: uuid })).callbacks).toMatchObject([
    { callbackType: 'TX_REPORT', status: 'DELIVERED' },
  ]);
  expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED', txHash });
  const again = await world.api.letRobotWithdraw(uuid);
  expect(again).toEqual({ verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash });
  await expectBooksToAgree(symbol);
}

async function expectBooksToAgree(symbol: AssetSymbol) {
  const { decimals } = ASSETS[symbol];
  const { paid, balance, onChain } = await booksOf(world, all[symbol], toUnits(INCOME, decimals));
  expect(onChain).toBe(paid);
  expect(balance).toBe(formatUnits(toUnits(INCOME, decimals) - toUnits(paid, decimals), decimals));
}

describe.each(ASSET_SYMBOLS)(
  'SEND-1, %s: SIGKILL during a transfer, then exactly one transfer, one report',
  symbol => {
    test.each(Object.entries(STEPS))('%s', async (_, traps) => {
      const transfer = await aTransfer(symbol);
      const sent = await world.ledger(symbol).sent(transfer.from);
      const killed = world.killedAt(symbol, traps[symbol]);
      await world.api.letRobotWithdraw(transfer.uuid).catch(() => {});
      await killed;
      await world.start();
      await world.api.letRobotWithdraw(transfer.uuid);
      await expectPaidOnce(transfer, sent);
    });

    test('at the answer to the withdrawal itself', async () => {
      const transfer = await aTransfer(symbol);
      const sent = await world.ledger(symbol).sent(transfer.from);
      expect(await world.api.letRobotWithdraw(transfer.uuid)).toMatchObject({
        transactionStatus: 'PENDING',
      });
      await world.kill();
      await world.start();
      await expectPaidOnce(transfer, sent);
    });

    test('while the tested VASP takes the report', async () => {
      const transfer = await aTransfer(symbol);
      const sent = await world.ledger(symbol).sent(transfer.from);
      let answer = () => {};
      const held = new Promise<void>(resolve => (answer = resolve));
      world.vasp.script('callback', transfer.uuid, held, 'ordinary');
      await world.api.letRobotWithdraw(transfer.uuid);
      await world.vasp.arrived('callback', transfer.uuid, 1);
      await world.kill();
      answer();
      await world.start();
      await world.vasp.arrived('callback', transfer.uuid, 2);
      await expectPaidOnce(transfer, sent);
    });

    test('at every step of one and the same transfer, one after the other', async () => {
      const transfer = await aTransfer(symbol);
      const sent = await world.ledger(symbol).sent(transfer.from);
      const [first, ...later] = Object.values(STEPS)
        .slice(0, 5)
        .map(traps => traps[symbol]);
      let killed = world.killedAt(symbol, first!);
      await world.api.letRobotWithdraw(transfer.uuid).catch(() => {});
      await killed;
      for (const trap of later) {
        killed = world.killedAt(symbol, trap);
        await world.start().catch(() => {});
        await killed;
      }
      await world.start();
      await expectPaidOnce(transfer, sent);
    });
  },
);
