import { describe, expect, test } from 'vitest';
import { ALERT_LEVELS } from '../../src/contract/risk.ts';
import type { Exposure, Monitoring } from '../../src/screening/load.ts';
import { DEVELOPMENT_KEYS, isStillWorking, type MonitoredTransfer } from '../../src/screening/port.ts';
import { addressOf, fixtureUsers } from '../support/judge/judge-request.ts';
import { data, screeningOf, transferOf } from '../support/screening/simulated-providers.ts';

async function alertsOf(transfer: MonitoredTransfer, monitoring: Monitoring = data.monitoring) {
  const { kyt } = screeningOf({ ...data, monitoring, outages: [] });
  const answer = await kyt.result(DEVELOPMENT_KEYS, 'any', transfer, 1);
  if (isStillWorking(answer)) throw new Error('still working');
  return answer.alerts;
}

const ADDRESS = '0x5811001506550d8356a215be229c15b6ef371a9b';
const exposure: Exposure = {
  of: { address: ADDRESS.toUpperCase().replace('0X', '0x') },
  category: 'mixing',
  serviceName: 'Mixer',
  exposureType: 'DIRECT',
  sharePercent: '33.3333',
};

test('REF-2.7: the fixtures yield every level, both exposure types, named and unnamed services, no alert and several', async () => {
  const all = await Promise.all(
    fixtureUsers.map(user => alertsOf(transferOf({ counterpartyAddress: addressOf(user.id) }))),
  );
  const alerts = all.flat();
  expect(new Set(alerts.map(each => each.alertLevel))).toEqual(new Set(ALERT_LEVELS));
  expect(new Set(alerts.map(each => each.exposureType))).toEqual(new Set(['DIRECT', 'INDIRECT']));
  const direct = alerts.filter(each => each.exposureType === 'DIRECT');
  expect(new Set(direct.map(each => each.serviceName === null))).toEqual(new Set([true, false]));
  expect(new Set(all.map(each => Math.min(each.length, 2)))).toEqual(new Set([0, 1, 2]));
});

test('REF-2.7: an INDIRECT exposure never names the service, even if the data does', async () => {
  const monitoring = {
    rules: [{ id: 'any', level: 'LOW' as const }],
    exposures: [{ ...exposure, exposureType: 'INDIRECT' as const }],
  };
  expect(await alertsOf(transferOf(), monitoring)).toMatchObject([{ serviceName: null }]);
});

describe('a rule matches', () => {
  const rule = { id: 'rule', level: 'HIGH' as const };
  test.each([
    [{}, true],
    [{ category: 'mixing' }, true],
    [{ category: 'gambling' }, false],
    [{ exposureType: 'DIRECT' as const }, true],
    [{ exposureType: 'INDIRECT' as const }, false],
    [{ direction: 'OUTGOING' as const }, true],
    [{ direction: 'INCOMING' as const }, false],
    [{ asset: 'ETH' }, true],
    [{ asset: 'XRP' }, false],
    [{ minUsd: '100' }, true],
    [{ minUsd: '100.01' }, false],
  ])('%j: %s', async (criteria, isMatch) => {
    const alerts = await alertsOf(transferOf(), { rules: [{ ...rule, ...criteria }], exposures: [exposure] });
    expect(alerts).toHaveLength(isMatch ? 1 : 0);
  });
});

test('the first rule that matches decides, and an exposure raises one alert', async () => {
  const rules = [
    { id: 'a', level: 'HIGH' as const, asset: 'XRP' },
    { id: 'b', level: 'MEDIUM' as const },
    { id: 'c', level: 'LOW' as const },
  ];
  expect(await alertsOf(transferOf(), { rules, exposures: [exposure] })).toMatchObject([
    { alertLevel: 'MEDIUM', alertAmount: '33.33' },
  ]);
});

test('without a price in USD a rule with a minimum value does not match, and the amount is 0', async () => {
  const transfer = transferOf({ usdPrice: null });
  const rules = [
    { id: 'a', level: 'HIGH' as const, minUsd: '1' },
    { id: 'b', level: 'LOW' as const },
  ];
  expect(await alertsOf(transfer, { rules, exposures: [exposure] })).toMatchObject([
    { alertLevel: 'LOW', alertAmount: '0' },
  ]);
});

test('the provider fails as often as the data says, then answers', async () => {
  const { kyt } = screeningOf();
  const transfer = transferOf({ counterpartyAddress: addressOf('monitoring-fails') });
  await expect(kyt.register(DEVELOPMENT_KEYS, transfer, 1)).rejects.toMatchObject({ why: 'FAILED' });
  await expect(kyt.register(DEVELOPMENT_KEYS, transfer, 2)).rejects.toMatchObject({ why: 'FAILED' });
  expect(await kyt.register(DEVELOPMENT_KEYS, transfer, 3)).toMatchObject({ readyInMs: 2_000 });
});
