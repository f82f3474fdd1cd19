import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/contract/ivms101.ts';
import { type RobotWish, robotVerificationOf } from '../support/requests/from-robot.ts';
import { legal, natural } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The answers of the tested VASP, seen from both sides. The questions to it are those that the tester ordered. */

const world = await forFile(createWorld({ env: { VASP_TIMEOUT_USER: '1500ms', VASP_TIMEOUT_ACCOUNT: '1500ms' } }));

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

  test.each<[string, string, object | string | 'never', number?]>([
    ['a status', 'DENIED', {}, 500],
    ['no JSON', 'DENIED', 'hello'],
    ['no reason', 'DENIED', { result: 'DENIED' }],
    ['no answer', 'ERROR', 'never'],
    [
      'another account',
      'ERROR',
      { result: 'VERIFIED', reason: 'OK', version: VERSION, ivms101: { beneficiary: { accountNumber: ['0xdead'] } } },
    ],
  ])('`why` of an answer that did not count names its exchange: %s', async (_, result, body, status) => {
    const { uuid } = await outcomeOf(body, status);
    await expect.poll(async () => (await world.api.why(uuid)).calls).toHaveLength(1);
    const { next, calls } = await world.api.why(uuid);
    const [, id] = /^Look at exchange (\d+): /.exec(next[0]!) ?? [];
    expect(next).toEqual([
      `Look at exchange ${id}: this call to your VASP made the result ${result}. Correct how your VASP answers it, then verify again.`,
    ]);
    expect(calls).toEqual([{ method: 'GET', path: `/sandbox/v1/exchanges/${id}` }]);
    expect(await world.api.exchange(id!)).toMatchObject({ operation: 'verifyUser', verificationUuid: uuid });
  });

  test('`why` of an ERROR that the VASP itself returned, and of one that the robot reported', async () => {
    const { uuid } = await outcomeOf({ result: 'ERROR', reason: 'REQUEST-TIMEOUT', version: VERSION });
    const { next } = await world.api.why(uuid);
    expect(next).toEqual([expect.stringMatching(/^Your VASP returned REQUEST-TIMEOUT\. If that is right, nothing/)]);
    const { verificationUuid } = await world.api.robotVerifyUser(robotVerificationOf(world, {}));
    await world.idle();
    await world.api.robotReportError(verificationUuid, 'ERROR', 'USER-CANCELED', '');
    expect(await world.api.why(verificationUuid)).toMatchObject({ next: [], calls: [] });
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
