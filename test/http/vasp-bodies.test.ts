import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { priceOf } from '../../src/contract/assets.ts';
import { CALLBACK_TYPES, Callback } from '../../src/contract/callbacks.ts';
import { DRIVER_ACTIONS, DriverAnswer, DriverDescription, DriverRequest } from '../../src/contract/customers.ts';
import { parse } from '../../src/contract/parse.ts';
import { VASP_API } from '../../src/contract/vasp-api.ts';
import { BALANCE, CALLED, callbackBody, DESCRIPTION, driverOrders } from '../../src/http/openapi/examples.ts';
import { isAtLeast } from '../../src/kernel/decimal.ts';

const chapter = (name: string) => readFile(new URL(`../../src/guide/chapters/${name}`, import.meta.url), 'utf8');
const bodiesIn = (text: string): unknown[] =>
  [...text.matchAll(/```json\n(.*?)```/gs)].map(([, block = '']) => JSON.parse(block));

test.each(Object.entries(CALLED))('the bodies of %s have the documented shape', (operation, { request, answer }) => {
  const api = VASP_API[operation as keyof typeof CALLED];
  expect(parse(api.request, request)).toEqual(request);
  expect(parse(api.answer, answer)).toMatchObject(answer);
});

test('the price in the question about a user is right, and so is what follows from it', () => {
  const { assetInfo } = parse(VASP_API.verifyUser.request, CALLED.verifyUser.request);
  const { symbol, amount, tradePrice, isExceedingThreshold } = assetInfo;
  expect(tradePrice).toBe(priceOf(symbol, amount, 'KRW'));
  expect(isExceedingThreshold).toBe(isAtLeast(tradePrice, loadConfig({}).thresholds.KRW!));
});

test.each(CALLBACK_TYPES)('the body of %s has the documented shape', type => {
  expect(parse(Callback, callbackBody(type))).toEqual(callbackBody(type));
});

test('the summary of a person screening is a JSON text', () => {
  const { data } = callbackBody('PROVIDER_B_WCO_RESULT') as {
    data: { riskAssessment: { providerBWCO: { aggregatedSummaryResult: string } } };
  };
  const { aggregatedSummaryResult } = data.riskAssessment.providerBWCO;
  expect(JSON.parse(aggregatedSummaryResult)).toMatchObject({ total: 1 });
});

test.each(Object.entries(driverOrders()))('the order %s has the documented shape', (_, order) => {
  expect(parse(DriverRequest, order)).toEqual(order);
});

test('the answers of a driver have the documented shape', () => {
  expect(parse(DriverAnswer, BALANCE)).toEqual(BALANCE);
  expect(parse(DriverDescription, DESCRIPTION)).toEqual(DESCRIPTION);
  expect(DESCRIPTION.actions).toEqual(Object.keys(DRIVER_ACTIONS));
});

test('the guide prints the bodies of every call and callback', async () => {
  const printed = bodiesIn(await chapter('your-vasp.md'));
  for (const { request, answer } of Object.values(CALLED)) {
    expect(printed).toContainEqual(request);
    expect(printed).toContainEqual(answer);
  }
  for (const type of CALLBACK_TYPES) expect(printed).toContainEqual(callbackBody(type));
});

test('the guide prints the orders of a driver, their answers and its description', async () => {
  const printed = bodiesIn(await chapter('check.md'));
  const orders = driverOrders();
  for (const action of ['withdraw', 'assess', 'list-vasps', 'balance'] as const)
    expect(printed).toContainEqual(orders[action]);
  expect(printed).toContainEqual(BALANCE);
  expect(printed).toContainEqual(DESCRIPTION);
});
