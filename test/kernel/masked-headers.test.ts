import { describe, expect, test } from 'vitest';
import { maskedHeaders, secretsIn } from '../../src/kernel/secrets.ts';

describe('headers for the history', () => {
  test('are in the order of their names, in lower case', () => {
    const headers = { Host: 'h', accept: 'a', 'X-List': ['1', '2'] };
    expect(Object.entries(maskedHeaders(headers))).toEqual([
      ['accept', 'a'],
      ['host', 'h'],
      ['x-list', '1,2'],
    ]);
    const pairs = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    expect(maskedHeaders(pairs)).toEqual(maskedHeaders(headers));
  });

  test.each([
    ['authorization', 'Bearer abc', 'present, 3 characters, Bearer'],
    ['Cookie', 'a=b', 'present, 3 characters'],
    ['x-api-key', 'k', 'present, 1 character'],
    ['x-own', 'secret', 'present, 6 characters'],
    ['x-access-token', '', 'present, empty'],
  ])('show of the secret %s: %s only %s', (name, value, shown) => {
    expect(maskedHeaders({ [name]: value }, ['x-own'])).toEqual({ [name.toLowerCase()]: shown });
  });

  test('are cut', () => {
    const many = Array.from({ length: 70 }, (_, n): [string, string] => [`h${n}`, 'x'.repeat(1_001)]);
    const masked = maskedHeaders(many);
    expect(Object.keys(masked)).toHaveLength(60);
    expect(masked.h0).toHaveLength(1_000);
  });

  test('have any names', () => {
    const masked = maskedHeaders([['__proto__', 'x']]);
    expect(Object.entries(masked)).toEqual([['__proto__', 'x']]);
  });
});

test.each(['authorization', 'x-api-key', 'x-travel-rule', 'vega'])(
  'a masked header has a token, also under the name %s',
  name => {
    const headers = maskedHeaders({ [name]: 'Bearer abc', accept: '*/*', 'x-note': 'present' }, [name]);
    expect(secretsIn(headers)).toEqual([name]);
  },
);
