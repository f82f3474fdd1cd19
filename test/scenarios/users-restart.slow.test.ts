import { describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { HARBOUR, KIM, withUser } from '../support/requests/users.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ file: true }));

test('what each VASP has changed is there after a restart; no address comes to another user', async () => {
  const other = await registerVasp(world, '8001');
  const kim = await world.api.putUser('kim', KIM);
  await world.api.removeUser('ethan-cook');
  await world.api.putUser('garrit-studio', HARBOUR);
  await other.api.putUser('kim', HARBOUR);
  const gone = await world.api.putUser('gone', KIM);
  await world.api.removeUser('gone');
  const before = [await world.api.users(), await other.api.users()];
  await world.restart();
  expect([await world.api.users(), await other.api.users()]).toEqual(before);
  const next = await world.api.putUser('next', KIM);
  const taken = [kim, gone, await other.api.user('kim')].map(({ accounts }) => accounts.ETH);
  expect(taken).not.toContain(next.accounts.ETH);
  expect(await world.api.putUser('gone', KIM)).toEqual(gone);
  await other.vasp.close();
});

test.each(['removed', 'changed'] as const)(
  'an answer that is held back is that of the moment of asking: the user is %s meanwhile',
  async how => {
    const user = await world.api.putUser(`slow-${how}`, { ...KIM, behaviour: 'ANSWERS-SLOWLY' });
    const request = verificationOf(withUser(world, user), { user: user.id });
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    await world.idle();
    if (how === 'removed') await world.api.removeUser(user.id);
    else await world.api.putUser(user.id, { ...KIM, kyc: false });
    await world.restart();
    expect((await world.api.verification(uuid)).result).toBeUndefined();
    await world.advance('3s');
    expect(await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT')).toMatchObject({
      verificationResult: 'VERIFIED',
      ivms101: { beneficiary: request.payload.ivms101.beneficiary },
    });
  },
);

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('PROD-4: an added user is paid after a restart, before anybody has asked for users', async () => {
    const user = await world.api.putUser('paid-later', KIM);
    const verification = await verified(withUser(world, user), { user: user.id, symbol });
    await world.restart();
    const txHash = await paid(world, verification);
    await world.api.reportTransaction(verification.uuid, txHash);
    await world.idle();
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED' });
    expect(await balanceAt(world, symbol, verification.to)).toBe(verification.amount);
  });

  test('a user that was removed before the restart is paid what was begun', async () => {
    const user = await world.api.putUser('removed-meanwhile', KIM);
    const verification = await verified(withUser(world, user), { user: user.id, symbol });
    await world.api.removeUser(user.id);
    await world.restart();
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(verification.uuid, 'CONFIRMED', txHash);
    await world.advance('2h');
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED' });
    expect(await balanceAt(world, symbol, verification.to)).toBe(verification.amount);
  });

  test('a reset forgets the user; what comes late is nobody’s, and no other VASP sees it', async () => {
    const other = await registerVasp(world, `81${symbol.length}${symbol.charCodeAt(0)}`);
    const user = await world.api.putUser('forgotten', KIM);
    const verification = await verified(withUser(world, user), { user: user.id, symbol });
    await world.api.reset();
    await world.restart();
    const txHash = await paid(world, verification);
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED', verificationUuid: null });
    expect(await depositOf({ api: other.api }, txHash)).toBeUndefined();
    await expect(balanceAt(world, symbol, verification.to)).rejects.toMatchObject({ code: 'UNKNOWN-ADDRESS' });
    const again = await world.api.putUser('forgotten', KIM);
    expect(again.accounts).toEqual(user.accounts);
    expect(await balanceAt(world, symbol, verification.to)).toBe('0');
    await other.vasp.close();
  });
});
