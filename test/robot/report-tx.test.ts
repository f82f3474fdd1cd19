import { expect, test } from 'vitest';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { robotRefusalOf } from '../support/requests/robot-refusal.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));

const refused = (body: unknown) => robotRefusalOf(world, 'verifications/tx', body);

test('D-21: where the robot is the beneficiary: VASP-NOT-MATCHED', async () => {
  const { uuid } = await verified(world);
  const refusal = await refused({ verificationUuid: uuid, txHash: 'a' });
  expect(refusal).toMatchObject({ status: 400, code: 'VASP-NOT-MATCHED' });
});

test('D-21: after an error report: NOT-VERIFIED, and no report is sent', async () => {
  const { uuid } = await verifiedForRobot(world);
  await world.api.robotReportError(uuid, 'ERROR', 'USER-CANCELED');
  const refusal = await refused({ verificationUuid: uuid, txHash: 'a' });
  expect(refusal).toMatchObject({ status: 400, code: 'NOT-VERIFIED' });
  await world.idle();
  expect(world.vasp.callbacks(uuid).map(each => each.callbackType)).toEqual(['ERROR_REPORT']);
});

test('twice at once: one TX_REPORT', async () => {
  const { uuid } = await verifiedForRobot(world);
  const both = await Promise.all([1, 2].map(() => world.api.robotReport(uuid, 'a')));
  expect(both).toEqual([{ result: true }, { result: true }]);
  await world.idle();
  expect(world.vasp.callbacks(uuid)).toHaveLength(1);
});

test('D-14: a wrong hash before the withdrawal is replaced by the robot’s own, and both are reported in order', async () => {
  await received(world);
  const { uuid } = await verifiedForRobot(world, { amount: '1' });
  await world.api.robotReport(uuid, 'wrong');
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  await world.idle();
  const { txHash } = await world.api.inquireTransaction(uuid);
  const hashes = world.vasp.callbacks(uuid).map(({ data }) => 'txHash' in data && data.txHash);
  expect(hashes).toEqual(['wrong', txHash]);
  expect(await world.api.verification(uuid)).toMatchObject({ txHash });
});

test('PROD-4: an outdated answer is WAIT-CONFIRM with the hash, once, and only when the transfer is CONFIRMED', async () => {
  await received(world);
  const { uuid } = await verifiedForRobot(world, { amount: '1' });
  const target = 'robot.transactionStatus';
  await world.api.addFault({ target, mode: 'outdated', times: 1, verificationUuid: uuid });
  expect(await world.api.inquireTransaction(uuid)).toMatchObject({ transactionStatus: 'PENDING' });
  await world.api.robotWithdraw(uuid, true);
  await until(async () => {
    const [transfer] = (await world.api.transfers({ verificationUuid: uuid })).transfers;
    return transfer?.transactionStatus === 'CONFIRMED';
  });
  const statuses = [await world.api.inquireTransaction(uuid), await world.api.inquireTransaction(uuid)];
  expect(statuses.map(each => each.transactionStatus)).toEqual(['WAIT-CONFIRM', 'CONFIRMED']);
  expect(statuses[0]?.txHash).toBe(statuses[1]?.txHash);
});
