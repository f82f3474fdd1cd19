import { describe, expect, test } from 'vitest';
import { REASON_CODES, type Reason } from '../../src/contract/clauses.ts';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { PROVOCATIONS, userFor } from '../../src/sandbox/scenarios/provocations.ts';
import { robotVerificationOf } from '../support/requests/from-robot.ts';
import { FOREIGN, legal, natural, verificationOf, type Wish } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The timeline names the right value beside the received one. */
type NearMiss = { field: string; expected: unknown; got: unknown };

const world = await forFile(createWorld());

async function nearMissOf(wish: Wish): Promise<NearMiss | undefined> {
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world, wish));
  await world.advance('6s');
  const { timeline } = await world.api.timeline(verificationUuid);
  const found = timeline.flatMap(({ detail }) => (detail?.nearMiss as NearMiss | undefined) ?? []);
  expect(found.length).toBeLessThanOrEqual(1);
  return found[0];
}

const PERSON = 'ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0]';
const ADDRESS = 'ivms101.beneficiary.accountNumber[0]';

/** A reason without a row does not compile. */
const OF_REASONS: Record<Exclude<Reason, 'OK'>, NearMiss> = {
  'UNKNOWN-SYMBOL': { field: 'symbol', expected: 'ETH or XRP', got: 'BTC' },
  'UNKNOWN-NETWORK': { field: 'network', expected: 'Ethereum', got: 'Tron' },
  'UNKNOWN-ADDRESS': { field: ADDRESS, expected: 'an address of one user of the robot', got: FOREIGN.ETH },
  'LACK-OF-INFORMATION': {
    field: 'ivms101.originator.originatorPersons',
    expected: 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
    got: 'missing',
  },
  'UNAVAILABLE-INFORMATION': {
    field: 'requiredBeneficiaryInfo',
    expected: 'only NATURAL_PERSON_NAME, ACCOUNT_NUMBER',
    got: 'also NATURAL_PERSON_NATIONALITY',
  },
  BLACKLISTED: {
    field: 'ivms101.originator.originatorPersons[0]',
    expected: 'an originator that is not listed',
    got: 'primaryIdentifier Escobar, secondaryIdentifier Pablo',
  },
  'UNVERIFIED-KYC': { field: 'user', expected: 'a user that has passed KYC', got: 'ethan-cook, who has not' },
  'MISMATCHED-NAME': { field: `${PERSON}.secondaryIdentifier`, expected: 'Taylor', got: 'Not Taylor' },
  'NOT-ALLOWED': { field: 'user', expected: 'a user without this behaviour', got: 'not-allowed: NOT-ALLOWED' },
  'UNDEFINED-ERROR': {
    field: 'user',
    expected: 'a user without this behaviour',
    got: 'undefined-error: UNDEFINED-ERROR',
  },
  'BENEFICIARY-ACCOUNT-NOT-MATCHED': {
    field: 'ivms101.beneficiary.accountNumber',
    expected: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
    got: expect.stringMatching(/^0x[0-9a-fA-F]{40}$/),
  },
  'REQUEST-TIMEOUT': { field: 'answer', expected: 'an answer within 5s', got: 'no answer in time' },
};

describe('every refusal says what would have been right, and what came', () => {
  test.each(REASON_CODES)('%s', async reason => {
    const { change } = PROVOCATIONS[reason];
    const user = userFor(world.info.users, PROVOCATIONS[reason])!.id;
    const nearMiss = await nearMissOf({ user, ...(change === undefined ? {} : { change }) });
    expect(nearMiss).toEqual(reason === 'OK' ? undefined : OF_REASONS[reason]);
  });
});

const beneficiary = ({ payload }: VerifyUserRequest) => payload.ivms101.beneficiary;
const named =
  (...persons: ReturnType<typeof natural>[]) =>
  (request: VerifyUserRequest) => {
    beneficiary(request).beneficiaryPersons = persons;
  };
const addressed = (change: (address: string) => string) => (request: VerifyUserRequest) => {
  beneficiary(request).accountNumber = beneficiary(request).accountNumber.map(change);
};
const COMPANY = 'ivms101.beneficiary.beneficiaryPersons[0].legalPerson.name.nameIdentifier[0].legalPersonName';
const SECOND = 'ivms101.beneficiary.beneficiaryPersons[1]';
const taylor = (symbol: 'ETH' | 'XRP') => world.user('taylor-robbins').accounts[symbol];
const garrit = 'garrit-studio';

describe('the nearest thing that would have been right', () => {
  test.each<[string, () => Wish, () => NearMiss]>([
    [
      'a wrong last name',
      () => ({ change: named(natural('Robins', 'Taylor')) }),
      () => ({ field: `${PERSON}.primaryIdentifier`, expected: 'Robbins', got: 'Robins' }),
    ],
    [
      'no first name',
      () => ({ change: named(natural('Robbins', '')) }),
      () => ({ field: `${PERSON}.secondaryIdentifier`, expected: 'Taylor', got: 'nothing' }),
    ],
    [
      'both names are of somebody else',
      () => ({ change: named(natural('Moss', 'Kate')) }),
      () => ({
        field: PERSON,
        expected: 'primaryIdentifier Robbins, secondaryIdentifier Taylor',
        got: 'primaryIdentifier Moss, secondaryIdentifier Kate',
      }),
    ],
    [
      'no person at all',
      () => ({ change: named() }),
      () => ({ field: 'ivms101.beneficiary.beneficiaryPersons', expected: 'Taylor Robbins', got: 'no person' }),
    ],
    [
      'a company instead of a person',
      () => ({ change: named(legal('Robbins')) }),
      () => ({ field: 'ivms101.beneficiary.beneficiaryPersons[0]', expected: 'naturalPerson', got: 'legalPerson' }),
    ],
    [
      'a person instead of a company',
      () => ({ user: garrit, change: named(natural('Clarke', 'Jason')) }),
      () => ({ field: 'ivms101.beneficiary.beneficiaryPersons[0]', expected: 'legalPerson', got: 'naturalPerson' }),
    ],
    [
      'another company',
      () => ({ user: garrit, change: named(legal('Garrit Ltd'), natural('Clarke', 'Jason')) }),
      () => ({ field: COMPANY, expected: 'Garrit Studio', got: 'Garrit Ltd' }),
    ],
    [
      'the company without a representative',
      () => ({ user: garrit, change: named(legal('Garrit Studio')) }),
      () => ({ field: SECOND, expected: expect.stringContaining('Jason Clarke'), got: 'no representative' }),
    ],
    [
      'a representative with a wrong first name',
      () => ({ user: garrit, change: named(legal('Garrit Studio'), natural('Clarke', 'Jasen')) }),
      () => ({
        field: `${SECOND}.naturalPerson.name.nameIdentifier[0].secondaryIdentifier`,
        expected: 'Jason',
        got: 'Jasen',
      }),
    ],
    [
      'the right XRP address without its tag',
      () => ({ symbol: 'XRP', change: addressed(address => address.split(':')[0]!) }),
      () => ({
        field: ADDRESS,
        expected: expect.stringContaining(`${taylor('XRP').split(':')[0]}:`),
        got: taylor('XRP').split(':')[0],
      }),
    ],
    [
      'an address with a digit too few',
      () => ({ change: addressed(address => address.slice(0, -1)) }),
      () => ({ field: ADDRESS, expected: taylor('ETH'), got: taylor('ETH').slice(0, -1) }),
    ],
    [
      'an address of the other ledger',
      () => ({ change: addressed(() => taylor('XRP')) }),
      () => ({ field: ADDRESS, expected: 'an address of one user of the robot', got: taylor('XRP') }),
    ],
  ])('%s', async (_, wish, expected) => {
    expect(await nearMissOf(wish())).toEqual(expected());
  });
});

test('an answer of the tested VASP that is not valid becomes a near miss', async () => {
  world.vasp.script('verifyUser', undefined, { status: 503, body: 'busy' });
  const { verificationUuid } = await world.api.robotVerifyUser(robotVerificationOf(world));
  await world.advance('0s');
  world.vasp.script('verifyUser', undefined, 'ordinary');
  const { timeline } = await world.api.timeline(verificationUuid);
  const denied = timeline.find(({ event }) => event === 'denied')!;
  expect(denied.detail?.nearMiss).toEqual({
    field: 'answer',
    expected: 'status 200 and a body of the documented shape',
    got: 'The VASP answered with status 503 instead of 200.',
  });
});

test('D-28: a date of birth that is no day is shown beside the form that it should have', async () => {
  const change = ({ payload }: VerifyUserRequest) => {
    const born = { dateOfBirth: '1990-02-30', placeOfBirth: 'Seoul' };
    payload.ivms101.originator.originatorPersons = [natural('Barnes', 'Robert', { dateAndPlaceOfBirth: born })];
  };
  expect(await nearMissOf({ change })).toEqual({
    field: 'ivms101.originator.originatorPersons[0].naturalPerson.dateAndPlaceOfBirth.dateOfBirth',
    expected: 'a real day in the past, written as YYYY-MM-DD',
    got: '1990-02-30',
  });
});

describe('another dialect, and characters that nobody sees', () => {
  const personOf = ({ payload }: VerifyUserRequest) =>
    payload.ivms101.beneficiary.beneficiaryPersons[0]!.naturalPerson!;

  test.each([
    ['protojson', 'nameIdentifiers', 'as protojson writes it'],
    ['snake_case', 'name_identifier', 'in snake_case'],
  ])('a name in %s', async (_, member, how) => {
    const nearMiss = await nearMissOf({
      change: request => {
        const { name } = personOf(request);
        personOf(request).name = { [member]: name!.nameIdentifier };
      },
    });
    expect(nearMiss).toEqual({
      field: `ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.${member}`,
      expected: 'nameIdentifier',
      got: `${member}, written ${how}`,
    });
  });

  test('a birth day in snake_case', async () => {
    const nearMiss = await nearMissOf({
      change: ({ payload }) => {
        const person = payload.ivms101.originator.originatorPersons[0]!.naturalPerson!;
        Object.assign(person, { date_and_place_of_birth: person.dateAndPlaceOfBirth });
        delete person.dateAndPlaceOfBirth;
      },
    });
    expect(nearMiss).toMatchObject({ expected: 'dateAndPlaceOfBirth' });
  });

  test('D-46: an invisible character in a name, a blank in an address', async () => {
    const invisible = await nearMissOf({
      change: request => {
        personOf(request).name!.nameIdentifier![0]!.primaryIdentifier += '\u200b';
      },
    });
    expect(invisible).toMatchObject({ field: `${PERSON}.primaryIdentifier`, got: 'Robbins⟨U+200B⟩' });
    const blank = await nearMissOf({ change: addressed(address => `${address} `) });
    expect(blank).toMatchObject({ field: ADDRESS, got: expect.stringMatching(/^0x\w+⟨U\+0020⟩$/) });
  });
});
