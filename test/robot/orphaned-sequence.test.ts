import { Transaction } from 'ethers';
import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { deploy } from '../support/chains/contracts.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  confirmed,
  movingClock,
  type RobotVerification,
  received,
  verifiedForRobot,
  withdrawn,
} from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** SEND-3: a reorganisation removes a transaction whose bytes are deleted, or that had failed. */

/** Takes money until it is called with data. Then it refuses all. */
const CLOSABLE = '36600a575f54601057005b60015f55005b5f5ffd';

const world = await forFile(createWorld({ clock: movingClock }));
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));
await received(world, { symbol: 'ETH', amount: '100' });

test('an empty transaction takes the sequence of a forgotten payment, and the wallet goes on', async () => {
  const snapshot = await rpc.call<string>('evm_snapshot');
  const forgotten = [await withdrawn(world), await withdrawn(world)];
  await world.api.reset();
  await rpc.call('evm_revert', snapshot);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 10 });
  await received(world, { symbol: 'ETH', amount: '100' });
  const first = Number(await rpc.call('eth_getTransactionCount', forgotten[0]!.from, 'latest'));
  const next = await withdrawn(world);
  const ledger = ledgerOf(world, 'ETH');
  expect(await ledger.balanceOf(next.to)).toBe(next.amount);
  for (const { to } of forgotten) expect(await ledger.balanceOf(to)).toBe('0');
  const used = Number(await rpc.call('eth_getTransactionCount', forgotten[0]!.from, 'latest'));
  expect(used).toBe(first + forgotten.length + 1);
});

/** A payment that is signed for an open contract and mined when that is closed. Answers its signed bytes. */
async function failedPayment(): Promise<RobotVerification & { bytes: string }> {
  const to = await deploy(rpc, CLOSABLE);
  const verification = await verifiedForRobot(world, { to });
  const hold = (on: boolean) => world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on });
  await hold(true);
  await world.api.robotWithdraw(verification.uuid);
  let txHash: string | null = null;
  await until(async () => {
    ({ txHash = null } = await world.api.inquireTransaction(verification.uuid));
    return Boolean(txHash) && (await rpc.call('eth_getTransactionByHash', txHash)) !== null;
  });
  const [from] = await rpc.call<string[]>('eth_accounts');
  const bid = '0x174876e800';
  const close = { from, to, data: '0x01', gas: '0x100000', maxFeePerGas: bid, maxPriorityFeePerGas: bid };
  await rpc.call('eth_sendTransaction', close);
  const bytes = bytesOf(await rpc.call<Record<string, string>>('eth_getTransactionByHash', txHash));
  await hold(false);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 1 });
  await until(async () => {
    await world.idle();
    return (await world.api.inquireTransaction(verification.uuid)).transactionStatus === 'CANCELED';
  });
  return { ...verification, bytes };
}

const bytesOf = (found: Record<string, string>): string =>
  Transaction.from({
    type: 2,
    chainId: BigInt(found.chainId!),
    nonce: Number(found.nonce),
    to: found.to!,
    value: BigInt(found.value!),
    gasLimit: BigInt(found.gas!),
    maxFeePerGas: BigInt(found.maxFeePerGas!),
    maxPriorityFeePerGas: BigInt(found.maxPriorityFeePerGas!),
    data: found.input!,
    signature: { r: found.r!, s: found.s!, yParity: Number(found.yParity) as 0 | 1 },
  }).serialized;

test('a payment that failed is not sent again: an empty transaction takes its sequence', async () => {
  await received(world, { symbol: 'ETH', amount: '100' });
  const snapshot = await rpc.call<string>('evm_snapshot');
  const failed = await failedPayment();
  await rpc.call('evm_revert', snapshot);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 10 });
  const next = await withdrawn(world);
  const ledger = ledgerOf(world, 'ETH');
  expect(await ledger.balanceOf(next.to)).toBe(next.amount);
  expect(await ledger.balanceOf(failed.to)).toBe('0');
  const late = rpc.call('eth_sendRawTransaction', failed.bytes);
  await expect(late).rejects.toThrow(/nonce/i);
  expect(await world.api.inquireTransaction(failed.uuid)).toMatchObject({ transactionStatus: 'CANCELED' });
});

test('a payment that failed, and succeeds in another block, counts as paid', async () => {
  await received(world, { symbol: 'ETH', amount: '100' });
  const snapshot = await rpc.call<string>('evm_snapshot');
  const failed = await failedPayment();
  await rpc.call('evm_revert', snapshot);
  await rpc.call('eth_sendRawTransaction', failed.bytes);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 10 });
  await confirmed(world, failed.uuid);
  expect(await ledgerOf(world, 'ETH').balanceOf(failed.to)).toBe(failed.amount);
  const next = await withdrawn(world);
  expect(await ledgerOf(world, 'ETH').balanceOf(next.to)).toBe(next.amount);
});
