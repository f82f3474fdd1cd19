import { describe, expect, test } from 'vitest';
import { REASONS, type Reason } from '../../src/contract/clauses.ts';
import { judgeAccount, judgeUser } from '../support/judge/judge-request.ts';

import { ACCOUNT_ONLY, BOTH, type Row } from '../support/judge/reason-rows.ts';
import { USER_ONLY } from '../support/judge/user-reason-rows.ts';

const expected = ([, , reason, message = '', result = REASONS[reason].result]: Row) => ({ result, reason, message });
const titled = (rows: Row[]) => rows.map(row => [`${row[0]}: ${row[2]}`, row] as const);

describe('user verification', () => {
  test.each(titled([...BOTH, ...USER_ONLY]))('%s', (_, row) => {
    expect(judgeUser(row[1]).verdict).toEqual(expected(row));
  });
});

describe('account verification', () => {
  test.each(titled([...BOTH, ...ACCOUNT_ONLY]))('%s', (_, row) => {
    expect(judgeAccount(row[1]).verdict).toEqual(expected(row));
  });
});

test('REF-2.3: the table provokes every reason that a beneficiary VASP can give', () => {
  const provoked = new Set([...BOTH, ...USER_ONLY].map(row => row[2]));
  const byEnclaveAlone: Reason[] = ['BENEFICIARY-ACCOUNT-NOT-MATCHED', 'REQUEST-TIMEOUT'];
  expect(Object.keys(REASONS).filter(reason => !provoked.has(reason as Reason))).toEqual(byEnclaveAlone);
});

test('REF-2.3: an account verification is answered only with the reasons that it may be answered with', () => {
  const reasons = [...BOTH, ...ACCOUNT_ONLY].map(row => judgeAccount(row[1]).verdict.reason);
  expect([...new Set(reasons)].filter(reason => reason !== 'OK' && !REASONS[reason].account)).toEqual([]);
});
