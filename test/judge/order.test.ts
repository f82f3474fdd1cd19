import { expect, test } from 'vitest';
import type { Reason } from '../../src/contract/clauses.ts';
import { keptOutcomes, outcomesOf, RULE_CLAUSES } from '../../src/contract/plan-list.ts';
import { judge, RULES, USER_RULES } from '../../src/robot/judge/judge.ts';
import { accountSubject, userSubject } from '../../src/robot/judge/subject.ts';
import type { User } from '../../src/robot/users/user.ts';
import { userDirectory } from '../../src/robot/users/users.ts';
import {
  type Ask,
  accountRequest,
  addressOf,
  chains,
  judged,
  judgeUser,
  natural,
  userOf,
  userRequest,
} from '../support/judge/judge-request.ts';

/** D-06, each with a way to break the rule without touching another. */
const VIOLATIONS = [
  ['symbol', 'UNKNOWN-SYMBOL'],
  ['network', 'UNKNOWN-NETWORK'],
  ['address', 'UNKNOWN-ADDRESS'],
  ['name', 'MISMATCHED-NAME'],
  ['kyc', 'UNVERIFIED-KYC'],
  ['required-info', 'UNAVAILABLE-INFORMATION'],
  ['originator-info', 'LACK-OF-INFORMATION'],
  ['listed-originator', 'BLACKLISTED'],
  ['behaviour', 'NOT-ALLOWED'],
] as const satisfies readonly (readonly [string, Reason])[];
const RULES_OF_ACCOUNTS = 5;

type Broken = ReadonlySet<string>;

const askWith = (broken: Broken): Ask => {
  const [lastName, firstName] = broken.has('listed-originator') ? ['Escobar', 'Pablo'] : ['Barnes', 'Robert'];
  const placeOfBirth = broken.has('originator-info') ? '' : 'Colombia';
  return {
    symbol: broken.has('symbol') ? 'BTC' : 'ETH',
    network: broken.has('network') ? 'Tron' : 'Ethereum',
    addresses: [broken.has('address') ? '0x5811001506550d8356a215be229c15b6ef371a9b' : addressOf('taylor-robbins')],
    beneficiary: [natural('Robbins', broken.has('name') ? 'Tim' : 'Taylor')],
    requiredInfo: broken.has('required-info') ? 'ACCOUNT_NUMBER,NATURAL_PERSON_NATIONALITY' : 'ACCOUNT_NUMBER',
    originator: [natural(lastName, firstName, { dateAndPlaceOfBirth: { dateOfBirth: '1949-12-01', placeOfBirth } })],
  };
};

const directoryWith = (broken: Broken) => {
  const user: User = {
    ...userOf('taylor-robbins'),
    kyc: !broken.has('kyc'),
    behaviour: broken.has('behaviour') ? 'NOT-ALLOWED' : 'ORDINARY',
  };
  return userDirectory([user], chains);
};

/** Every set of violations, as the rules that it breaks in order. */
const setsOf = (violations: readonly (readonly [string, Reason])[]) =>
  Array.from({ length: 2 ** violations.length }, (_, bits) => violations.filter((_, index) => bits & (1 << index)));

test('D-06: the rules stand in the order of the decision', () => {
  expect([...RULES, ...USER_RULES].map(rule => rule.name)).toEqual(VIOLATIONS.map(([name]) => name));
  expect(Object.keys(RULE_CLAUSES)).toEqual(VIOLATIONS.map(([name]) => name));
  expect(RULES).toHaveLength(RULES_OF_ACCOUNTS);
});

test('D-06: of any set of violations the first in order decides a user verification', () => {
  for (const violations of setsOf(VIOLATIONS)) {
    const broken = new Set<string>(violations.map(([name]) => name));
    const { verdict, steps } = judge(userSubject(userRequest(askWith(broken)), directoryWith(broken), judged));
    const [rule, reason] = violations[0] ?? [undefined, 'OK'];
    expect({ reason: verdict.reason, by: steps.find(step => step.outcome === 'decided')?.rule }).toEqual({
      reason,
      by: rule,
    });
    expect(outcomesOf(JSON.parse(JSON.stringify(keptOutcomes(steps))))).toEqual(steps);
  }
});

test('D-06: of any set of violations the first in order decides an account verification', () => {
  for (const violations of setsOf(VIOLATIONS.slice(0, RULES_OF_ACCOUNTS))) {
    const broken = new Set<string>(violations.map(([name]) => name));
    const { verdict } = judge(accountSubject(accountRequest(askWith(broken)), directoryWith(broken)));
    expect(verdict.reason).toBe(violations[0]?.[1] ?? 'OK');
  }
});

test('D-06: a violation of the originator or a behaviour does not touch an account verification', () => {
  const broken = new Set(VIOLATIONS.slice(RULES_OF_ACCOUNTS).map(([name]) => name as string));
  const { verdict, steps } = judge(accountSubject(accountRequest(askWith(broken)), directoryWith(broken)));
  expect(verdict.reason).toBe('OK');
  expect(steps.map(step => step.rule)).toEqual(VIOLATIONS.slice(0, RULES_OF_ACCOUNTS).map(([name]) => name));
});

test('the steps are the rules that were tried: passed ones, then the one that decided', () => {
  const { steps } = judgeUser({ network: 'Tron', originator: [] });
  expect(steps.map(step => [step.rule, step.outcome])).toEqual([
    ['symbol', 'passed'],
    ['network', 'decided'],
  ]);
  expect(steps.every(step => step.clause !== '')).toBe(true);
});

test('the judgement names the user as soon as the address is known, whatever decides', () => {
  expect(judgeUser({ network: 'Tron' }).user?.id).toBe('taylor-robbins');
  expect(judgeUser({ user: 'ethan-cook' }).user?.id).toBe('ethan-cook');
  expect(judgeUser({ symbol: 'BTC' }).user).toBeUndefined();
});
