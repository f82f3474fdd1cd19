import { describe, expect, test } from 'vitest';
import {
  judgedForRobot,
  movingClock,
  received,
  robotVerificationOf,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { robotRefusalOf, UNKNOWN_UUID } from '../support/requests/robot-refusal.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));
await received(world);

const refused = (body: unknown) => robotRefusalOf(world, 'withdrawal', body);

describe('D-05, D-21: POST /action/withdrawal refuses', () => {
  test('an omitTxReport that is no boolean, naming it', async () => {
    const { status, code, message } = await refused({ verificationUuid: UNKNOWN_UUID, omitTxReport: 'yes' });
    expect([status, code]).toEqual([400, 'BAD-REQUEST']);
    expect(message).toContain('`omitTxReport`');
  });

  test('one where the robot is the beneficiary: VASP-NOT-MATCHED', async () => {
    const { uuid } = await verified(world);
    expect(await refused({ verificationUuid: uuid })).toMatchObject({ status: 400, code: 'VASP-NOT-MATCHED' });
  });

  test('one that is still open: NOT-VERIFIED, and nothing is reserved', async () => {
    world.vasp.script('verifyUser', undefined, 'never');
    const { uuid, from } = await unanswered();
    const before = (await world.api.balance(world.vaspId, 'ETH', from)).value;
    expect(await refused({ verificationUuid: uuid })).toMatchObject({ status: 400, code: 'NOT-VERIFIED' });
    expect((await world.api.balance(world.vaspId, 'ETH', from)).value).toBe(before);
    world.vasp.script('verifyUser', undefined, 'ordinary');
  });

  test.each([
    ['that is none', 'nowhere'],
    ['of another ledger', 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh'],
  ])('a beneficiary address %s: UNKNOWN-ADDRESS', async (_, to) => {
    const { uuid } = await verifiedForRobot(world, { to });
    expect(await refused({ verificationUuid: uuid })).toMatchObject({ status: 400, code: 'UNKNOWN-ADDRESS' });
  });

  test('a payment of an address to itself: UNKNOWN-ADDRESS', async () => {
    const { uuid } = await verifiedForRobot(world, { to: world.user('taylor-robbins').accounts.ETH });
    expect(await refused({ verificationUuid: uuid })).toMatchObject({ status: 400, code: 'UNKNOWN-ADDRESS' });
  });

  test('the XRP of one user for another: all of them share one address', async () => {
    const wish = { symbol: 'XRP', to: world.user('garrit-studio').accounts.XRP } as const;
    const { uuid } = await judgedForRobot(world, wish);
    expect(await refused({ verificationUuid: uuid })).toMatchObject({ status: 400, code: 'UNKNOWN-ADDRESS' });
  });

  test('money that another VASP has paid in', async () => {
    const other = await registerVasp(world, '815');
    const wish = { user: 'risk-high', amount: '1' };
    await received(world, wish);
    const request = await verifiedForRobot({ ...world, api: other.api, vaspId: other.vaspId }, wish);
    const body = { verificationUuid: request.uuid };
    const seen = await robotRefusalOf(world, 'withdrawal', body, other.api);
    expect([seen.status, seen.code]).toEqual([400, 'INSUFFICIENT-BALANCE']);
    await other.vasp.close();
  });
});

async function unanswered() {
  const request = robotVerificationOf(world);
  const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
  await world.vasp.arrived('verifyUser', uuid, 1);
  return { uuid, from: request.payload.ivms101.originator.accountNumber[0]! };
}
