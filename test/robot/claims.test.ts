import { Transaction, type TransactionLike } from 'ethers/transaction';
import { beforeEach, describe, expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { askedDuring, balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-18, D-24, D-50: which verification a payment is credited to after `evm_revert`, as `loadFixture` of Hardhat uses it. */

let amount: string;
const world = await forFile(createWorld());
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));
await world.wallet('ETH');
beforeEach(() => {
  amount = world.amount();
});

const snapshot = () => rpc.call<string>('evm_snapshot');
const revert = (id: string) => rpc.call<boolean>('evm_revert', id);
/** The signed transaction. */
async function bytesOf(txHash: string): Promise<string> {
  const found = await rpc.call<TransactionLike & { gas: string; input: string; r: string; s: string; v: string }>(
    'eth_getTransactionByHash',
    txHash,
  );
  const { type, gas: gasLimit, input: data, hash: _, from: __, ...rest } = found;
  return Transaction.from({ ...rest, type: Number(type), nonce: Number(rest.nonce), gasLimit, data, signature: rest })
    .serialized;
}
const report = (verification: Verified, txHash: string) => world.api.reportTransaction(verification.uuid, txHash);
const reportOf = async ({ uuid }: Verified) =>
  (await world.api.verifications({ search: uuid })).verifications[0]?.report;

async function expectCredited(verification: Verified, txHash: string) {
  await world.idle();
  expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED', verificationUuid: verification.uuid });
  expect(await reportOf(verification)).toMatchObject({ verdict: 'CREDITED' });
}

/** Verified, paid, reported and credited. */
async function once(): Promise<{ verification: Verified; txHash: string }> {
  const verification = await verified(world, { amount });
  const txHash = await paid(world, verification);
  await report(verification, txHash);
  await expectCredited(verification, txHash);
  return { verification, txHash };
}

describe('D-50: the chain goes back, and the same transaction comes again', () => {
  test('three times for a new verification each: each of them is CREDITED, and the others are ALREADY-USED', async () => {
    const before = Number(await balanceAt(world, 'ETH', world.user('taylor-robbins').accounts.ETH));
    let id = await snapshot();
    const first = await once();
    await revert(id);
    id = await snapshot();
    const second = await once();
    await revert(id);
    const third = await once();
    expect([second.txHash, third.txHash]).toEqual([first.txHash, first.txHash]);
    await until(async () => {
      await world.idle();
      return (await reportOf(first.verification))?.verdict === 'ALREADY-USED';
    });
    expect(await reportOf(second.verification)).toMatchObject({ verdict: 'ALREADY-USED' });
    const after = Number(await balanceAt(world, 'ETH', first.verification.to));
    expect(after - before).toBeCloseTo(Number(amount), 6);
  });

  test('in a later block, because others went on before the new verification', async () => {
    const id = await snapshot();
    const first = await once();
    const bytes = await bytesOf(first.txHash);
    await revert(id);
    for (let blocks = 2; blocks > 0; blocks--) await rpc.call('evm_mine');
    await world.idle();
    const second = await verified(world, { amount });
    await rpc.call('eth_sendRawTransaction', bytes);
    await report(second, first.txHash);
    await expectCredited(second, first.txHash);
  });

  test('with the report before the payment', async () => {
    const id = await snapshot();
    const first = await once();
    await revert(id);
    const second = await verified(world, { amount });
    await report(second, first.txHash);
    expect(await paid(world, second)).toBe(first.txHash);
    await expectCredited(second, first.txHash);
  });

  test('named by a status answer instead of a report', async () => {
    const id = await snapshot();
    const first = await once();
    await revert(id);
    const second = await verified(world, { amount });
    await paid(world, second);
    world.vasp.ordinary.setStatus(second.uuid, 'CONFIRMED', first.txHash);
    await world.advance('10m');
    await expectCredited(second, first.txHash);
  });

  test('without a new verification: the old one is credited again, at once', async () => {
    const id = await snapshot();
    const { verification, txHash } = await once();
    await revert(id);
    expect((await depositOf(world, txHash))?.status).toBe('TAKEN-BACK');
    expect(await paid(world, verification)).toBe(txHash);
    await expectCredited(verification, txHash);
  });

  test('with a new verification that never names it: the old one is credited when its queries end', async () => {
    const id = await snapshot();
    const { verification, txHash } = await once();
    await revert(id);
    const second = await verified(world, { amount });
    world.vasp.ordinary.setStatus(second.uuid, 'PENDING');
    await paid(world, second);
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED', verificationUuid: null });
    expect((await reportOf(verification))?.got).toContain('a later verification of the same payment');
    expect((await askedDuring(world, second.uuid, '2h')).length).toBeGreaterThan(0);
    await expectCredited(verification, txHash);
  });

  test('with a new verification that names another transaction: each is credited with its own', async () => {
    const id = await snapshot();
    const first = await once();
    await revert(id);
    const second = await verified(world, { amount });
    await paid(world, second);
    const other = await paid(world, second);
    await report(second, other);
    await expectCredited(second, other);
    await expectCredited(first.verification, first.txHash);
  });

  test('with a new verification that fails: the old one is credited', async () => {
    const id = await snapshot();
    const { verification, txHash } = await once();
    await revert(id);
    const second = await verified(world, { amount });
    await paid(world, second);
    await world.api.reportError(second.uuid, 'ERROR', 'USER-CANCELED');
    await expectCredited(verification, txHash);
  });
});

describe('D-24: a claim on a credited transaction', () => {
  test('is ALREADY-USED, and the credit stays', async () => {
    const { verification, txHash } = await once();
    const second = await verified(world, { amount });
    await report(second, txHash);
    await world.idle();
    expect(await reportOf(second)).toMatchObject({ verdict: 'ALREADY-USED' });
    expect((await reportOf(second))?.got).toContain(verification.uuid);
    await expectCredited(verification, txHash);
  });

  test('made before, for a verification of the same payment: the newest one counts', async () => {
    const older = await verified(world, { amount });
    const newer = await verified(world, { amount });
    const payment = await (await world.wallet('ETH')).prepare(newer.to, amount);
    await report(older, payment.hash);
    await report(newer, payment.hash);
    await payment.send();
    await expectCredited(newer, payment.hash);
    expect(await reportOf(older)).toMatchObject({ verdict: 'ALREADY-USED' });
  });
});
