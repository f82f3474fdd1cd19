import { expect, onTestFinished, test } from 'vitest';
import { anotherVasp, assess, incoming, outgoing, results, TX_HASH } from '../support/requests/risk.ts';
import { createWorld } from '../support/world/world.ts';

test('an assessment that a restart interrupts is called back once', async () => {
  const world = await createWorld({ file: true });
  onTestFinished(() => world.close());
  const uuid = await outgoing(world, { user: 'risk-high' });
  const kyt = (await assess(world.api, 'kyt', { verificationUuid: uuid })).body;
  const wco = (await assess(world.api, 'wco', { verificationUuid: uuid })).body;
  await world.restart();
  expect(results(world, uuid, 'PROVIDER_A_KYT_RESULT')).toEqual([]);
  await world.advance('2s');
  expect(results(world, uuid, 'PROVIDER_A_KYT_RESULT').map(each => each.riskAssessment.providerAKYT.requestId)).toEqual(
    [kyt.requestId],
  );
  expect(results(world, uuid, 'PROVIDER_B_WCO_RESULT').map(each => each.riskAssessment.providerBWCO.requestId)).toEqual(
    [wco.requestId],
  );
  await world.restart();
  await world.advance('2h');
  expect(results(world, uuid, 'PROVIDER_A_KYT_RESULT')).toHaveLength(1);
});

test('a reset deletes the assessments of this VASP, and no callback follows', async () => {
  const world = await createWorld();
  onTestFinished(() => world.close());
  const other = await anotherVasp(world, '27372039731940771');
  const mine = await outgoing(world);
  const theirs = await incoming(world, other);
  await other.reportTransaction(theirs, TX_HASH);
  await assess(world.api, 'kyt', { verificationUuid: mine });
  await world.api.reset();
  expect((await world.api.assessments()).assessments).toEqual([]);
  await world.advance('1h');
  expect(results(world, mine, 'PROVIDER_A_KYT_RESULT')).toEqual([]);
  expect((await world.api.timers()).timers).toEqual([]);
});

test('the provider takes the configured time', async () => {
  const world = await createWorld({ env: { PROVIDER_ANSWER_TIME: '90s' } });
  onTestFinished(() => world.close());
  const uuid = await outgoing(world);
  await assess(world.api, 'kyt', { verificationUuid: uuid });
  expect((await world.api.timers()).timers).toMatchObject(
    [
      { kind: 'robot.deposit.inquire' },
      { kind: 'enclave.risk.collect', why: 'the provider is working on the result' },
    ].toReversed(),
  );
  await world.advance('89s');
  expect(results(world, uuid, 'PROVIDER_A_KYT_RESULT')).toEqual([]);
  await world.advance('1s');
  expect(results(world, uuid, 'PROVIDER_A_KYT_RESULT')).toHaveLength(1);
});
