import { HDNodeWallet, JsonRpcProvider, parseEther } from 'ethers';
import { expect, test } from 'vitest';
import { DEVELOPMENT_MNEMONIC } from '../../src/app/config/config.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  confirmed,
  movingClock,
  type RobotVerification,
  reaches,
  received,
  verifiedForRobot,
  withdrawn,
} from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** SEND-5: a reorganisation removes the block of a payment that was CONFIRMED. */

const world = await forFile(createWorld({ clock: movingClock }));
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));
await received(world, { symbol: 'ETH', amount: '100' });

const arrowsOf = async ({ uuid }: RobotVerification) =>
  (await world.api.timeline(uuid)).timeline
    .filter(({ what, from, to }) => what === 'transfer' && from !== null && from !== to)
    .map(({ from, to }) => `${from} ${to}`);
const balanceOf = ({ to }: RobotVerification) => ledgerOf(world, 'ETH').balanceOf(to);

test('the same transaction is broadcast again, and the wallet goes on', async () => {
  const snapshot = await rpc.call<string>('evm_snapshot');
  const first = await withdrawn(world);
  const second = await withdrawn(world);
  const hashes = await Promise.all(
    [first, second].map(async ({ uuid }) => (await world.api.inquireTransaction(uuid)).txHash),
  );
  await rpc.call('evm_revert', snapshot);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 10 });
  for (const transfer of [first, second])
    await until(async () => {
      await world.idle();
      return (await balanceOf(transfer)) === transfer.amount;
    });
  const third = await withdrawn(world);
  expect(await balanceOf(third)).toBe(third.amount);
  for (const [i, transfer] of [first, second].entries()) {
    expect(await world.api.inquireTransaction(transfer.uuid)).toMatchObject({
      transactionStatus: 'CONFIRMED',
      txHash: hashes[i],
    });
    expect(await balanceOf(transfer)).toBe(transfer.amount);
    expect(await arrowsOf(transfer)).toEqual([
      'PENDING PROCESSING',
      'PROCESSING WAIT-CONFIRM',
      'WAIT-CONFIRM CONFIRMED',
      'CONFIRMED PROCESSING',
      'PROCESSING WAIT-CONFIRM',
      'WAIT-CONFIRM CONFIRMED',
    ]);
  }
});

test('on a chain that mines only what it is sent, the missing transactions are broadcast again too', async () => {
  const snapshot = await rpc.call<string>('evm_snapshot');
  const removed = [await withdrawn(world), await withdrawn(world)];
  await rpc.call('evm_revert', snapshot);
  const next = await withdrawn(world);
  for (const transfer of [...removed, next]) expect(await balanceOf(transfer)).toBe(transfer.amount);
});

test('SEND-5: refused by the node, because the fee has risen: PROCESSING and in the attention until a block holds it', async () => {
  const control = (name: string, body: Record<string, unknown>) => world.api.setControl('ETH', name, body);
  const removed = await withdrawn(world);
  const left = await balanceAt(world, 'ETH', removed.from);
  await control('fee-spike', { baseFee: '2000000000000' });
  await control('reorg', { depth: 1 });
  const attention = async () =>
    (await world.api.health()).attention.filter(({ verificationUuid }) => verificationUuid === removed.uuid);
  await until(async () => (await attention()).length === 1);
  expect(await attention()).toMatchObject([{ what: 'transfer-waiting' }]);
  expect(await world.api.inquireTransaction(removed.uuid)).toMatchObject({ transactionStatus: 'PROCESSING' });
  expect(await balanceOf(removed)).toBe('0');
  expect(await balanceAt(world, 'ETH', removed.from)).toBe(left);
  await control('mine', { blocks: 60 });
  await confirmed(world, removed.uuid);
  expect(await balanceOf(removed)).toBe(removed.amount);
  expect(await attention()).toEqual([]);
});

test('SEND-3: refused again and again, above the cap for fees: noted once', async () => {
  const control = (name: string, body: Record<string, unknown>) => world.api.setControl('ETH', name, body);
  await control('hold', { on: true });
  const { uuid } = await verifiedForRobot(world);
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'PROCESSING');
  await control('fee-spike', { baseFee: '3000000000000' });
  await control('hold', { on: false });
  const entriesOf = async (wanted: string) =>
    (await world.api.timeline(uuid)).timeline.filter(({ event }) => event === wanted);
  await until(async () => (await entriesOf('waits')).length > 0);
  for (let i = 0; i < 5; i++) await world.idle();
  expect(await entriesOf('refused')).toHaveLength(1);
  await control('mine', { blocks: 60 });
  await confirmed(world, uuid);
});

test('the money for its fee is removed with it: the robot gets that again, and pays', async () => {
  const user = 'garrit-studio';
  const amount = await received(world, { user, symbol: 'ETH', amount: '2.5' });
  const removed = await withdrawn(world, { user, amount });
  await world.api.setControl('ETH', 'reorg', { depth: 2 });
  await until(async () => {
    await world.idle();
    return (await balanceOf(removed)) === amount;
  });
});

/** By a program with the same keys, as before a restore. Answers the hash. */
async function paidByAnother(from: string, to: string, amount: string): Promise<string> {
  const keys = HDNodeWallet.fromPhrase(DEVELOPMENT_MNEMONIC, undefined, "m/44'/60'/0'/0");
  const key = Array.from({ length: 32 }, (_, index) => keys.deriveChild(index)).find(
    ({ address }) => address.toLowerCase() === from.toLowerCase(),
  );
  const provider = new JsonRpcProvider(`${world.url}/devnet/ethereum`);
  try {
    const { hash } = await key!.connect(provider).sendTransaction({ to, value: parseEther(amount) });
    return hash;
  } finally {
    provider.destroy();
  }
}

test.each([
  ['blocks follow', () => world.api.setControl('ETH', 'mine', { blocks: 10 })],
  ['a payment follows', () => withdrawn(world)],
])(
  'SEND-5: its bytes are unknown since a restore, and %s: signed again with the same number, and paid once',
  async (_, follow) => {
    const verification = await verifiedForRobot(world);
    const { uuid, from, to, amount } = verification;
    const snapshot = await rpc.call<string>('evm_snapshot');
    const unknown = await paidByAnother(from, to, amount);
    await world.api.robotWithdraw(uuid);
    await confirmed(world, uuid);
    expect((await world.api.inquireTransaction(uuid)).txHash).toBe(unknown);
    const used = () => rpc.call<string>('eth_getTransactionCount', from, 'latest').then(Number);
    const number = (await used()) - 1;

    await rpc.call('evm_revert', snapshot);
    await follow();
    await until(async () => {
      await world.idle();
      return (await balanceOf(verification)) === amount;
    });
    await confirmed(world, uuid);
    const { txHash } = await world.api.inquireTransaction(uuid);
    expect(txHash).not.toBe(unknown);
    expect(Number((await rpc.call<{ nonce: string }>('eth_getTransactionByHash', txHash)).nonce)).toBe(number);
    expect(await arrowsOf(verification)).toContain('CONFIRMED PROCESSING');
  },
);
