import { expect, test } from 'vitest';
import { usdPrice } from '../../../src/enclave/risk/assess.ts';
import { data } from '../../support/screening/simulated-providers.ts';

test.each([
  ['100.5', 'USD', '100.5'],
  ['100.5', 'usd', '100.5'],
  ['2439800', 'KRW', '1756.66'],
  ['0.01', 'KRW', '0'],
  ['1', 'ZZZ', null],
  ['1', 'toString', null],
])('REF-2.6: %s %s are %s USD', (price, currency, expected) => {
  expect(usdPrice(data.usdRates, price, currency)).toBe(expected);
});
