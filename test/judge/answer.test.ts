import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import type { Persons } from '../../src/contract/ivms101.ts';
import { answerBeneficiary } from '../../src/robot/vasp.ts';
import {
  type Ask,
  addressOf,
  chains,
  directory,
  legal,
  natural,
  userOf,
  userRequest,
} from '../support/judge/judge-request.ts';

const answered = (ask: Ask) => {
  const { requiredBeneficiaryInfo, ivms101 } = userRequest(ask);
  return answerBeneficiary(userOf(ask.user ?? 'taylor-robbins'), requiredBeneficiaryInfo, ivms101.beneficiary);
};
const garrit = (requiredInfo: string, beneficiary?: Persons) =>
  answered({ user: 'garrit-studio', requiredInfo, ...(beneficiary && { beneficiary }) }).beneficiaryPersons;

describe('WIRE-3.2: the answer beside VERIFIED', () => {
  test('holds the name of a natural person when it is requested', () => {
    expect(answered({ requiredInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER' })).toEqual({
      beneficiaryPersons: [natural('Robbins', 'Taylor')],
      accountNumber: [addressOf('taylor-robbins')],
    });
  });

  test('holds no name when none is requested', () => {
    expect(answered({ requiredInfo: 'ACCOUNT_NUMBER' }).beneficiaryPersons).toEqual([]);
  });

  test("holds the robot's own spelling, never an echo of the request", () => {
    const beneficiary = [natural('ROBBINS', ' taylor', { customerIdentification: 'C-1' })];
    expect(answered({ beneficiary, requiredInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER' }).beneficiaryPersons).toEqual([
      natural('Robbins', 'Taylor'),
    ]);
  });

  test('holds the account numbers exactly as received', () => {
    const addresses = [getAddress(addressOf('taylor-robbins')), addressOf('taylor-robbins')];
    expect(answered({ addresses }).accountNumber).toEqual(addresses);
  });
});

describe('WIRE-4: a legal person stands first, the matching representatives follow', () => {
  test('both names', () => {
    expect(garrit('LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER')).toEqual([
      legal('Garrit Studio'),
      natural('Clarke', 'Jason'),
    ]);
  });
  test('only the representatives that the request names', () => {
    const persons = [legal('Garrit Studio'), natural('Nobody', 'Else'), natural('lindqvist', 'mara')];
    expect(garrit('LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER', persons)).toEqual([
      legal('Garrit Studio'),
      natural('Lindqvist', 'Mara'),
    ]);
  });
  test('the company alone', () => {
    expect(garrit('LEGAL_PERSON_NAME,ACCOUNT_NUMBER')).toEqual([legal('Garrit Studio')]);
  });
  test('the representative alone, still at its place', () => {
    expect(garrit('CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER')).toEqual([
      { legalPerson: {} },
      natural('Clarke', 'Jason'),
    ]);
  });
  test('nobody', () => {
    expect(garrit('ACCOUNT_NUMBER')).toEqual([]);
  });
});

describe('PROD-5: changes-account-number answers with another address of the same form', () => {
  test.each(['ETH', 'XRP'] as const)('%s', symbol => {
    const [received = ''] = userRequest({ user: 'changes-account-number', symbol }).ivms101.beneficiary.accountNumber;
    const [changed = ''] = answered({ user: 'changes-account-number', symbol }).accountNumber;
    expect(changed.toLowerCase()).not.toBe(received.toLowerCase());
    expect(chains[symbol].parseAddress(changed)).toBeDefined();
    expect(directory.find(symbol, changed)?.id).not.toBe('changes-account-number');
  });
});
