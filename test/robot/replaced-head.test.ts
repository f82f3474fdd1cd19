import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-18: a reorganisation replaces the block that was the newest one at VERIFIED. */

const world = await forFile(createWorld());
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));
// The account of the payer has money before the first snapshot.
await world.wallet('ETH');

const mine = (blocks: number) => world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks });

/** VERIFIED while the newest block is one of three that are removed afterwards. */
async function verifiedAndRolledBack(user: string): Promise<Verified> {
  const snapshot = await rpc.call<string>('evm_snapshot');
  await mine(3);
  await world.idle();
  const verification = await verified(world, { user });
  await rpc.call('evm_revert', snapshot);
  return verification;
}

test('a payment after VERIFIED, in a block of the same height, is credited', async () => {
  const verification = await verifiedAndRolledBack('taylor-robbins');
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, txHash);
  await until(async () => {
    await world.idle();
    return (await depositOf(world, txHash))?.status === 'CREDITED';
  });
  const { timeline } = await world.api.timeline(verification.uuid);
  expect(JSON.stringify(timeline)).toContain('the newest block at VERIFIED: payments from block');
});

test('a payment before VERIFIED stays one', async () => {
  const { to, amount } = await verified(world, { user: 'garrit-studio' });
  const txHash = await paid(world, { symbol: 'ETH', to, amount });
  const snapshot = await rpc.call<string>('evm_snapshot');
  await mine(3);
  await world.idle();
  const verification = await verified(world, { user: 'garrit-studio', amount });
  await rpc.call('evm_revert', snapshot);
  await mine(1);
  await world.api.reportTransaction(verification.uuid, txHash);
  await until(async () => {
    await world.idle();
    const { verifications } = await world.api.verifications({ search: verification.uuid });
    return verifications[0]?.report?.verdict === 'PAID-BEFORE-VERIFIED';
  });
});
