import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

/** Pays, and lets every waiting time pass: what has not been credited by then never will be. */
async function outcomeOf(symbol: 'ETH' | 'XRP', to: string, amount: string) {
  const txHash = await paid(world, { symbol, to, amount });
  await world.advance('3h');
  return depositOf(world, txHash);
}
const unattributed = { status: 'UNATTRIBUTED', verificationUuid: null };

test.each(ASSET_SYMBOLS)('D-18, %s: paid twice: the second one is nobody’s', async symbol => {
  const verification = await verified(world, { symbol, user: 'sanctioned-address' });
  const first = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, first);
  await world.idle();
  expect(await outcomeOf(symbol, verification.to, verification.amount)).toMatchObject(unattributed);
  expect(await balanceAt(world, symbol, verification.to)).toBe(verification.amount);
});

test('D-18: paid twice before the report: the reported one is credited, the other is nobody’s', async () => {
  const verification = await verified(world, { user: 'sanctioned-address' });
  const before = await balanceAt(world, 'ETH', verification.to);
  const other = await paid(world, verification);
  const reported = await paid(world, verification);
  expect(await depositOf(world, other)).toMatchObject({ status: 'CONFIRMED' });
  await world.api.reportTransaction(verification.uuid, reported);
  await world.idle();
  expect(await depositOf(world, reported)).toMatchObject({ status: 'CREDITED' });
  expect(await depositOf(world, other)).toMatchObject(unattributed);
  expect(await balanceAt(world, 'ETH', verification.to)).not.toBe(before);
});

describe('REF-4.6.4, D-08: the destination tag tells the user', () => {
  test('an unknown tag and a missing tag are unattributed, though the amount is awaited', async () => {
    const { uuid, to, amount } = await verified(world, { symbol: 'XRP' });
    world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    const account = to.split(':')[0]!;
    const before = await balanceAt(world, 'XRP', to);
    for (const address of [`${account}:4294967295`, account])
      expect(await outcomeOf('XRP', address, amount)).toMatchObject({ ...unattributed, address });
    expect(await balanceAt(world, 'XRP', to)).toBe(before);
  });

  test('tag 0 is a tag: paid with it is credited, paid without one is not', async () => {
    const verification = await verified(world, { symbol: 'XRP', user: 'tag-zero' });
    const { to, amount, uuid } = verification;
    expect(to).toMatch(/:0$/);
    world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
    const without = await paid(world, { symbol: 'XRP', to: to.replace(':0', ''), amount });
    const withTag = await paid(world, verification);
    await world.api.reportTransaction(uuid, withTag);
    await world.idle();
    expect(await depositOf(world, withTag)).toMatchObject({ status: 'CREDITED', address: to });
    expect(await depositOf(world, without)).toMatchObject(unattributed);
    expect(await balanceAt(world, 'XRP', to)).toBe(amount);
  });
});

test('D-18: what was paid before a reset is nobody’s; the same suite runs again as if for the first time', async () => {
  const amount = world.amount();
  const hashes: string[] = [];
  for (let run = 0; run < 2; run++) {
    const verification = await verified(world, { amount, user: 'taylor-robbins' });
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING', txHash);
    hashes.push(txHash);
    if (run === 0) await world.api.reset();
  }
  await world.advance('10m');
  expect(await depositOf(world, hashes[0]!)).toMatchObject(unattributed);
  expect(await depositOf(world, hashes[1]!)).toMatchObject({ status: 'CREDITED' });
});

test('D-18: what was paid for a verification that is given up is nobody’s at once', async () => {
  const verification = await verified(world);
  const txHash = await paid(world, verification);
  await world.api.reportError(verification.uuid, 'ERROR', 'USER-CANCELED');
  await world.idle();
  expect(await depositOf(world, txHash)).toMatchObject(unattributed);
});
