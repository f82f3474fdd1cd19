import { afterAll, beforeAll, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  movingClock,
  type RobotVerification,
  received,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** SEND-3: a reorganisation removes a payment whose bytes are deleted. Its sequence stops nothing. */

let world: World;
let rpc: JsonRpc;
beforeAll(async () => {
  world = await createWorld({ clock: movingClock });
  rpc = jsonRpc(`${world.url}/devnet/ethereum`, 30_000);
  await received(world, { symbol: 'ETH', amount: '100' });
});
afterAll(async () => {
  await rpc.close();
  await world.close();
});

async function withdrawn(): Promise<RobotVerification> {
  const verification = await verifiedForRobot(world);
  await world.api.letRobotWithdraw(verification.uuid);
  await until(async () => {
    await world.idle();
    return (await world.api.inquireTransaction(verification.uuid)).transactionStatus === 'CONFIRMED';
  });
  return verification;
}

test('an empty transaction takes it, and the wallet goes on', async () => {
  const snapshot = await rpc.call<string>('evm_snapshot');
  const forgotten = [await withdrawn(), await withdrawn()];
  await world.api.reset();
  await rpc.call('evm_revert', snapshot);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 10 });
  await received(world, { symbol: 'ETH', amount: '100' });
  const first = Number(await rpc.call('eth_getTransactionCount', forgotten[0]!.from, 'latest'));
  const next = await withdrawn();
  const ledger = ledgerOf(world, 'ETH');
  expect(await ledger.balanceOf(next.to)).toBe(next.amount);
  for (const { to } of forgotten) expect(await ledger.balanceOf(to)).toBe('0');
  const used = Number(await rpc.call('eth_getTransactionCount', forgotten[0]!.from, 'latest'));
  expect(used).toBe(first + forgotten.length + 1);
});
