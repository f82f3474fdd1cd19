import { describe, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { anotherVasp, assess, incoming, kytOf, outgoing, results, wcoOf } from '../support/requests/risk.ts';
import {
  DECIMAL,
  expectFields,
  inUsd,
  KYT,
  KYT_REGISTERED,
  screen,
  UUID,
  WCO,
  WCO_REGISTERED,
} from '../support/requests/risk-fields.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());
const other = await anotherVasp(world, '27372039731940771');

describe('REF-6: the callback', () => {
  test("comes after the provider's time, with the requestId of the answer", async () => {
    const uuid = await outgoing(world);
    const answers = [
      (await assess(world.api, 'kyt', { verificationUuid: uuid })).body,
      (await assess(world.api, 'wco', { verificationUuid: uuid })).body,
    ];
    for (const answer of answers) expectFields(answer, { requestId: UUID });
    await world.advance('1999ms');
    expect(world.vasp.callbacks(uuid).map(each => each.callbackType)).toEqual(['VERIFICATION_RESULT']);
    const { fired } = await world.advance('1ms');
    expect(fired.filter(each => each.kind === 'enclave.risk.collect')).toHaveLength(2);
    const [kyt, ...moreKyt] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
    const [wco, ...moreWco] = results(world, uuid, 'PROVIDER_B_WCO_RESULT');
    expect([moreKyt, moreWco]).toEqual([[], []]);
    expect(Object.keys(kyt!).sort()).toEqual(['riskAssessment', 'verificationUuid']);
    expect(kyt!.verificationUuid).toBe(uuid);
    expect([kyt!.riskAssessment.providerAKYT.requestId, wco!.riskAssessment.providerBWCO.requestId]).toEqual(
      answers.map(answer => answer.requestId),
    );
    expect(new Set([uuid, ...answers.map(answer => answer.requestId)]).size).toBe(3);
  });

  test('goes to the VASP that requested it, never to the other one', async () => {
    const uuid = await incoming(world, other);
    await assess(other, 'kyt', { verificationUuid: uuid });
    await assess(other, 'wco', { verificationUuid: uuid });
    await other.advance('2s');
    const { callbacks } = await other.mailbox({ verificationUuid: uuid });
    expect(callbacks.map(each => each.callbackType)).toEqual([
      'VERIFICATION_RESULT',
      'PROVIDER_A_KYT_RESULT',
      'PROVIDER_B_WCO_RESULT',
    ]);
    await world.idle();
    expect(world.vasp.callbacks(uuid)).toEqual([]);
  });

  test('every assessment has a requestId of its own, also for the same request', async () => {
    const uuid = await outgoing(world);
    const ids = [
      (await screen(world, uuid)).requestId,
      (await screen(world, uuid)).requestId,
      (await kytOf(world, uuid)).requestId,
      (await kytOf(world, uuid)).requestId,
      (await wcoOf(world, uuid)).requestId,
    ];
    expect(new Set(ids).size).toBe(5);
    const { assessments } = await world.api.assessments({ verificationUuid: uuid });
    expect(assessments.map(each => each.requestId).reverse()).toEqual(ids);
  });
});

describe('a provider that fails', () => {
  const story = async (uuid: string) =>
    (await world.api.timeline(uuid)).timeline
      .filter(each => each.what === 'assessment')
      .map(each => [each.event, each.to, each.cause]);

  test('REF-2.6: monitoring: the VASP gets REGISTERED without externalId, then the result', async () => {
    const uuid = await outgoing(world, { user: 'monitoring-fails', change: inUsd('100') });
    const { status, body } = await assess(world.api, 'kyt', { verificationUuid: uuid });
    expect(status).toBe(200);
    await world.idle();
    const [received] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
    expectFields(received!.riskAssessment.providerAKYT, { ...KYT_REGISTERED, usdPrice: DECIMAL });
    expect(received!.riskAssessment.providerAKYT).toMatchObject({ requestId: body.requestId, alertCount: null });
    expect(received!.riskAssessment.providerAKYTAlerts).toBeUndefined();
    const [pending] = (await world.api.assessments({ verificationUuid: uuid })).assessments;
    expect(pending).toMatchObject({ status: 'REGISTERED', failures: 1, lastError: expect.any(String) });

    await world.advance('1m');
    const [, processed, ...more] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
    expect(more).toEqual([]);
    expectFields(processed!.riskAssessment.providerAKYT, { ...KYT, usdPrice: DECIMAL });
    expect(processed!.riskAssessment.providerAKYT).toMatchObject({ requestId: body.requestId, alertCount: 1 });
    expect(await story(uuid)).toEqual([
      ['begin', 'REGISTERED', 'kyt assessment of the beneficiary, OUTGOING'],
      [
        'provider-failed',
        'REGISTERED',
        'attempt 1 failed: the provider answered with an error; the next one follows in 1s',
      ],
      [
        'provider-failed',
        'REGISTERED',
        'attempt 2 failed: the provider answered with an error; the next one follows in 5s',
      ],
      ['processed', 'PROCESSED', 'the provider answered'],
    ]);
  });

  test('REF-2.8: person screening: the VASP gets REGISTERED with the case, then the result', async () => {
    const uuid = await outgoing(world, { user: 'screening-fails' });
    await assess(world.api, 'wco', { verificationUuid: uuid });
    await world.advance('1m');
    const received = results(world, uuid, 'PROVIDER_B_WCO_RESULT').map(each => each.riskAssessment.providerBWCO);
    expect(received).toHaveLength(2);
    expectFields(received[0]!, WCO_REGISTERED);
    expectFields(received[1]!, WCO);
    expect(received[1]!.requestId).toBe(received[0]!.requestId);
  });

  test('REF-7: a failed call to open the case answers 401 UNKNOWN-ERROR-CODE, and nothing is stored', async () => {
    const uuid = await outgoing(world, { user: 'screening-refuses' });
    const { status, body } = await assess(world.api, 'wco', { verificationUuid: uuid });
    expect([status, body.code]).toEqual([401, 'UNKNOWN-ERROR-CODE']);
    expect((await world.api.assessments({ verificationUuid: uuid })).assessments).toEqual([]);
  });

  test('a key that is removed meanwhile: the call is repeated until there is one', async () => {
    const vaspId = '4242';
    const own = await anotherVasp(world, vaspId);
    const { verificationUuid: uuid } = await own.verifyUser(verificationOf(world));
    await own.mailbox({ wait: '20s', verificationUuid: uuid });
    await assess(own, 'kyt', { verificationUuid: uuid });
    await own.registerVasp(vaspId, { name: 'Own', providerKeys: { kytApiKey: 'wrong' } });
    await own.advance('10m');
    expect((await own.assessments({ verificationUuid: uuid })).assessments).toMatchObject([
      { status: 'REGISTERED', lastError: 'the provider refuses the API key' },
    ]);
    await own.registerVasp(vaspId, { name: 'Own' });
    await own.advance('2h');
    const { assessments } = await own.assessments({ verificationUuid: uuid });
    expect(assessments).toMatchObject([{ status: 'PROCESSED', lastError: null }]);
  });
});

test('the timeline shows the assessments of a verification, and the list shows their results', async () => {
  const uuid = await outgoing(world, { user: 'risk-high' });
  const providerASanction = await screen(world, uuid);
  const { requestId: _, ...kyt } = await kytOf(world, uuid);
  const { timeline } = await world.api.timeline(uuid);
  expect(timeline.filter(each => each.what === 'assessment').map(each => each.event)).toEqual([
    'begin',
    'processed',
    'begin',
    'processed',
  ]);
  const { assessments } = await world.api.assessments({ verificationUuid: uuid });
  expect(assessments.map(each => [each.kind, each.status, each.riskAssessment])).toEqual([
    ['kyt', 'PROCESSED', kyt],
    ['sanction', 'PROCESSED', { providerASanction }],
  ]);
  expect((await other.assessments({ verificationUuid: uuid })).assessments).toEqual([]);
});
