import { afterAll, beforeAll, expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { type CrashWorld, createCrashWorld, type Trap } from '../support/world/crash-world.ts';

/** The robot's accounts own what they were paid, and nothing for fees. */
const ETHER = 10n ** 18n;
let world: CrashWorld;
let treasury: string;
beforeAll(async () => {
  world = await createCrashWorld({}, { poor: true });
  treasury = (await world.api.info()).treasury.ETH!;
  await world.fund('ETH', treasury, ETHER);
});
afterAll(() => world.close());

const isPending = (account: string) => (parameters: unknown) => {
  const [address, block] = parameters as [string, string];
  return block === 'pending' && address.toLowerCase() === account.toLowerCase();
};
const balanceOf = (account: string) => (parameters: unknown) =>
  (parameters as [string])[0].toLowerCase() === account.toLowerCase();

/** The calls between which the steps of a top-up lie. A user of its own has an account without money for fees. */
const STEPS: [string, string, (account: string) => Trap][] = [
  [
    'before the account is looked at',
    'screening-refuses',
    account => ({ method: 'eth_getBalance', when: 'before', only: balanceOf(account) }),
  ],
  [
    'the top-up is ordered',
    'garrit-studio',
    () => ({ method: 'eth_getBalance', when: 'before', only: balanceOf(treasury) }),
  ],
  [
    'its number was read, nothing is signed',
    'risk-low',
    () => ({ method: 'eth_getTransactionCount', when: 'after', only: isPending(treasury) }),
  ],
  [
    'signed and stored, before the node gets it',
    'risk-medium',
    () => ({ method: 'eth_sendRawTransaction', when: 'before' }),
  ],
  [
    'the node has it, before its answer comes',
    'risk-high',
    () => ({ method: 'eth_sendRawTransaction', when: 'after' }),
  ],
  ['the answer comes', 'risk-several', () => ({ method: 'eth_sendRawTransaction', when: 'answered' })],
  [
    'about to look what has become of it',
    'monitoring-fails',
    () => ({ method: 'eth_getTransactionReceipt', when: 'before' }),
  ],
  ['it was found in a block', 'screening-fails', () => ({ method: 'eth_getTransactionReceipt', when: 'after' })],
];

test.each(STEPS)('D-31, SEND-1: SIGKILL during a top-up, %s: one top-up, one transfer', async (_, user, trapOf) => {
  const amount = await received(world, { user });
  const { uuid, to, from } = await verifiedForRobot(world, { user, amount });
  const ledger = world.ledger('ETH');
  expect(await ledger.balanceOf(from)).toBe(amount);
  const before = { sent: await ledger.sent(treasury), balance: await ledger.balanceOf(treasury) };
  const killed = world.killedAt({ ETH: trapOf(from) });
  await world.api.robotWithdraw(uuid).catch(() => {});
  await killed;
  await world.start();
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  await world.idle();
  expect(await ledger.balanceOf(to)).toBe(amount);
  expect(await ledger.sent(from)).toBe(1);
  expect(await ledger.sent(treasury)).toBe(before.sent + 1);
  const spent = toUnits(before.balance, 18) - toUnits(await ledger.balanceOf(treasury), 18);
  expect(spent < ETHER / 20n).toBe(true);
  const { payments: deposits } = await world.api.receivedPayments();
  expect(deposits.filter(({ from: payer }) => payer.toLowerCase() === treasury.toLowerCase())).toEqual([]);
});
