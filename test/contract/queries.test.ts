import { describe, expect, test } from 'vitest';
import { parse } from '../../src/contract/parse.ts';
import { ListQuery } from '../../src/contract/requests.ts';
import { VaspsQuery } from '../../src/contract/vasps.ts';
import { parseRefusalOf, problem } from '../support/contract/parse-refusal.ts';

describe('D-04: the query of the list', () => {
  test('without anything it has its defaults', () => {
    expect(parse(ListQuery, {})).toEqual({ fromDate: '1970-01-01', page: 1, rpp: 10 });
  });

  test('every filter is read', () => {
    const query = {
      fromDate: '2024-02-29',
      toDate: '2024-03-01',
      symbol: 'ETH',
      network: 'Ethereum',
      txHash: '0x1',
      result: 'UNKNOWN',
      actionType: 'RECEIVE',
      oppositeVaspId: '7',
      originatorAccountNumber: 'a',
      beneficiaryAccountNumber: 'b',
    };
    expect(parse(ListQuery, { ...query, page: '3', rpp: '100' })).toEqual({ ...query, page: 3, rpp: 100 });
  });

  test.each([
    ['rpp', '0'],
    ['rpp', '101'],
    ['rpp', '-1'],
    ['rpp', '1.5'],
    ['rpp', '1e1'],
    ['rpp', ''],
    ['rpp', ' 5'],
    ['rpp', '9'.repeat(400)],
    ['page', '0'],
    ['page', 'one'],
    ['fromDate', '2023-02-29'],
    ['fromDate', '20230201'],
    ['toDate', '2023-1-1'],
    ['toDate', '2023-01-01T00:00:00.000Z'],
    ['result', 'WAIT'],
    ['actionType', 'send'],
    ['oppositeVaspId', 'x'],
    ['symbol', 'S'.repeat(17)],
  ])('%s=%s is invalid, and named', (field, value) => {
    expect(problem(ListQuery, { [field]: value })).toEqual({ kind: 'invalid-field', field });
  });

  test('a number out of bounds is told its bounds', () => {
    expect(parseRefusalOf(ListQuery, { rpp: '101' }).message).toBe('`rpp` should be a whole number from 1 to 100.');
  });
});

test.each([
  [undefined, 'ALL'],
  ['all', 'ALL'],
  ['Code', 'CODE'],
  ['VERIFYVASP', 'VERIFYVASP'],
])('the protocol %j of the list of VASPs means %s', (protocol, meaning) => {
  expect(parse(VaspsQuery, { protocol })).toEqual({ protocol: meaning });
});

test('another protocol is invalid', () => {
  expect(problem(VaspsQuery, { protocol: 'x' })).toEqual({ kind: 'invalid-field', field: 'protocol' });
});
