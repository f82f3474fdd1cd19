import { expect, test } from 'vitest';
import { judgedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-44: an id in upper case is the same id. */

const world = await forFile(createWorld());

test('of a withdrawal: look-up, screening, report and the calls of the sandbox', async () => {
  const verification = await verified(world);
  const { uuid } = verification;
  const upper = uuid.toUpperCase();
  expect(upper).not.toBe(uuid);
  expect((await world.api.verification(upper)).verificationUuid).toBe(uuid);
  const sanction = await world.api.call('POST', '/v1/risk-assessment/providerA-sanction', { verificationUuid: upper });
  expect(sanction.status).toBe(200);
  const txHash = await paid(world, verification);
  await world.api.reportTransaction(upper, txHash);
  await world.idle();
  expect((await world.api.verification(upper)).txHash).toBe(txHash);

  expect((await world.api.timeline(upper)).verificationUuid).toBe(uuid);
  expect((await world.api.neighbours(upper)).older).toBeNull();
  expect((await world.api.verifications({ search: upper })).verifications).toHaveLength(1);
  const { exchanges } = await world.api.exchanges({ verificationUuid: upper });
  expect(exchanges.filter(({ operation }) => operation === 'report-transaction')).toHaveLength(1);
  expect((await world.api.callbacks({ verificationUuid: upper })).callbacks).not.toEqual([]);
  const page = await world.api.call('GET', `/sandbox/v1/verifications/${upper}/why`);
  expect(page.status).toBe(200);
});

test('of a deposit: the actions of the robot, and an answer of the VASP', async () => {
  const { uuid } = await judgedForRobot(world);
  const answer = { verificationUuid: uuid.toUpperCase(), transactionStatus: 'PENDING' };
  const inquiry = await world.api.call('POST', '/v1/verifications/tx/inquiry', {
    verificationUuid: uuid.toUpperCase(),
  });
  expect(inquiry.body).toMatchObject({ verificationUuid: uuid });
  const { uuid: own } = await verified(world);
  world.vasp.script('transactionStatus', own, { body: { ...answer, verificationUuid: own.toUpperCase() } });
  const asked = await world.api.call('POST', '/vega/robot/v1.0/action/tx/inquiry', {
    verificationUuid: own.toUpperCase(),
  });
  expect(asked).toMatchObject({ status: 200, body: { verificationUuid: own, transactionStatus: 'PENDING' } });
});
