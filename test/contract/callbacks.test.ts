import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { Callback } from '../../src/contract/callbacks.ts';
import { AT, set, UUID } from '../support/contract/samples.ts';

const ok = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

describe('REF-6: the callback of monitoring', () => {
  const providerAKYT = {
    requestId: 'r-1',
    counterpartyVaspId: '7',
    apiType: 'ATTEMPT',
    userId: '7',
    direction: 'OUTGOING',
    network: 'ETHEREUM',
    asset: 'ETH',
    amount: '0.024',
    outputAddress: 'fa230e9c',
    timestamp: AT,
    externalId: 'e-1',
    status: 'PROCESSED',
    alertCount: 1,
    createdAt: AT,
    assessedAt: AT,
  };
  const alert = {
    counterpartyVaspId: '7',
    externalId: 'e-1',
    direction: 'OUTGOING',
    alertId: 'a-1',
    alertLevel: 'SEVERE',
    serviceName: null,
    exposureType: 'INDIRECT',
    alertAmount: '12.5',
    createdAt: AT,
  };
  const callback = (riskAssessment: object) => ({
    callbackType: 'PROVIDER_A_KYT_RESULT',
    data: { verificationUuid: UUID, riskAssessment },
  });

  test('REF-2.7: it holds as many alerts as alertCount says, and none when it says none', () => {
    expect(ok(Callback, callback({ providerAKYT, providerAKYTAlerts: [alert] }))).toBe(true);
    expect(ok(Callback, callback({ providerAKYT: { ...providerAKYT, alertCount: 0 } }))).toBe(true);
    expect(ok(Callback, callback({ providerAKYT: { ...providerAKYT, status: 'REGISTERED', alertCount: null } }))).toBe(
      true,
    );
    expect(ok(Callback, callback({ providerAKYT }))).toBe(false);
    expect(ok(Callback, callback({ providerAKYT, providerAKYTAlerts: [alert, alert] }))).toBe(false);
    expect(ok(Callback, callback({ providerAKYT: { ...providerAKYT, alertCount: 0 }, providerAKYTAlerts: [] }))).toBe(
      false,
    );
  });
});

test('REF-6: the callback of person screening', () => {
  const providerBWCO = {
    requestId: 'r-2',
    counterpartyVaspId: '7',
    direction: 'INCOMING',
    caseSystemId: 'c-1',
    status: 'PROCESSED',
    matchStrength: 'EXACT',
    aggregatedSummaryResult: '{}',
    createdAt: AT,
    assessedAt: AT,
  };
  const callback = {
    callbackType: 'PROVIDER_B_WCO_RESULT',
    data: { verificationUuid: UUID, riskAssessment: { providerBWCO } },
  };
  expect(Callback.parse(callback)).toEqual(callback);
  expect(ok(Callback, set(callback, 'data.riskAssessment.providerBWCO.matchStrength', 'SURE'))).toBe(false);
  expect(ok(Callback, set(callback, 'data.riskAssessment.providerBWCO.requestId', undefined))).toBe(false);
  expect(ok(Callback, { ...callback, callbackType: 'TX_REPORT' })).toBe(false);
});
