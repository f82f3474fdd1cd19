import { expect, test } from 'vitest';
import { OWN_FUNDING } from '../../src/chains/payments.ts';
import { toCoins } from '../../src/contract/assets.ts';
import { deposits } from '../../src/db/schema/robot.ts';
import { write } from '../../src/db/transaction.ts';
import * as cursors from '../../src/robot/deposit/cursor-store.ts';
import { lookUpReport } from '../../src/robot/deposit/inquire.ts';
import * as expectations from '../../src/robot/expectation/store.ts';
import { movingClock, reaches, received, verifiedForRobot, withdrawn } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { expectingRobot } from '../support/robot/expecting-robot.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));

const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> =>
  (await world.api.call<{ result: T }>('POST', '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params })).body
    .result;

test('D-31: the money that an embedded chain gives the robot for a fee is no deposit', async () => {
  const amount = await received(world, { symbol: 'ETH' });
  await withdrawn(world, { amount });
  await world.idle();
  expect((await world.api.receivedPayments()).payments).toMatchObject([{ status: 'CREDITED', amount }]);
  const { attention } = await world.api.health();
  expect(attention.filter(({ what }) => /deposit|money/.test(what))).toEqual([]);
});

// By URL no chain gives the robot money.
test.skipIf(BY_URL)('D-31: nor is it one for a VASP that reports its hash and had expected that amount', async () => {
  // Of a user whose account has never paid.
  const user = 'garrit-studio';
  const amount = await received(world, { symbol: 'ETH', user });
  const block = await rpc<{ baseFeePerGas: string }>('eth_getBlockByNumber', 'latest', false);
  const tip = BigInt(await rpc<string>('eth_maxPriorityFeePerGas'));
  const fee = 26_250n * (2n * BigInt(block.baseFeePerGas) + tip);
  const given = toCoins('ETH', BigInt(Math.round(Number(amount) * 1e6)) * 10n ** 12n + fee);
  const { uuid, to } = await verified(world, { amount: given, user });
  const { uuid: paying } = await verifiedForRobot(world, { amount, user });
  await world.api.robotWithdraw(paying);
  await reaches(world, paying, 'CONFIRMED');
  const { transactions } = await rpc<{ transactions: { hash: string; input: string; value: string }[] }>(
    'eth_getBlockByNumber',
    `0x${(Number(await rpc<string>('eth_blockNumber')) - 1).toString(16)}`,
    true,
  );
  const [funding] = transactions;
  expect(funding).toMatchObject({ input: OWN_FUNDING });
  expect(toCoins('ETH', BigInt(funding!.value))).toBe(given);
  await world.api.reportTransaction(uuid, funding!.hash);
  await world.idle();
  expect(await depositOf(world, funding!.hash)).toBe(undefined);
  expect(await balanceAt(world, 'ETH', to)).toBe('0');
  const [{ report } = {}] = (await world.api.verifications({ search: uuid })).verifications;
  expect(report).toMatchObject({
    verdict: 'ALREADY-USED',
    got: 'credited to the robot, which got it for its amounts and fees',
  });
});

test('D-31: nor is a top-up by the treasury', async () => {
  const [hash, treasury] = [`0x${'ab'.repeat(32)}`, `0x${'33'.repeat(20)}`];
  const robot = expectingRobot({
    status: async () => 'PENDING',
    lookup: async () => ({
      state: { status: 'final', height: 3, blockHash: 'block 3', succeeded: true },
      transfers: [{ index: 0, from: treasury, to: { account }, amount: 10n ** 18n }],
    }),
  });
  const { db, chain, machine } = robot;
  const deps = { ...robot.deps, walletSettings: () => ({ treasuryIndex: 7 }) as never };
  chain.ownAccount = () => treasury;
  const [account = ''] = (await deps.users.watched('ETH')).accounts;
  robot.open('v', 'a', '1');
  write(db, tx => {
    cursors.save(tx, 'ETH', { height: 2, hash: 'block 2', genesis: 'block 0' });
    expectations.patch(tx, 'v', { account, txHash: hash, txHashSource: 'report', namedAt: machine.at });
  });
  const { apply } = await lookUpReport(deps, { verificationUuid: 'v' });
  write(db, tx => apply?.(tx));
  expect(db.orm.select().from(deposits).all()).toEqual([]);
  expect(robot.find('v')).toMatchObject({ status: 'OPEN', verdict: 'ALREADY-USED' });
  await robot.close();
});
