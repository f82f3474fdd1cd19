import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { FOREIGN, paid, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { type OtherVasp, registerVasp, verificationAt } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ env: { VASP_TIMEOUT_USER: '2s', VASP_TIMEOUT_CALLBACK: '30s' } }));
let other: OtherVasp;
let serial = 1_000;
beforeEach(async () => {
  other = await registerVasp(world, String(++serial), { header: 'Authorization', token: 'of-the-other' });
});
afterEach(() => other.vasp.close());

/** The other VASP's verification with the robot, VERIFIED. */
async function othersVerification(amount = world.amount()) {
  const user = world.user('garrit-studio');
  const request = userRequest({ robotVaspId: world.robotVaspId, user, symbol: 'ETH', amount, from: FOREIGN.ETH });
  const { verificationUuid: uuid } = await other.api.verifyUser(request);
  const { verificationResult } = await other.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  expect(verificationResult).toBe('VERIFIED');
  return { uuid, symbol: 'ETH', to: user.accounts.ETH, amount } as const;
}

describe('two registered VASPs at once', () => {
  test('each gets its own callbacks, with its own authorization', async () => {
    const ours = await verified(world);
    const theirs = await othersVerification();
    expect(world.vasp.callbacks(theirs.uuid)).toEqual([]);
    expect(other.vasp.callbacks(ours.uuid)).toEqual([]);
    const [callback] = other.vasp.received('callback', theirs.uuid);
    expect(callback?.headers.get('authorization')).toBe('Bearer of-the-other');
  });

  test('D-18, D-19: the same amount at the same address: credited to whom the hash was reported by', async () => {
    const theirs = await othersVerification();
    const ours = await verified(world, { user: 'garrit-studio', amount: theirs.amount });
    const balances = () =>
      Promise.all(
        [[world.api, world.vaspId] as const, [other.api, other.vaspId] as const].map(
          async ([api, vaspId]) => (await api.balance(vaspId, 'ETH', ours.to)).value,
        ),
      );
    expect(await balances()).toEqual(['0', '0']);
    const txHash = await paid(world, theirs);
    await other.api.reportTransaction(theirs.uuid, txHash);
    await other.api.advance('0s');
    expect(await balances()).toEqual(['0', theirs.amount]);
    await expect(world.api.balance(other.vaspId, 'ETH', ours.to)).rejects.toMatchObject({ code: 'ALLIANCE-NOT-FOUND' });
  });

  test('D-24: a payment that is credited to the other one is ALREADY-USED, and its verification stays unknown', async () => {
    const theirs = await othersVerification();
    const ours = await verified(world, { user: 'garrit-studio', amount: theirs.amount });
    const txHash = await paid(world, theirs);
    await other.api.reportTransaction(theirs.uuid, txHash);
    await world.api.reportTransaction(ours.uuid, txHash);
    await world.idle();
    const { verifications } = await world.api.verifications({ search: ours.uuid });
    expect(verifications[0]!.report).toMatchObject({
      verdict: 'ALREADY-USED',
      got: 'credited to a verification of another VASP',
    });
    const seen = [verifications, await world.api.timeline(ours.uuid), await world.api.health()];
    expect(JSON.stringify(seen)).not.toContain(theirs.uuid);
  });

  test('D-24: a deposit that the other one named wrongly: only the other one reads which verification', async () => {
    const theirs = await othersVerification();
    const amount = world.amount();
    const txHash = await paid(world, { ...theirs, amount });
    await other.api.reportTransaction(theirs.uuid, txHash);
    const noteIn = async (api: typeof world.api) =>
      (await api.receivedPayments()).payments.find(deposit => deposit.txHash === txHash)?.note;
    await until(async () => {
      await world.idle();
      return (await noteIn(world.api))?.startsWith('unattributed: WRONG-AMOUNT') ?? false;
    });
    expect(await noteIn(world.api)).toBe('unattributed: WRONG-AMOUNT for the verification that named it');
    expect(await noteIn(other.api)).toContain(`WRONG-AMOUNT for ${theirs.uuid}: expected ${theirs.amount} `);
    expect(JSON.stringify(await world.api.health())).not.toContain(theirs.uuid);
  });

  test('a VASP that never answers its callbacks delays the other by nothing', async () => {
    other.vasp.script('callback', undefined, 'never');
    const user = world.user('garrit-studio');
    const wish = { robotVaspId: world.robotVaspId, user, symbol: 'ETH', from: FOREIGN.ETH } as const;
    for (let i = 0; i < 100; i++) await other.api.verifyUser(userRequest({ ...wish, amount: world.amount() }));
    await other.vasp.arrived('callback', undefined, 1);
    await verified(world);
    expect(other.vasp.received('callback').length).toBeLessThan(100);
    await other.vasp.down();
    await verified(world);
    await other.vasp.up();
  });

  test('D-19: a reset of one VASP keeps the balance of the other', async () => {
    const theirs = await othersVerification();
    await other.api.reportTransaction(theirs.uuid, await paid(world, theirs));
    await other.api.advance('1h');
    await world.api.reset();
    expect((await other.api.balance(other.vaspId, 'ETH', theirs.to)).value).toBe(theirs.amount);
    await verified(world);
  });
});

test('the robot neither pays nor asks for what is between two VASPs', async () => {
  const { verificationUuid: uuid } = await other.api.verifyUser({
    ...verificationAt(world, other),
    beneficiaryVaspId: world.vaspId,
  });
  await other.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  await expect(world.api.robotWithdraw(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  await expect(world.api.robotReport(uuid, 'x')).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  await expect(world.api.robotInquire(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  const { fired } = await world.advance('3h');
  expect(fired.filter(({ key }) => key === uuid)).toEqual([]);
});
