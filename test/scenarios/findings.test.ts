import { describe, expect, test } from 'vitest';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { judgedForRobot } from '../support/requests/from-robot.ts';
import { legal, natural, paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-27: wrong conduct of the tested VASP that the protocol lets pass. */

const world = await forFile(createWorld());

const findingsOf = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0]!.findings;

async function expectFinding(uuid: string, finding: object) {
  expect(await findingsOf(uuid)).toMatchObject([finding]);
  const { timeline } = await world.api.timeline(uuid);
  const entries = timeline.filter(({ what }) => what === 'finding');
  expect(entries).toMatchObject([{ event: (finding as { code: string }).code }]);
}

test('right conduct has no finding', async () => {
  const verification = await verified(world);
  await world.api.reportTransaction(verification.uuid, await paid(world, verification));
  await world.idle();
  expect(await findingsOf(verification.uuid)).toEqual([]);
  expect(await findingsOf((await judgedForRobot(world)).uuid)).toEqual([]);
});

describe('the request', () => {
  async function asked(change: (request: VerifyUserRequest) => void): Promise<string> {
    return (await world.api.verifyUser(verificationOf(world, { change }))).verificationUuid;
  }

  test.each([
    ['2439800', 'KRW', false, 'true: 2439800 KRW is not less than 1000000 KRW'],
    ['1000000', 'KRW', false, 'true: 1000000 KRW is not less than 1000000 KRW'],
    ['999.99', 'USD', true, 'false: 999.99 USD is less than 1000 USD'],
  ])('THRESHOLD-WRONG: %s %s and %s', async (tradePrice, tradeCurrency, isExceedingThreshold, expected) => {
    const uuid = await asked(({ assetInfo }) =>
      Object.assign(assetInfo, { tradePrice, tradeCurrency, isExceedingThreshold }),
    );
    const field = 'assetInfo.isExceedingThreshold';
    const got = String(isExceedingThreshold);
    await expectFinding(uuid, { code: 'THRESHOLD-WRONG', clause: 'REF-2.2', field, expected, got });
  });

  test('a currency without a threshold, and a price below it, pass', async () => {
    const uuid = await asked(({ assetInfo }) => Object.assign(assetInfo, { tradeCurrency: 'CHF' }));
    expect(await findingsOf(uuid)).toEqual([]);
    const cheap = { tradePrice: '999999.99', tradeCurrency: 'KRW', isExceedingThreshold: false };
    expect(await findingsOf(await asked(({ assetInfo }) => Object.assign(assetInfo, cheap)))).toEqual([]);
  });

  test('UNKNOWN-NAME-TYPE', async () => {
    const uuid = await asked(({ payload: { ivms101 } }) => {
      const [name] = ivms101.originator.originatorPersons[0]!.naturalPerson!.name!.nameIdentifier!;
      name!.nameIdentifierType = 'LEGAL';
    });
    await expectFinding(uuid, {
      code: 'UNKNOWN-NAME-TYPE',
      clause: 'WIRE-4',
      field: 'ivms101.originator.originatorPersons[0].naturalPerson.name.nameIdentifier[0].nameIdentifierType',
      expected: 'ALIA, BIRT, MAID, LEGL, MISC',
      got: 'LEGAL',
    });
  });

  test('IVMS101-PROBLEM, without the value', async () => {
    const uuid = await asked(({ payload: { ivms101 } }) => {
      ivms101.originator.originatorPersons[0]!.naturalPerson!.nationality = 'UK';
    });
    await expectFinding(uuid, {
      code: 'IVMS101-PROBLEM',
      clause: 'WIRE-4',
      field: 'ivms101.originator.originatorPersons[0].naturalPerson.nationality',
      expected: 'GB (an ISO 3166-1 alpha-2 code, or XX)',
      got: 'The value is no country. (IVMS101 C3)',
    });
  });
});

describe('the VERIFIED answer', () => {
  const ROOT = 'ivms101.beneficiary.beneficiaryPersons';

  /** The robot asks; the tested VASP answers VERIFIED with these persons. */
  async function answered(beneficiaryPersons: object[]): Promise<string> {
    let account: string[] = [];
    const body = () => ({
      result: 'VERIFIED',
      reason: 'OK',
      message: '',
      version: '1.0',
      ivms101: { beneficiary: { beneficiaryPersons, accountNumber: account } },
    });
    world.vasp.script('verifyUser', undefined, {
      get body() {
        const asked = world.vasp.received('verifyUser').at(-1)!.body as unknown as VerifyUserRequest['payload'];
        account = asked.ivms101.beneficiary.accountNumber;
        return body();
      },
    });
    const { uuid } = await judgedForRobot(world);
    world.vasp.script('verifyUser', undefined, 'ordinary');
    expect((await world.api.verification(uuid)).result).toBe('VERIFIED');
    return uuid;
  }

  test('INFORMATION-MISSING', async () => {
    await expectFinding(await answered([]), {
      code: 'INFORMATION-MISSING',
      clause: 'WIRE-3.2',
      field: `${ROOT}[0].naturalPerson.name.nameIdentifier`,
      expected: 'NATURAL_PERSON_NAME',
      got: null,
    });
  });

  test('NAME-DIFFERS', async () => {
    await expectFinding(await answered([natural('Moss', 'Anna')]), {
      code: 'NAME-DIFFERS',
      field: `${ROOT}[0]`,
      expected: 'Moss, Kate',
      got: 'Moss, Anna',
    });
    await expectFinding(await answered([natural('Kate', 'Moss')]), { code: 'NAME-DIFFERS' });
  });

  test('D-09: the same name in another form is the same name', async () => {
    expect(await findingsOf(await answered([natural(' MOSS', 'kate')]))).toEqual([]);
    expect(await findingsOf(await answered([natural('Kate Moss', '')]))).toEqual([]);
  });

  test('INFORMATION-NOT-REQUESTED, without the information itself', async () => {
    const uuid = await answered([natural('Moss', 'Kate', { nationality: 'GB', customerIdentification: '' })]);
    await expectFinding(uuid, {
      code: 'INFORMATION-NOT-REQUESTED',
      field: `${ROOT}[0].naturalPerson.nationality`,
      expected: 'only NATURAL_PERSON_NAME, ACCOUNT_NUMBER',
    });
    expect(JSON.stringify(await findingsOf(uuid))).not.toContain('GB');
  });

  test('IVMS101-PROBLEM', async () => {
    const alias = { primaryIdentifier: 'Moss', secondaryIdentifier: 'Kate', nameIdentifierType: 'ALIA' };
    const uuid = await answered([{ naturalPerson: { name: { nameIdentifier: [alias] } } }]);
    await expectFinding(uuid, {
      code: 'IVMS101-PROBLEM',
      field: `${ROOT}[0].naturalPerson.name.nameIdentifier`,
      got: 'No name is of type LEGL. (IVMS101 C6)',
    });
  });

  test('a legal person that nobody asked for', async () => {
    const codes = (await findingsOf(await answered([legal('Moss Ltd')]))).map(({ code }) => code);
    expect(codes).toEqual(['INFORMATION-MISSING', 'NAME-DIFFERS', 'INFORMATION-NOT-REQUESTED']);
  });
});

describe('the payment', () => {
  test('PAID-AFTER-DENIED', async () => {
    const request = verificationOf(world, { user: 'not-allowed' });
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    const { amount } = request.assetInfo;
    const to = request.payload.ivms101.beneficiary.accountNumber[0]!;
    const txHash = await paid(world, { symbol: 'ETH', to, amount });
    await expectFinding(uuid, {
      code: 'PAID-AFTER-DENIED',
      clause: 'REF-4.6.2',
      field: 'txHash',
      expected: 'no payment after DENIED / NOT-ALLOWED',
      got: `${txHash}: ${amount} ETH → ${to}`,
    });
  });

  test('PAID-AFTER-ERROR', async () => {
    const verification = await verified(world, { symbol: 'XRP' });
    await world.api.reportError(verification.uuid, 'ERROR', 'USER-CANCELED');
    await world.idle();
    await paid(world, verification);
    await expectFinding(verification.uuid, {
      code: 'PAID-AFTER-ERROR',
      expected: 'no payment after ERROR / USER-CANCELED',
    });
  });

  // The robot may read the block of the payment before the error report or after it.
  test.each([true, false])('ERROR-AFTER-PAYMENT, read first: %s', async isRead => {
    const verification = await verified(world, { symbol: 'ETH' });
    const txHash = await paid(world, verification);
    if (isRead) await world.idle();
    await world.api.reportError(verification.uuid, 'ERROR', 'USER-CANCELED');
    await world.idle();
    await expectFinding(verification.uuid, {
      code: 'ERROR-AFTER-PAYMENT',
      clause: 'WIRE-2.8',
      got: `${txHash}: ${verification.amount} ETH → ${verification.to}`,
    });
    const codes = (await findingsOf(verification.uuid)).map(({ code }) => code);
    expect(codes).toEqual(['ERROR-AFTER-PAYMENT']);
  });
});

describe('status answer and report', () => {
  test('STATUS-CONTRADICTS-CHAIN: CONFIRMED with a hash that no node knows', async () => {
    const { uuid } = await verified(world);
    const txHash = `0x${'0c'.repeat(32)}`;
    world.vasp.ordinary.setStatus(uuid, 'CONFIRMED', txHash);
    await world.api.robotInquire(uuid);
    await expectFinding(uuid, {
      code: 'STATUS-CONTRADICTS-CHAIN',
      field: 'transactionStatus',
      expected: `a status that fits ${txHash}, which is known to no node`,
      got: 'CONFIRMED',
    });
  });

  test.each([
    [
      'the payment of the verification',
      [{ code: 'REPORT-LATE', clause: 'WIRE-2.7', expected: 'a report within 10m of the payment' }],
    ],
    ['another payment of the same amount', []],
  ])('REPORT-LATE: the report comes 11 minutes after %s, and 2 minutes after the next one', async (first, found) => {
    const verification = await verified(world);
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING');
    const hashes = [await paid(world, verification)];
    await world.advance('9m');
    hashes.push(await paid(world, verification));
    await world.advance('2m');
    const own = first === 'the payment of the verification' ? hashes[0]! : hashes[1]!;
    await world.api.reportTransaction(verification.uuid, own);
    await world.idle();
    expect(await findingsOf(verification.uuid)).toMatchObject(found);
  });

  test('REPORT-REPEATED, once', async () => {
    const verification = await verified(world);
    const txHash = await paid(world, verification);
    for (let i = 0; i < 3; i++) {
      await world.api.reportTransaction(verification.uuid, txHash);
      await world.idle();
    }
    await expectFinding(verification.uuid, { code: 'REPORT-REPEATED' });
  });

  test.each([
    { target: 'answer.report-transaction', mode: 'drop' },
    { target: 'answer', mode: 'status', status: 503 },
    { target: 'answer.report-transaction', mode: 'malformed' },
  ] as const)('no finding where the sandbox has spoiled the answer: %o', async fault => {
    const { uuid } = await verified(world);
    const report = () => world.api.reportTransaction(uuid, `0x${'9a'.repeat(32)}`);
    await world.api.addFault({ ...fault, times: 1, verificationUuid: uuid });
    expect(await report().catch(() => 'spoiled')).not.toEqual({ result: true });
    expect(await report()).toEqual({ result: true });
    expect(await findingsOf(uuid)).toEqual([]);
  });

  test('a fault of another answer excuses no repeated report', async () => {
    const { uuid } = await verified(world);
    const report = () => world.api.reportTransaction(uuid, `0x${'9b'.repeat(32)}`);
    await world.api.addFault({ target: 'answer.get-verification', mode: 'drop', times: 1, verificationUuid: uuid });
    await expect(world.api.verification(uuid)).rejects.toThrow();
    await report();
    await report();
    expect(await findingsOf(uuid)).toMatchObject([{ code: 'REPORT-REPEATED' }]);
  });
});
