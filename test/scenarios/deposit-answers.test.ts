import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/contract/ivms101.ts';
import { openOnce } from '../support/open-once.ts';
import { judgedForRobot, type RobotWish, robotAccountOf, robotVerificationOf } from '../support/requests/from-robot.ts';
import { legal, natural } from '../support/requests/from-tested-vasp.ts';
import { createWorld } from '../support/world/world.ts';

/** The answers of the tested VASP, seen from both sides. The questions to it are those that the tester ordered. */

const world = openOnce(() => createWorld({ env: { VASP_TIMEOUT_USER: '1500ms', VASP_TIMEOUT_ACCOUNT: '1500ms' } }));

const VERSION = '1.0';
/** The tested VASP answers the next user verification with `body`. */
async function outcomeOf(body: object | string | 'never', status = 200, wish: RobotWish = {}) {
  world.vasp.script('verifyUser', undefined, body === 'never' ? 'never' : { status, body });
  const request = robotVerificationOf(world, wish);
  const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
  await world.vasp.arrived('verifyUser', uuid, 1);
  await (body === 'never' ? world.advance('1500ms') : world.idle());
  world.vasp.script('verifyUser', undefined, 'ordinary');
  return { uuid, request, seen: await world.api.verification(uuid) };
}

describe('D-12: the answer to the user verification', () => {
  test.each(['DENIED', 'ERROR'] as const)('%s is stored as it was given, and nothing is paid', async result => {
    const given = { result, reason: 'UNVERIFIED-KYC', message: 'who is that', version: VERSION };
    const { uuid, seen } = await outcomeOf(given);
    expect(seen).toMatchObject({ result, reason: 'UNVERIFIED-KYC', message: 'who is that' });
    await expect(world.api.robotWithdraw(uuid)).rejects.toMatchObject({ status: 400, code: 'NOT-VERIFIED' });
    await expect(world.api.inquireTransaction(uuid)).rejects.toMatchObject({ code: 'NOT-VERIFIED' });
  });

  test('`why` of one that the VASP denied says what it returned, and what to send instead', async () => {
    const { uuid, request, seen } = await outcomeOf({ result: 'DENIED', reason: 'MISMATCHED-NAME', version: VERSION });
    expect(seen.result).toBe('DENIED');
    const [address] = request.payload.ivms101.beneficiary.accountNumber!;
    const { facts, next } = await world.api.why(uuid);
    const [{ naturalPerson }] = request.payload.ivms101.beneficiary.beneficiaryPersons as [Person];
    const { primaryIdentifier, secondaryIdentifier } = naturalPerson!.name!.nameIdentifier![0]!;
    const { amount } = request.assetInfo;
    expect(facts).toContainEqual(
      expect.stringContaining(
        `asked about ${primaryIdentifier}, ${secondaryIdentifier} at ${address}: ${amount} ETH on Ethereum, wanting ${request.requiredBeneficiaryInfo} (exchange `,
      ),
    );
    expect(next).toEqual([
      `Your VASP returned MISMATCHED-NAME. If that is right, nothing is left to do. Else return VERIFIED for ${address}, or let the robot name your customer.`,
    ]);
  });

  test('none in time: ERROR / REQUEST-TIMEOUT', async () => {
    const { uuid, seen } = await outcomeOf('never');
    expect(seen).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
    await expect(world.api.robotWithdraw(uuid)).rejects.toMatchObject({ code: 'NOT-VERIFIED' });
  });

  test.each<[string, object | string, number]>([
    ['status 500', { result: 'VERIFIED', reason: 'OK', version: VERSION }, 500],
    ['status 201', { result: 'VERIFIED', reason: 'OK', version: VERSION }, 201],
    ['no JSON', 'VERIFIED', 200],
    ['no result', { reason: 'OK', version: VERSION }, 200],
    ['a result of its own', { result: 'FINE', reason: 'OK', version: VERSION }, 200],
    ['a reason of its own', { result: 'DENIED', reason: 'MOOD', version: VERSION }, 200],
  ])('%s: DENIED / UNDEFINED-ERROR, and the message says what was wrong', async (_, body, status) => {
    const { seen } = await outcomeOf(body, status);
    expect(seen).toMatchObject({ result: 'DENIED', reason: 'UNDEFINED-ERROR' });
    expect(seen.message).not.toBe('');
  });

  test('with another account number: ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED', async () => {
    const ivms101 = { beneficiary: { accountNumber: [`0x${'11'.repeat(20)}`] } };
    const { seen } = await outcomeOf({ result: 'VERIFIED', reason: 'OK', version: VERSION, ivms101 });
    expect(seen).toMatchObject({ result: 'ERROR', reason: 'BENEFICIARY-ACCOUNT-NOT-MATCHED' });
  });

  test('with more than was asked for: it does not reach the robot', async () => {
    const born = { dateAndPlaceOfBirth: { dateOfBirth: '1974-01-16', placeOfBirth: 'Croydon' } };
    world.vasp.script('verifyUser', undefined, 'ordinary');
    const wish = {
      change: (request: ReturnType<typeof robotVerificationOf>) => {
        request.payload.ivms101.beneficiary.beneficiaryPersons = [natural('Moss', 'Kate', born)];
      },
    };
    const { uuid } = await judgedForRobot(world, wish);
    const { ivms101Beneficiary } = (await world.api.verification(uuid)) as unknown as { ivms101Beneficiary?: object };
    expect(JSON.stringify(ivms101Beneficiary ?? {})).not.toContain('Croydon');
    const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
    expect(JSON.stringify(callbacks)).not.toContain('Croydon');
  });
});

describe('D-12: the answer to the account verification', () => {
  const outcome = (body: object | string | 'never', status = 200) => {
    world.vasp.script('verifyAccount', undefined, body === 'never' ? 'never' : { status, body });
    return world.api.robotVerifyAccount(robotAccountOf(world)).finally(() => {
      world.vasp.script('verifyAccount', undefined, 'ordinary');
    });
  };

  test('DENIED with its reason comes back as it was given', async () => {
    const given = {
      accountVerificationResult: 'DENIED',
      reason: 'MISMATCHED-NAME',
      verifiedAt: '2026-01-02T03:04:05.678Z',
    };
    expect(await outcome(given)).toEqual(given);
  });

  test('none in time: 408 REQUEST-TIMEOUT', async () => {
    await expect(outcome('never')).rejects.toMatchObject({ status: 408, code: 'REQUEST-TIMEOUT' });
  });

  test('not 200, or no JSON: DENIED / UNDEFINED-ERROR', async () => {
    const denied = { accountVerificationResult: 'DENIED', reason: 'UNDEFINED-ERROR' };
    expect(await outcome({}, 500)).toMatchObject(denied);
    expect(await outcome('fine')).toMatchObject(denied);
  });
});

describe('REF-4.6: what the tested VASP’s rules are to be tried with passes through unchanged', () => {
  test.each<[string, RobotWish]>([
    ['a listed originator', { change: r => originatedBy(r, natural('Escobar', 'Pablo')) }],
    ['no date of birth', { change: r => originatedBy(r, natural('Barnes', 'Robert')) }],
    [
      'a legal person with its representative as originator',
      { user: 'garrit-studio', change: r => originatedBy(r, legal('Garrit Studio'), natural('Clarke', 'Jason')) },
    ],
    [
      'a legal person as beneficiary, codes that are strange',
      {
        change: r => {
          r.payload.ivms101.beneficiary.beneficiaryPersons = [legal('Ours Ltd'), natural('Moss', 'Kate')];
          r.requiredBeneficiaryInfo = 'LEGAL_PERSON_NAME,NATURAL_PERSON_NATIONALITY,ACCOUNT_NUMBER';
        },
      },
    ],
    [
      'an amount below the threshold, another currency',
      {
        change: r => {
          Object.assign(r.assetInfo, { isExceedingThreshold: false, tradeCurrency: 'EUR', tradePrice: '0.01' });
        },
      },
    ],
    ['a beneficiary that is of nobody here', { to: '0x000000000000000000000000000000000000dEaD' }],
  ])('%s', async (_, wish) => expectToPass(wish));

  test('several account numbers on both sides', () =>
    expectToPass({
      change: request => {
        const others = ['ethan-cook', 'risk-low'].map(id => world.user(id).accounts.ETH);
        originatorOf(request).accountNumber.push(...others);
        request.payload.ivms101.beneficiary.accountNumber.push(`0x${'22'.repeat(20)}`);
      },
    }));

  async function expectToPass(wish: RobotWish) {
    const request = robotVerificationOf(world, wish);
    const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
    const [arrived] = await world.vasp.arrived('verifyUser', uuid, 1);
    const { assetInfo, requiredBeneficiaryInfo, payload } = request;
    expect(arrived!.body).toEqual({
      verificationUuid: uuid,
      assetInfo,
      requiredBeneficiaryInfo,
      originatingVaspId: world.robotVaspId,
      version: payload.version,
      ivms101: payload.ivms101,
    });
    await world.idle();
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED' });
  }
});

type Request = ReturnType<typeof robotVerificationOf>;

const originatorOf = (request: Request) => request.payload.ivms101.originator;

function originatedBy(request: Request, ...persons: ReturnType<typeof natural>[]): void {
  originatorOf(request).originatorPersons = persons;
}
