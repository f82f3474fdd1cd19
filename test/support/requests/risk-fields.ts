import { expect } from 'vitest';
import type { World } from '../world/world.ts';
import type { verificationOf } from './from-tested-vasp.ts';
import { assess } from './risk.ts';

export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ISO = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
export const DECIMAL = /^\d+(\.\d+)?$/;
const JSON_TEXT = /^\{.*\}$/;
export const oneOf = (...words: string[]) => new RegExp(`^(${words.join('|')})$`);

/** REF-2.5, REF-2.6, REF-2.7, REF-2.8: field -> what its value looks like, in the cases where it stands there. */
type Table = Record<string, RegExp>;
const COMMON = { requestId: UUID, counterpartyVaspId: /^\d+$/, direction: oneOf('OUTGOING', 'INCOMING') };
export const NOHIT: Table = { ...COMMON, address: /./, status: oneOf('NOHIT'), createdAt: ISO };
export const SANCTION: Table = {
  ...NOHIT,
  status: oneOf('SANCTION'),
  ofacName: /./,
  ofacDescription: /./,
  ofacUrl: /^https:\/\//,
};
export const KYT_REGISTERED: Table = {
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
export const KYT: Table = {
  ...KYT_REGISTERED,
  status: oneOf('PROCESSED'),
  externalId: UUID,
  alertCount: /^\d+$/,
  assessedAt: ISO,
};
export const ALERT: Table = {
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
export const WCO_REGISTERED: Table = { ...COMMON, caseSystemId: UUID, status: oneOf('REGISTERED'), createdAt: ISO };
export const WCO: Table = {
  ...WCO_REGISTERED,
  status: oneOf('PROCESSED'),
  aggregatedSummaryResult: JSON_TEXT,
  assessedAt: ISO,
};

/** Exactly these fields, each as the table says; numbers and null where the table says number. */
export function expectFields(body: object, table: Table): void {
  expect(Object.keys(body).sort()).toEqual(Object.keys(table).sort());
  for (const [field, value] of Object.entries(body)) {
    expect(String(value), field).toMatch(table[field]!);
    const isText = field !== 'alertCount' && value !== null;
    if (isText) expect(typeof value, field).toBe('string');
    else expect(value === null || Number.isInteger(value), field).toBe(true);
  }
}

/** Sanction screening of a verification. */
export async function screen({ api }: World, verificationUuid: string): Promise<Record<string, string>> {
  const { status, body } = await assess(api, 'sanction', { verificationUuid });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['providerASanction']);
  return body.providerASanction as Record<string, string>;
}

/** The price of the trade in USD. */
export const inUsd = (price: string) => (request: ReturnType<typeof verificationOf>) => {
  Object.assign(request.assetInfo, { tradePrice: price, tradeCurrency: 'USD' });
};
