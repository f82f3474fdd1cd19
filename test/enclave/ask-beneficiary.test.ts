import { describe, expect, test } from 'vitest';
import { legal, natural } from '../../src/contract/persons.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import { toVasp } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile({ VASP_TIMEOUT_USER: '1500ms' });
const other = await world.register('7001');

const toOther = () => toVasp(world, other.vaspId);
type Request = ReturnType<typeof toOther>;

const answerTo = (request: Request, change: object = {}) => ({
  result: 'VERIFIED',
  reason: 'OK',
  message: '',
  version: '1.0',
  ivms101: { beneficiary: request.payload.ivms101.beneficiary },
  ...change,
});

/** The verification's end, when the beneficiary VASP answers like this. */
async function outcome(reply: Reply, request = toOther()) {
  other.vasp.script('verifyUser', undefined, reply);
  const { verificationUuid } = await world.api.verifyUser(request);
  const callback = await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  const stored = await world.api.verification(verificationUuid);
  return { callback, stored, uuid: verificationUuid };
}
const verdictOf = ({ callback }: Awaited<ReturnType<typeof outcome>>) => [callback.verificationResult, callback.reason];

describe('the verdict of the beneficiary VASP is the result', () => {
  test('VERIFIED: the callback has exactly its fields, and the answered information', async () => {
    const request = toOther();
    const { callback, stored, uuid } = await outcome({ body: answerTo(request) }, request);
    expect(callback).toEqual({
      verificationUuid: uuid,
      verificationResult: 'VERIFIED',
      reason: 'OK',
      message: '',
      ivms101: { beneficiary: request.payload.ivms101.beneficiary },
    });
    expect(stored).toMatchObject({ result: 'VERIFIED', reason: 'OK', message: '', verifiedAt: stored.createdAt });
  });

  test.each([
    ['UNKNOWN-SYMBOL', 'ETH'],
    ['UNKNOWN-NETWORK', 'Ethereum'],
    ['UNKNOWN-ADDRESS', '0x01'],
    ['LACK-OF-INFORMATION', 'NATURAL_PERSON_NATIONALITY'],
    ['UNAVAILABLE-INFORMATION', 'NATURAL_PERSON_NATIONALITY'],
    ['BLACKLISTED', ''],
    ['UNVERIFIED-KYC', ''],
    ['MISMATCHED-NAME', ''],
    ['NOT-ALLOWED', 'We are closed.'],
    ['UNDEFINED-ERROR', 'Something broke.'],
  ])('DENIED / %s: with its message, and the information as it was sent', async (reason, message) => {
    const request = toOther();
    const denied = { result: 'DENIED', reason, message, version: '1.0' };
    const { callback, stored, uuid } = await outcome({ body: denied }, request);
    expect(callback).toEqual({
      verificationUuid: uuid,
      verificationResult: 'DENIED',
      reason,
      message,
      ivms101: {
        ...request.payload.ivms101,
        originatingVASP: legal('Tested VASP'),
        beneficiaryVASP: legal('VASP 7001'),
      },
    });
    expect(stored).toMatchObject({ result: 'DENIED', reason, message });
  });

  test.each([
    ['UNKNOWN', 'UNKNOWN-ADDRESS'],
    ['ERROR', 'UNDEFINED-ERROR'],
    ['ERROR', 'REQUEST-TIMEOUT'],
  ])('%s / %s stays as it is', async (result, reason) => {
    const completed = await outcome({ body: { result, reason, version: '1.0' } });
    expect(verdictOf(completed)).toEqual([result, reason]);
    expect(completed.stored).toMatchObject({ result, reason, message: '' });
  });

  test('DENIED with empty information is DENIED', async () => {
    const body = answerTo(toOther(), {
      result: 'DENIED',
      reason: 'NOT-ALLOWED',
      ivms101: { beneficiary: { beneficiaryPersons: [], accountNumber: [] } },
    });
    expect(verdictOf(await outcome({ body }))).toEqual(['DENIED', 'NOT-ALLOWED']);
  });
});

describe('D-12: the beneficiary VASP answers late or wrong', () => {
  test('late: ERROR / REQUEST-TIMEOUT without a message', async () => {
    const { callback, stored } = await outcome('never');
    expect(callback).toMatchObject({ verificationResult: 'ERROR', reason: 'REQUEST-TIMEOUT', message: '' });
    expect(stored).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT', message: '' });
  });

  test.each<[string, Reply, RegExp]>([
    ['500', { status: 500, body: {} }, /status 500/],
    ['no JSON', { body: '<html>' }, /not JSON/],
    ['VERIFIED without information', { body: { result: 'VERIFIED', reason: 'OK', version: '1.0' } }, /accountNumber/],
  ])('%s: DENIED / UNDEFINED-ERROR, and the message names the problem', async (_, reply, message) => {
    const { callback, stored } = await outcome(reply);
    expect(callback).toMatchObject({ verificationResult: 'DENIED', reason: 'UNDEFINED-ERROR' });
    expect(callback.message).toMatch(message);
    expect(stored).toMatchObject({ result: 'DENIED', reason: 'UNDEFINED-ERROR', message: callback.message });
  });

  test('the connection is refused: DENIED / UNDEFINED-ERROR', async () => {
    await other.vasp.down();
    const { callback } = await outcome('ordinary');
    await other.vasp.up();
    expect(callback).toMatchObject({ verificationResult: 'DENIED', reason: 'UNDEFINED-ERROR' });
    expect(callback.message).toMatch(/could not be reached/);
  });

  test('it has no configured address: DENIED / UNDEFINED-ERROR', async () => {
    const deaf = await world.register('7003', {});
    const { callback } = await outcome('ordinary', toVasp(world, deaf.vaspId));
    expect(callback).toMatchObject({ verificationResult: 'DENIED', reason: 'UNDEFINED-ERROR' });
    expect(callback.message).toMatch(/no verifyUser endpoint/);
  });
});

describe('D-12: another account number than the requested one is ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED', () => {
  test.each([
    ['another one', (own: string) => [own.replace(/.$/, last => (last === '0' ? '1' : '0'))]],
    ['the same in other letters', (own: string) => [own.toUpperCase()]],
    ['one more', (own: string) => [own, '0x02']],
    ['with a blank', (own: string) => [`${own} `]],
  ])('%s', async (_, change) => {
    const request = toOther();
    const { beneficiary } = request.payload.ivms101;
    const ivms101 = { beneficiary: { ...beneficiary, accountNumber: change(beneficiary.accountNumber[0]!) } };
    const completed = await outcome({ body: answerTo(request, { ivms101 }) }, request);
    expect(verdictOf(completed)).toEqual(['ERROR', 'BENEFICIARY-ACCOUNT-NOT-MATCHED']);
    expect(completed.stored).toMatchObject({ result: 'ERROR', reason: 'BENEFICIARY-ACCOUNT-NOT-MATCHED', message: '' });
  });
});

describe('D-12: personal data that was not requested does not leave the enclave', () => {
  const everything = natural('Robbins', 'Taylor', {
    dateAndPlaceOfBirth: { dateOfBirth: '1990-01-01', placeOfBirth: 'secret' },
    nationality: 'secret',
    geographicAddress: [{ country: 'secret' }],
    customerIdentification: 'secret',
    ofNobody: 'secret',
  });
  const answered = async (requiredBeneficiaryInfo: string, persons: object[]) => {
    const request = { ...toOther(), requiredBeneficiaryInfo };
    const { accountNumber } = request.payload.ivms101.beneficiary;
    const ivms101 = {
      beneficiary: { beneficiaryPersons: persons, accountNumber, ofNobody: 'secret' },
      originator: { a: 'secret' },
    };
    const { callback, stored, uuid } = await outcome({ body: answerTo(request, { ivms101 }) }, request);
    const beneficiary = JSON.parse(stored.ivms101Beneficiary);
    expect(callback.ivms101).toEqual({ beneficiary });
    expect(await other.api.verification(uuid)).toMatchObject({ ivms101Beneficiary: stored.ivms101Beneficiary });
    expect(beneficiary.accountNumber).toEqual(accountNumber);
    return beneficiary.beneficiaryPersons;
  };

  test('a name was requested: the name comes back', async () => {
    expect(await answered('NATURAL_PERSON_NAME,ACCOUNT_NUMBER', [everything])).toEqual([natural('Robbins', 'Taylor')]);
  });

  test('nothing but the account number was requested: no person comes back', async () => {
    expect(await answered('ACCOUNT_NUMBER', [everything])).toBeUndefined();
  });

  test('two items were requested: both come back, with any blanks between the codes', async () => {
    expect(await answered(' NATURAL_PERSON_NATIONALITY , ACCOUNT_NUMBER,NATURAL_PERSON_NAME', [everything])).toEqual([
      natural('Robbins', 'Taylor', { nationality: 'secret' }),
    ]);
  });

  test('a legal person: the company and its representatives come back as requested', async () => {
    const company = { legalPerson: { ...legal('Garrit Studio').legalPerson, customerIdentification: 'secret' } };
    expect(
      await answered('LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER', [
        company,
        everything,
        everything,
      ]),
    ).toEqual([legal('Garrit Studio'), natural('Robbins', 'Taylor'), natural('Robbins', 'Taylor')]);
    expect(await answered('LEGAL_PERSON_NAME,ACCOUNT_NUMBER', [company, everything])).toEqual([legal('Garrit Studio')]);
  });

  test('head office and branches are requested separately', async () => {
    const offices = { legalPerson: { geographicAddress: ['HEAD', 'B1', 'B2'].map(country => ({ country })) } };
    expect(await answered('HEAD_OFFICE_GEOGRAPHIC_ADDRESS,ACCOUNT_NUMBER', [offices])).toEqual([
      { legalPerson: { geographicAddress: [{ country: 'HEAD' }] } },
    ]);
    expect(await answered('BRANCH_OFFICE_GEOGRAPHIC_ADDRESS,ACCOUNT_NUMBER', [offices])).toEqual([
      { legalPerson: { geographicAddress: [{}, { country: 'B1' }, { country: 'B2' }] } },
    ]);
  });
});

test('D-12: an answer after the time limit changes nothing', async () => {
  const { stored, uuid } = await outcome('never');
  expect(stored.result).toBe('ERROR');
  await world.api.advance('1h');
  expect(await world.api.verification(uuid)).toEqual(stored);
  expect(world.vasp.callbacks(uuid)).toHaveLength(1);
});
