import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { natural, verificationOf } from '../support/requests/from-tested-vasp.ts';
import {
  anotherVasp,
  assess,
  incoming,
  kytOf,
  outgoing,
  results,
  TX_HASH,
  wcoOf,
} from '../support/requests/risk.ts';
import { createWorld, type World } from '../support/world/world.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const DECIMAL = /^\d+(\.\d+)?$/;
const JSON_TEXT = /^\{.*\}$/;
const oneOf = (...words: string[]) => new RegExp(`^(${words.join('|')})$`);

/** REF-2.5, REF-2.6, REF-2.7, REF-2.8: field -> what its value looks like, in the cases where it stands there. */
type Table = Record<string, RegExp>;
const COMMON = { requestId: UUID, counterpartyVaspId: /^\d+$/, direction: oneOf('OUTGOING', 'INCOMING') };
const NOHIT: Table = { ...COMMON, address: /./, status: oneOf('NOHIT'), createdAt: ISO };
const SANCTION: Table = {
  ...NOHIT,
  status: oneOf('SANCTION'),
  ofacName: /./,
  ofacDescription: /./,
  ofacUrl: /^https:\/\//,
};
const KYT_REGISTERED: Table = {
  ...COMMON,
  apiType: oneOf('ATTEMPT', 'TRANSFER'),
  userId: /^\d+$/,
  network: /./,
  asset: /./,
  amount: DECIMAL,
  outputAddress: /./,
  timestamp: ISO,
  status: oneOf('REGISTERED'),
  alertCount: /^null$/,
  createdAt: ISO,
};
const KYT: Table = {
  ...KYT_REGISTERED,
  status: oneOf('PROCESSED'),
  externalId: UUID,
  alertCount: /^\d+$/,
  assessedAt: ISO,
};
const ALERT: Table = {
  counterpartyVaspId: /^\d+$/,
  externalId: UUID,
  direction: oneOf('OUTGOING', 'INCOMING'),
  alertId: UUID,
  alertLevel: oneOf('LOW', 'MEDIUM', 'HIGH', 'SEVERE'),
  entityCategory: /./,
  serviceName: /./,
  exposureType: oneOf('DIRECT', 'INDIRECT'),
  alertAmount: DECIMAL,
  createdAt: ISO,
};
const WCO_REGISTERED: Table = { ...COMMON, caseSystemId: UUID, status: oneOf('REGISTERED'), createdAt: ISO };
const WCO: Table = {
  ...WCO_REGISTERED,
  status: oneOf('PROCESSED'),
  aggregatedSummaryResult: JSON_TEXT,
  assessedAt: ISO,
};

/** Exactly these fields, each as the table says; numbers and null where the table says number. */
function expectFields(body: object, table: Table): void {
  expect(Object.keys(body).sort()).toEqual(Object.keys(table).sort());
  for (const [field, value] of Object.entries(body)) {
    expect(String(value), field).toMatch(table[field]!);
    const isText = field !== 'alertCount' && value !== null;
    if (isText) expect(typeof value, field).toBe('string');
    else expect(value === null || Number.isInteger(value), field).toBe(true);
  }
}

let world: World;
let other: Client;
beforeAll(async () => {
  world = await createWorld();
  other = await anotherVasp(world, '27372039731940771');
});
afterAll(() => world.close());

const screen = async (uuid: string) => {
  const { status, body } = await assess(world.api, 'sanction', { verificationUuid: uuid });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['providerASanction']);
  return body.providerASanction as Record<string, string>;
};
/** 100 USD. */
const inUsd = (price: string) => (request: ReturnType<typeof verificationOf>) => {
  Object.assign(request.assetInfo, { tradePrice: price, tradeCurrency: 'USD' });
};

test('a withdrawal to a clean address: NOHIT, no alert', async () => {
  const uuid = await outgoing(world, { change: inUsd('100') });
  expectFields(await screen(uuid), NOHIT);
  const { providerAKYT, providerAKYTAlerts } = await kytOf(world, uuid);
  expectFields(providerAKYT, { ...KYT, usdPrice: DECIMAL });
  expect(providerAKYT.alertCount).toBe(0);
  expect(providerAKYTAlerts).toBeUndefined();
  const { providerBWCO } = await wcoOf(world, uuid);
  expectFields(providerBWCO, WCO);
  expect(JSON.parse(providerBWCO.aggregatedSummaryResult!)).toMatchObject({ total: 0 });
});

test('a withdrawal to a listed address: SANCTION, and a SEVERE alert', async () => {
  const uuid = await outgoing(world, { user: 'sanctioned-address', change: inUsd('250.5') });
  expectFields(await screen(uuid), SANCTION);
  const { providerAKYT, providerAKYTAlerts } = await kytOf(world, uuid);
  expect(providerAKYT).toMatchObject({ alertCount: 1, usdPrice: '250.5' });
  expectFields(providerAKYTAlerts![0]!, { ...ALERT, serviceName: /^null$/ });
  expect(providerAKYTAlerts).toMatchObject([
    {
      alertLevel: 'SEVERE',
      exposureType: 'DIRECT',
      alertAmount: '250.5',
      externalId: providerAKYT.externalId,
    },
  ]);
});

test('a withdrawal to an address of the published list, in any case', async () => {
  for (const address of [
    '0x098B716B8Aaf21512996dC57EB0615e2383E2f96',
    '0x098b716b8aaf21512996dc57eb0615e2383e2f96',
  ]) {
    const into = await incoming(world, other, { from: address });
    const found = await screen(into);
    expectFields(found, SANCTION);
    expect(found).toMatchObject({ address, ofacName: expect.stringContaining('SDN') });
  }
});

describe('REF-2.7: the alerts', () => {
  test.each([
    ['risk-low', [['LOW', 'INDIRECT', null, '10']]],
    ['risk-medium', [['MEDIUM', 'DIRECT', null, '40']]],
    ['risk-high', [['HIGH', 'DIRECT', 'Night Bazaar', '60']]],
    [
      'risk-several',
      [
        ['MEDIUM', 'DIRECT', 'Tumbler Twelve', '30'],
        ['MEDIUM', 'INDIRECT', null, '12.5'],
        ['LOW', 'INDIRECT', null, '5'],
      ],
    ],
    ['sanctioned-address', [['SEVERE', 'DIRECT', null, '100']]],
  ])('of %s', async (user, wanted) => {
    const uuid = await outgoing(world, { user, change: inUsd('100') });
    const { providerAKYT, providerAKYTAlerts = [] } = await kytOf(world, uuid);
    expect(providerAKYT.alertCount).toBe(wanted.length);
    expect(
      providerAKYTAlerts.map(({ alertLevel, exposureType, serviceName, alertAmount }) => [
        alertLevel,
        exposureType,
        serviceName,
        alertAmount,
      ]),
    ).toEqual(wanted);
    for (const alert of providerAKYTAlerts) {
      expectFields(alert, alert.serviceName === null ? { ...ALERT, serviceName: /^null$/ } : ALERT);
      expect(alert).toMatchObject({
        externalId: providerAKYT.externalId,
        createdAt: providerAKYT.assessedAt,
      });
    }
    expect(new Set(providerAKYTAlerts.map(each => each.alertId)).size).toBe(wanted.length);
  });

  test('a large withdrawal has a higher risk than a small one', async () => {
    const levelOf = async (price: string) => {
      const uuid = await outgoing(world, { user: 'risk-medium', change: inUsd(price) });
      return (await kytOf(world, uuid)).providerAKYTAlerts?.map(each => each.alertLevel);
    };
    expect(await levelOf('9999.99')).toEqual(['MEDIUM']);
    expect(await levelOf('10000')).toEqual(['HIGH']);
  });
});

describe('REF-2.6: usdPrice, network', () => {
  test.each([
    ['USD', '12.345', '12.345'],
    ['KRW', '2439800', '1756.66'],
    ['ZZZ', '5', undefined],
  ])('a trade price in %s', async (tradeCurrency, tradePrice, wanted) => {
    const uuid = await outgoing(world, {
      change: request => void Object.assign(request.assetInfo, { tradeCurrency, tradePrice }),
    });
    const { providerAKYT } = await kytOf(world, uuid);
    expect(providerAKYT.usdPrice).toBe(wanted);
    expect(Object.keys(providerAKYT).includes('usdPrice')).toBe(wanted !== undefined);
  });

  test('the network is that of the request, else of the verification, else of the asset', async () => {
    const uuid = await outgoing(world);
    expect((await kytOf(world, uuid, { network: 'ETHEREUM' })).providerAKYT.network).toBe('ETHEREUM');
    expect((await kytOf(world, uuid)).providerAKYT.network).toBe('Ethereum');
    const bare = await outgoing(world, {
      symbol: 'XRP',
      change: request => void delete request.assetInfo.network,
    });
    expect((await kytOf(world, bare)).providerAKYT.network).toBe('Ripple');
  });
});

describe('REF-2.8: matchStrength', () => {
  test.each([
    ['risk-low', 'WEAK', { 'ADVERSE-MEDIA': 1 }],
    ['risk-medium', 'MEDIUM', { 'ADVERSE-MEDIA': 1 }],
    ['risk-high', 'STRONG', { 'POLITICALLY-EXPOSED': 1 }],
    ['sanctioned-address', 'EXACT', { SANCTIONS: 1 }],
    ['risk-several', 'EXACT', { SANCTIONS: 1, 'POLITICALLY-EXPOSED': 1 }],
  ])('of %s is %s', async (user, strength, categories) => {
    const { providerBWCO } = await wcoOf(world, await outgoing(world, { user }));
    expectFields(providerBWCO, { ...WCO, matchStrength: oneOf(strength) });
    const summary = JSON.parse(providerBWCO.aggregatedSummaryResult!);
    expect(summary.byCategory).toMatchObject(categories);
    expect(summary.total).toBe(Object.values(categories).reduce((sum, count) => sum + count, 0));
  });

  const payload = (dateOfBirth: string, placeOfBirth?: string) => ({
    version: '1.0',
    ivms101: {
      beneficiary: {
        beneficiaryPersons: [
          natural('Castellanos', 'Marisol', { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } }),
        ],
      },
    },
  });
  test.each([
    ['raises it', payload('1966-08-30'), 'EXACT'],
    ['lowers it', payload('1990-01-01'), 'MEDIUM'],
    ['that contradicts itself leaves it', payload('1966-08-30', 'Lima'), 'STRONG'],
  ])('birth data of payload %s, as object and as JSON text', async (_, sent, wanted) => {
    const uuid = await outgoing(world, { user: 'risk-high' });
    expect((await wcoOf(world, uuid, { payload: sent })).providerBWCO.matchStrength).toBe(wanted);
    const text = JSON.stringify(sent);
    expect((await wcoOf(world, uuid, { payload: text })).providerBWCO.matchStrength).toBe(wanted);
    expect((await wcoOf(world, uuid)).providerBWCO.matchStrength).toBe('STRONG');
  });

  test('the beneficiary VASP screens the originator with the birth data of the verification', async () => {
    const born = { dateAndPlaceOfBirth: { dateOfBirth: '1958-06-06', placeOfBirth: 'Köln' } };
    const uuid = await incoming(world, other, { originator: [natural('Grossman', 'Juergen', born)] });
    expect((await wcoOf(world, uuid)).providerBWCO).toMatchObject({
      direction: 'INCOMING',
      matchStrength: 'EXACT',
    });
  });
});

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
      (await screen(uuid)).requestId,
      (await screen(uuid)).requestId,
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
    expect(received!.riskAssessment.providerAKYT).toMatchObject({
      requestId: body.requestId,
      alertCount: null,
    });
    expect(received!.riskAssessment.providerAKYTAlerts).toBeUndefined();
    const [pending] = (await world.api.assessments({ verificationUuid: uuid })).assessments;
    expect(pending).toMatchObject({ status: 'REGISTERED', failures: 1, lastError: expect.any(String) });

    await world.advance('1m');
    const [, processed, ...more] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
    expect(more).toEqual([]);
    expectFields(processed!.riskAssessment.providerAKYT, { ...KYT, usdPrice: DECIMAL });
    expect(processed!.riskAssessment.providerAKYT).toMatchObject({
      requestId: body.requestId,
      alertCount: 1,
    });
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
    const received = results(world, uuid, 'PROVIDER_B_WCO_RESULT').map(
      each => each.riskAssessment.providerBWCO,
    );
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
  const providerASanction = await screen(uuid);
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

test('a deposit: transferRef, the time of the report, and REGISTERED before the result', async () => {
  const uuid = await incoming(world, other, { symbol: 'XRP' });
  await other.reportTransaction(uuid, TX_HASH);
  await assess(world.api, 'kyt', { verificationUuid: uuid });
  const [registered] = (await world.api.assessments({ verificationUuid: uuid })).assessments;
  expect(registered).toMatchObject({ status: 'REGISTERED', failures: 0, lastError: null });
  await world.advance('2s');
  const { orderedAt, beneficiaryAccountNumber } = await world.api.verification(uuid);
  const [received] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
  expectFields(received!.riskAssessment.providerAKYT, { ...KYT, usdPrice: DECIMAL, transferRef: /./ });
  expect(received!.riskAssessment.providerAKYT).toMatchObject({
    transferRef: `${TX_HASH}:${beneficiaryAccountNumber}`,
    timestamp: orderedAt,
    network: 'Ripple',
  });
});
