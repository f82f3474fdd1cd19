import { describe, expect, test } from 'vitest';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { robotRefusalOf } from '../support/requests/robot-refusal.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));

const refused = (body: unknown) => robotRefusalOf(world, 'verifications/error', body);
const report = { result: 'ERROR', reason: 'USER-CANCELED' };

describe('D-05, D-21: POST /action/verifications/error refuses', () => {
  test('the wrong role', async () => {
    const { uuid } = await verified(world);
    const refusal = await refused({ verificationUuid: uuid, ...report });
    expect(refusal).toMatchObject({ status: 400, code: 'VASP-NOT-MATCHED' });
  });
});

describe('REF-4.6: the tested VASP gets the requested report, and the result becomes ERROR', () => {
  test.each([
    ['DENIED', 'BLACKLISTED', 'Originator is included in the blacklist.'],
    ['ERROR', 'SOMETHING-NEW', ''],
    ['VERIFIED', 'USER-CANCELED', 'a result that contradicts itself'],
  ] as const)('%s / %s', async (result, reason, message) => {
    const { uuid } = await verifiedForRobot(world);
    expect(await world.api.robotReportError(uuid, result, reason, message)).toEqual({ result: true });
    await world.idle();
    const [report, ...others] = world.vasp.callbacks(uuid);
    expect(others).toEqual([]);
    expect(report).toMatchObject({ callbackType: 'ERROR_REPORT', data: { verificationUuid: uuid, result, reason } });
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', reason, message });
    expect(await world.api.inquireTransaction(uuid)).toMatchObject({ transactionStatus: 'CANCELED' });
    await expect(world.api.robotWithdraw(uuid)).rejects.toMatchObject({ status: 400, code: 'NOT-VERIFIED' });
  });
});

test.each(['ETH', 'XRP'] as const)(
  '%s: a transfer that is already reserved or under way is paid all the same, once, and stands in the balance',
  async symbol => {
    await received(world, { symbol });
    const { uuid, to, from, amount } = await verifiedForRobot(world, { symbol, amount: '1' });
    const before = await balanceAt(world, symbol, from);
    await world.api.robotWithdraw(uuid, true);
    await world.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED');
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
    expect(Number(before) - Number(await balanceAt(world, symbol, from))).toBeCloseTo(1, 9);
    await world.idle();
    expect(world.vasp.callbacks(uuid).map(each => each.callbackType)).toEqual(['ERROR_REPORT']);
  },
);
