import { describe, expect, test } from 'vitest';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { natural } from '../support/requests/from-tested-vasp.ts';
import {
  anotherVasp,
  assess,
  incoming,
  kytOf,
  outgoing,
  paidAndReported,
  results,
  wcoOf,
} from '../support/requests/risk.ts';
import {
  ALERT,
  DECIMAL,
  expectFields,
  inUsd,
  KYT,
  NOHIT,
  oneOf,
  SANCTION,
  screen,
  WCO,
} from '../support/requests/risk-fields.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());
const other = await anotherVasp(world, '27372039731940771');

test('a withdrawal to a clean address: NOHIT, no alert', async () => {
  const uuid = await outgoing(world, { change: inUsd('100') });
  expectFields(await screen(world, uuid), NOHIT);
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
  expectFields(await screen(world, uuid), SANCTION);
  const { providerAKYT, providerAKYTAlerts } = await kytOf(world, uuid);
  expect(providerAKYT).toMatchObject({ alertCount: 1, usdPrice: '250.5' });
  expectFields(providerAKYTAlerts![0]!, { ...ALERT, serviceName: /^null$/ });
  expect(providerAKYTAlerts).toMatchObject([
    { alertLevel: 'SEVERE', exposureType: 'DIRECT', alertAmount: '250.5', externalId: providerAKYT.externalId },
  ]);
});

test('a withdrawal to an address of the published list, in any case', async () => {
  for (const address of ['0x098B716B8Aaf21512996dC57EB0615e2383E2f96', '0x098b716b8aaf21512996dc57eb0615e2383e2f96']) {
    const into = await incoming(world, other, { from: address });
    const found = await screen(world, into);
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
      expect(alert).toMatchObject({ externalId: providerAKYT.externalId, createdAt: providerAKYT.assessedAt });
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
    const bare = await outgoing(world, { symbol: 'XRP', change: request => void delete request.assetInfo.network });
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
        beneficiaryPersons: [natural('Castellanos', 'Marisol', { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } })],
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
    expect((await wcoOf(world, uuid)).providerBWCO).toMatchObject({ direction: 'INCOMING', matchStrength: 'EXACT' });
  });
});

test('a deposit: transferRef, the time of its block, and REGISTERED before the result', async () => {
  const uuid = await incoming(world, other, { symbol: 'XRP' });
  const txHash = await paidAndReported(world, other, uuid);
  await assess(world.api, 'kyt', { verificationUuid: uuid });
  const [registered] = (await world.api.assessments({ verificationUuid: uuid })).assessments;
  expect(registered).toMatchObject({ status: 'REGISTERED', failures: 0, lastError: null });
  await world.advance('2s');
  const { beneficiaryAccountNumber } = await world.api.verification(uuid);
  const [received] = results(world, uuid, 'PROVIDER_A_KYT_RESULT');
  expectFields(received!.riskAssessment.providerAKYT, { ...KYT, usdPrice: DECIMAL, transferRef: /./ });
  expect(received!.riskAssessment.providerAKYT).toMatchObject({
    transferRef: `${txHash}:${beneficiaryAccountNumber}`,
    timestamp: await ledgerOf(world, 'XRP').timeOf(txHash),
    network: 'Ripple',
  });
});
