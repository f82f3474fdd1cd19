import { describe, expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { deploy } from '../support/chains/contracts.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  movingClock,
  type RobotVerification,
  type RobotWish,
  received,
  verifiedForRobot,
  withdrawn,
} from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-32, D-48, D-49: what can never be paid is CANCELED with its reason, and the wallet goes on. */

const world = await forFile(createWorld({ clock: movingClock }));
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));
await received(world, { symbol: 'ETH', amount: '500' });
await received(world, { symbol: 'XRP', amount: '500' });

/** Ordered together with an ordinary transfer. Returns the cause of its end. */
async function canceled(wish: RobotWish): Promise<string> {
  const unpayable = await verifiedForRobot(world, wish);
  const ordinary = await verifiedForRobot(world, { symbol: wish.symbol ?? 'ETH' });
  const before = await balanceAt(world, unpayable.symbol, unpayable.from);
  for (const { uuid } of [unpayable, ordinary]) await world.api.robotWithdraw(uuid);
  await reachesAlone(unpayable, 'CANCELED');
  await reachesAlone(ordinary, 'CONFIRMED');
  expect(await ledgerOf(world, ordinary.symbol).balanceOf(ordinary.to)).toBe(ordinary.amount);
  await withdrawn(world, { symbol: unpayable.symbol });
  expect(Number(await balanceAt(world, unpayable.symbol, unpayable.from))).toBeCloseTo(
    Number(before) - Number(ordinary.amount) * 2,
    3,
  );
  await until(() => world.vasp.callbacks(unpayable.uuid).length > 0);
  expect(world.vasp.callbacks(unpayable.uuid)).toMatchObject([{ callbackType: 'ERROR_REPORT' }]);
  const { message } = await world.api.verification(unpayable.uuid);
  return message;
}

const reachesAlone = ({ uuid }: RobotVerification, status: string) =>
  until(async () => {
    await world.idle();
    return (await world.api.inquireTransaction(uuid)).transactionStatus === status;
  });

test('D-49: the zero account of the XRP Ledger', async () => {
  const to = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
  expect(await canceled({ symbol: 'XRP', to })).toContain(`${to} is the zero account`);
});

test('D-49: a deposit in one call to the zero account fails when the robot pays, and says why', async () => {
  const to = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
  const { steps } = await world.api.sendTransfer({ symbol: 'XRP', amount: '5', to });
  expect(steps.at(-1)).toMatchObject({ step: 'PAY', done: false });
  expect(steps.at(-1)!.text).toContain(`The payment is CANCELED: ${to} is the zero account`);
});

test.each([1, 9, 17, 256])('D-49: the contract %i of the Ethereum network itself', async number => {
  const to = `0x${number.toString(16).padStart(40, '0')}`;
  expect(await canceled({ to })).toContain('a contract of the network itself');
});

describe('D-48: a recipient whose contract', () => {
  /** Runtime code. */
  const RECIPIENTS = {
    'loops for ever': '5b5f56',
    reverts: '5f5ffd',
    'has an invalid instruction': 'fe',
    // Stores to 100 places: about 2.2 million gas.
    'needs more than the cap': '60645b600190038080558060025700',
  };
  test.each(Object.entries(RECIPIENTS))('%s', async (_, code) => {
    const to = await deploy(rpc, code);
    const sent = await ledgerOf(world, 'ETH').sent(world.user('taylor-robbins').accounts.ETH);
    expect(await canceled({ to })).toMatch(/^The transfer failed: the recipient does not take it with 1000000 gas/);
    const after = await ledgerOf(world, 'ETH').sent(world.user('taylor-robbins').accounts.ETH);
    expect(after - sent).toBe(2);
  });

  test('twenty payments to a loop hold nobody', async () => {
    const to = await deploy(rpc, RECIPIENTS['loops for ever']);
    const all: RobotVerification[] = [];
    for (let i = 0; i < 20; i++) all.push(await verifiedForRobot(world, { to }));
    for (const { uuid } of all) await world.api.robotWithdraw(uuid);
    await withdrawn(world);
    for (const each of all) await reachesAlone(each, 'CANCELED');
    const { attention } = await world.api.health();
    expect(attention.filter(({ what }) => what === 'transfer-waiting')).toEqual([]);
  });

  test('D-34: what is canceled while others wait for a lower price keeps its own reason', async () => {
    const to = await deploy(rpc, RECIPIENTS.reverts);
    const unpayable = await verifiedForRobot(world, { to });
    const ordinary = await verifiedForRobot(world);
    const spike = (baseFee: string) => world.api.setControl('ETH', 'fee-spike', { baseFee });
    const whyOf = async ({ uuid }: RobotVerification) =>
      (await world.api.transfers({ verificationUuid: uuid })).transfers[0]!.why;
    await spike('2000000000000');
    await Promise.all([unpayable, ordinary].map(({ uuid }) => world.api.robotWithdraw(uuid)));
    await until(async () => (await whyOf(ordinary)).includes("the network's price is"));
    await world.api.setControl('ETH', 'mine', { blocks: 60 });
    await reachesAlone(ordinary, 'CONFIRMED');
    await reachesAlone(unpayable, 'CANCELED');
    expect(await whyOf(unpayable)).toMatch(/^the recipient does not take it/);
    const { timeline } = await world.api.timeline(unpayable.uuid);
    const events = timeline.map(({ event }) => event).filter(event => event === 'waits' || event === 'cancel');
    expect(events.at(-1)).toBe('cancel');
  });

  test('D-35: takes some gas is paid', async () => {
    const to = await deploy(rpc, '60055b600190038080558060025700');
    const { amount } = await withdrawn(world, { to });
    expect(await ledgerOf(world, 'ETH').balanceOf(to)).toBe(amount);
  });
});
