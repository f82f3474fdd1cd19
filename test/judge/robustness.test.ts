import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isReason, REASON_CODES, REASONS, type Reason } from '../../src/contract/clauses.ts';
import { REQUIRED_INFO_CODES } from '../../src/contract/required-info.ts';
import { MAX_LENGTH } from '../../src/contract/text.ts';
import { VaspVerifyAccountRequest, VaspVerifyUserAnswer, VaspVerifyUserRequest } from '../../src/contract/vasp-api.ts';
import { judge } from '../../src/robot/judge/judge.ts';
import { accountSubject, userSubject } from '../../src/robot/judge/subject.ts';
import { answerBeneficiary } from '../../src/robot/vasp.ts';
import {
  addressOf,
  BORN,
  directory,
  fixtureUsers,
  judged,
  natural,
  personsOf,
  userRequest,
} from '../support/judge/judge-request.ts';

/** Stands in every text that plays a person's data, so that a leak can be seen. */
const MARK = '\u2603';
const personal = fc.string({ unit: 'grapheme', maxLength: 20 }).map(text => MARK + text);
const nullish = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 4, arbitrary: value }, fc.constantFrom(null, undefined));
const personalText = fc.oneof({ weight: 4, arbitrary: personal }, fc.constantFrom('', ' ', '\u0000'));

const naturalIdentifiers = nullish(
  fc.array(
    fc.record(
      { primaryIdentifier: nullish(personalText), secondaryIdentifier: nullish(personalText) },
      { requiredKeys: [] },
    ),
    { maxLength: 3 },
  ),
);
const legalIdentifiers = nullish(
  fc.array(fc.record({ legalPersonName: nullish(personalText) }, { requiredKeys: [] }), { maxLength: 3 }),
);
const names = <T>(identifiers: fc.Arbitrary<T>) =>
  nullish(
    fc.record(
      { nameIdentifier: identifiers, localNameIdentifier: identifiers, phoneticNameIdentifier: identifiers },
      { requiredKeys: [] },
    ),
  );
const naturalPerson = fc.record(
  {
    name: names(naturalIdentifiers),
    dateAndPlaceOfBirth: nullish(
      fc.record({ dateOfBirth: nullish(personalText), placeOfBirth: nullish(personalText) }, { requiredKeys: [] }),
    ),
    geographicAddress: fc.constantFrom(null, undefined, []),
    nationality: nullish(personalText),
  },
  { requiredKeys: [] },
);
const legalPerson = fc.record({ name: names(legalIdentifiers) }, { requiredKeys: [] });
const person = fc.oneof(
  fc.record({ naturalPerson, legalPerson: nullish(legalPerson) }, { requiredKeys: ['naturalPerson'] }),
  fc.record({ naturalPerson: nullish(naturalPerson), legalPerson }, { requiredKeys: ['legalPerson'] }),
);
const rightPersons = fc.constantFrom(...fixtureUsers).map(personsOf);
const persons = fc.oneof(fc.array(person, { maxLength: 4 }), rightPersons);

const address = fc.oneof(
  fc.constantFrom(...fixtureUsers.flatMap(({ id }) => [addressOf(id, 'ETH'), addressOf(id, 'XRP')])),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).filter(text => text.length <= MAX_LENGTH.accountNumber),
);
const asset = {
  symbol: fc.oneof(fc.constantFrom('ETH', 'XRP', 'toString', '__proto__'), fc.string({ minLength: 1, maxLength: 16 })),
  network: fc.oneof(
    fc.constantFrom('Ethereum', 'Ripple', null, undefined),
    fc.string({ minLength: 1, maxLength: 128 }),
  ),
};
const NOT_BY_SHAPE: Reason[] = ['BLACKLISTED', 'BENEFICIARY-ACCOUNT-NOT-MATCHED', 'REQUEST-TIMEOUT'];
const accountNumber = fc.array(address, { minLength: 1, maxLength: 3 });
const code = fc.oneof(fc.constantFrom(...REQUIRED_INFO_CODES), fc.string({ maxLength: 300 }));
const requiredBeneficiaryInfo = fc
  .array(code, { maxLength: 12 })
  .map(codes => ['ACCOUNT_NUMBER', ...codes].join(','))
  .filter(list => list.length <= MAX_LENGTH.requiredBeneficiaryInfo);

/** A request whose address and persons fit together, so that the rules behind the name are reached. */
const fitting = fc
  .record({ user: fc.constantFrom(...fixtureUsers), symbol: fc.constantFrom('ETH' as const, 'XRP' as const) })
  .map(({ user, symbol }) => ({
    symbol,
    network: undefined,
    accountNumber: [addressOf(user.id, symbol)],
    beneficiary: personsOf(user),
  }));
const originator = fc.oneof(persons, fc.constant([natural('Barnes', 'Robert', BORN)]));

const userRequests = fc
  .tuple(
    fc.oneof(fitting, fc.record({ ...asset, accountNumber, beneficiary: persons })),
    fc.record({ list: fc.oneof(fc.constant('ACCOUNT_NUMBER'), requiredBeneficiaryInfo), originator }),
  )
  .map(([target, { list, originator: originatorPersons }]) => {
    const { assetInfo, ivms101, ...rest } = userRequest();
    return VaspVerifyUserRequest.parse({
      ...rest,
      assetInfo: { ...assetInfo, symbol: target.symbol, network: target.network },
      requiredBeneficiaryInfo: list,
      ivms101: {
        originator: { ...ivms101.originator, originatorPersons },
        beneficiary: { beneficiaryPersons: target.beneficiary, accountNumber: target.accountNumber },
      },
    });
  });

test('every user verification that parses is judged, and the answer is in shape', () => {
  const reasons = new Set<string>();
  fc.assert(
    fc.property(userRequests, request => {
      const { verdict, user } = judge(userSubject(request, directory, judged));
      reasons.add(verdict.reason);
      expect(isReason(verdict.reason)).toBe(true);
      if (REASONS[verdict.reason].message === 'none') expect(verdict.message).toBe('');
      const beneficiary =
        verdict.result === 'VERIFIED' && user
          ? answerBeneficiary(user, request.requiredBeneficiaryInfo, request.ivms101.beneficiary)
          : undefined;
      VaspVerifyUserAnswer.parse({ ...verdict, version: '1.0', ...(beneficiary && { ivms101: { beneficiary } }) });
    }),
    { numRuns: 2_000 },
  );
  // The shapes reach deep enough to mean something.
  const byShape = REASON_CODES.filter(code => !NOT_BY_SHAPE.includes(code));
  expect(byShape.filter(code => !reasons.has(code))).toEqual([]);
});

test("the steps of a judgement hold no person's data", () => {
  fc.assert(
    fc.property(userRequests, request => {
      const { steps } = judge(userSubject(request, directory, judged));
      expect(JSON.stringify(steps)).not.toContain(MARK);
    }),
    { numRuns: 500 },
  );
});

test('every account verification that parses is judged', () => {
  const requests = fc
    .record({ ...asset, accountNumber, beneficiaryPersons: nullish(persons) })
    .map(({ symbol, network, ...beneficiary }) =>
      VaspVerifyAccountRequest.parse({
        originatingVaspId: '1',
        symbol,
        network,
        version: '1.0',
        ivms101: { beneficiary },
      }),
    );
  fc.assert(
    fc.property(requests, request => {
      const { reason } = judge(accountSubject(request, directory)).verdict;
      expect(reason === 'OK' || REASONS[reason].account).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a message of codes holds as many as a request can ask for', () => {
  const codes = Array.from({ length: 40 }, (_, index) => `CODE_${index}`.padEnd(24, 'X'));
  const requiredInfo = ['ACCOUNT_NUMBER', ...codes].join(',');
  expect(requiredInfo.length).toBeGreaterThan(MAX_LENGTH.message - 24);
  const { message } = judge(userSubject(userRequest({ requiredInfo }), directory, judged)).verdict;
  expect(message).toBe(codes.join(','));
});
