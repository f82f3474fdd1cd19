import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import { accountOf, paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const inquiries = async () => (await world.api.timers()).timers.filter(timer => timer.kind === 'robot.deposit.inquire');

describe.each(ASSET_SYMBOLS)('%s', (symbol: AssetSymbol) => {
  test('REF-4.6: account, user, transfer, report: the deposit is credited and stands in the balance', async () => {
    const { api, vasp } = world;
    const user = world.user('garrit-studio');
    const to = user.accounts[symbol];
    const account = await api.verifyAccount(accountOf(world, { user: user.id, symbol }));
    expect(account).toEqual({ accountVerificationResult: 'VERIFIED', verifiedAt: expect.any(String) });

    const wallet = await world.wallet(symbol);
    const request = verificationOf(world, { user: user.id, symbol, from: wallet.address });
    const { verificationUuid: uuid } = await api.verifyUser(request);
    const result = await vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(result).toEqual({
      verificationUuid: uuid,
      verificationResult: 'VERIFIED',
      reason: 'OK',
      message: '',
      ivms101: { beneficiary: request.payload.ivms101.beneficiary },
    });

    const { amount } = request.assetInfo;
    const before = await api.balance(world.vaspId, symbol, to);
    expect(before).toEqual({ symbol, address: to, vaspId: world.vaspId, value: '0' });
    const txHash = await paid(world, { symbol, to, amount });
    expect((await api.balance(world.vaspId, symbol, to)).value).toBe('0');
    expect(await api.reportTransaction(uuid, txHash)).toEqual({ result: true });
    await world.idle();
    expect((await api.balance(world.vaspId, symbol, to)).value).toBe(amount);

    expect(await api.verification(uuid)).toMatchObject({
      result: 'VERIFIED',
      reason: 'OK',
      message: '',
      txHash,
      vout: null,
      orderedAt: expect.any(String),
    });
    expect((await api.list({ txHash })).verifications).toEqual([await api.verification(uuid)]);
    expect((await api.receivedPayments()).payments.find(each => each.txHash === txHash)).toMatchObject({
      status: 'CREDITED',
      verificationUuid: uuid,
      amount,
      address: to,
    });
    expect(await inquiries()).toEqual([]);
    expect((await world.advance('2h')).fired).toEqual([]);
  });

  test('D-18: a report before the deposit is enough: credited when the transfer arrives', async () => {
    const { api } = world;
    const { uuid, to, amount } = await verified(world, { user: 'taylor-robbins', symbol });
    const wallet = await world.wallet(symbol);
    const payment = await wallet.prepare(to, amount);
    await api.reportTransaction(uuid, payment.hash);
    await world.idle();
    expect((await api.balance(world.vaspId, symbol, to)).value).toBe('0');
    await payment.send();
    await world.idle();
    expect((await api.balance(world.vaspId, symbol, to)).value).toBe(amount);
  });
});

test('D-14: another hash replaces the first until the deposit is credited, then ALREADY-REPORTED', async () => {
  const { api } = world;
  const verification = await verified(world);
  const { uuid, to, amount } = verification;
  const before = (await api.balance(world.vaspId, 'ETH', to)).value;
  const wrong = `0x${'ab'.repeat(32)}`;
  await api.reportTransaction(uuid, wrong);
  const txHash = await paid(world, verification);
  expect((await api.balance(world.vaspId, 'ETH', to)).value).toBe(before);
  await api.reportTransaction(uuid, txHash);
  await world.idle();
  expect((await api.verification(uuid)).txHash).toBe(txHash);
  const deposit = (await api.receivedPayments()).payments.find(each => each.txHash === txHash);
  expect(deposit).toMatchObject({ status: 'CREDITED', amount, verificationUuid: uuid });
  await expect(api.reportTransaction(uuid, wrong)).rejects.toMatchObject({ status: 400, code: 'ALREADY-REPORTED' });
  const inUpperCase = txHash.replace(/[0-9a-f]{64}$/, digits => digits.toUpperCase());
  expect(await api.reportTransaction(uuid, inUpperCase)).toEqual({ result: true });
  await expect(api.reportError(uuid, 'ERROR', 'USER-CANCELED')).rejects.toMatchObject({
    status: 400,
    code: 'ALREADY-REPORTED',
  });
  expect((await api.verification(uuid)).txHash).toBe(txHash);
});
