import { describe, expect, test } from 'vitest';
import { natural } from '../../src/contract/persons.ts';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { set } from '../support/contract/samples.ts';
import { toRobot, toVasp } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');

const toOther = () => toVasp(world, other.vaspId);
const post = (body: unknown) =>
  world.api.call<{ code: string; message: string; verificationUuid: string }>('POST', '/v1/verifications', body);
const ended = async (body: VerifyUserRequest) => {
  const { verificationUuid } = await world.api.verifyUser(body);
  return world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
};

async function expectRefused(body: unknown, code: string, field: string): Promise<void> {
  await world.api.advance('0s');
  const before = world.rows();
  const { status, body: error } = await post(body);
  expect([status, error.code], error.message).toEqual([400, code]);
  expect(error.message).toContain(field);
  expect(world.rows()).toEqual(before);
}

describe('WIRE-2.4: the answer', () => {
  test('has a new UUID v4, the time and nothing else', async () => {
    const { status, body } = await post(toOther());
    expect(status).toBe(200);
    expect(body).toEqual({
      verificationUuid: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
      createdAt: '2026-07-15T10:00:00.000Z',
    });
    expect((await post(toOther())).body.verificationUuid).not.toBe(body.verificationUuid);
  });

  test('ignores further members of the asset', async () => {
    const body = toOther();
    const named = { uuid: '1', status: 'VERIFIED', originatingVaspId: '1', createdAt: 0, id: 1 };
    const { status, body: answer } = await post({ ...body, assetInfo: { ...body.assetInfo, ...named } });
    expect(status).toBe(200);
    const stored = await world.api.verification(answer.verificationUuid);
    expect(stored.assetInfo).not.toHaveProperty('status');
    expect(stored).toMatchObject({
      verificationUuid: expect.stringMatching(/^[\da-f-]{36}$/),
      createdAt: '2026-07-15T10:00:00.000Z',
    });
    expect(stored.result).not.toBe('VERIFIED');
  });

  test('comes before the answer of the beneficiary VASP', async () => {
    let answer = () => {};
    other.vasp.script('verifyUser', undefined, new Promise<void>(resolve => (answer = resolve)), 'ordinary');
    const { verificationUuid } = await world.api.verifyUser(toOther());
    await other.vasp.arrived('verifyUser', verificationUuid, 1);
    expect(await world.api.verification(verificationUuid)).not.toHaveProperty('result');
    answer();
    await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
    expect(await world.api.verification(verificationUuid)).toMatchObject({ result: 'VERIFIED' });
  });
});

test('WIRE-3.2: the beneficiary VASP gets exactly the fields of its request', async () => {
  const body = { ...toOther(), extra: 1 };
  const { verificationUuid } = await world.api.verifyUser(body);
  const [received] = await other.vasp.arrived('verifyUser', verificationUuid, 1);
  expect(received!.body).toEqual({
    verificationUuid,
    assetInfo: body.assetInfo,
    requiredBeneficiaryInfo: body.requiredBeneficiaryInfo,
    originatingVaspId: world.vaspId,
    version: '1.0',
    ivms101: body.payload.ivms101,
  });
});

describe('personal data is passed on unchanged', () => {
  test.each([
    ['a name of 10,000 characters', natural('N'.repeat(10_000), 'é😀'.repeat(3_000))],
    ['another script, and blanks', natural('  山田 ', '\u0301太郎')],
    ['members that nobody knows', natural('A', 'B', { unknown: { deep: [1, null, { x: false }] } })],
    ['names that objects inherit', natural('A', 'B', JSON.parse('{"constructor":{"prototype":1},"toString":"x"}'))],
  ])('%s', async (_, person) => {
    const body = toOther();
    body.payload.ivms101.originator.originatorPersons = [person];
    body.payload.ivms101.beneficiary.beneficiaryPersons = [person];
    const { verificationUuid } = await world.api.verifyUser(body);
    const [received] = await other.vasp.arrived('verifyUser', verificationUuid, 1);
    expect((received!.body as unknown as VerifyUserRequest['payload']).ivms101).toEqual(body.payload.ivms101);
    const { ivms101Originator } = await world.api.verification(verificationUuid);
    expect(JSON.parse(ivms101Originator)).toEqual(body.payload.ivms101.originator);
  });

  test("missing information is left to the beneficiary VASP's judgement", async () => {
    const body = toRobot(world);
    body.payload.ivms101.originator.originatorPersons = [];
    expect(await ended(body)).toMatchObject({ reason: 'LACK-OF-INFORMATION' });
  });
});

describe('PROD-6: an amount is plain decimal text of at most the decimals of its asset', () => {
  const amountOf = (symbol: string, amount: unknown) =>
    set(set(toOther(), 'assetInfo.symbol', symbol), 'assetInfo.amount', amount);
  const bad = ['1e3', '-1', '0', '0.000', '01', '.5', '5.', '', ' 1', '1 ', '１', '1'.repeat(129)];

  test.each(['ETH', 'XRP', 'BTC'])('%s', async symbol => {
    for (const amount of [...bad, 1, 0.5, null, [], {}])
      if (amount === null) await expectRefused(amountOf(symbol, amount), 'MISSING-AMOUNT', 'assetInfo.amount');
      else await expectRefused(amountOf(symbol, amount), 'BAD-REQUEST', 'assetInfo.amount');
  });

  test('ETH takes 18 decimals and XRP takes 6; one more is refused, also a zero', async () => {
    for (const [symbol, decimals] of [
      ['ETH', 18],
      ['XRP', 6],
    ] as const) {
      for (const last of ['1', '0'])
        await expectRefused(amountOf(symbol, `1.${'0'.repeat(decimals)}${last}`), 'BAD-REQUEST', 'assetInfo.amount');
      expect((await post(amountOf(symbol, `1.${'0'.repeat(decimals - 1)}1`))).status).toBe(200);
    }
  });

  test("an unknown asset is left to the beneficiary VASP's judgement", async () => {
    const body = set(set(toRobot(world), 'assetInfo.symbol', 'BTC'), 'assetInfo.amount', `0.${'0'.repeat(30)}1`);
    expect(await ended(body)).toMatchObject({ reason: 'UNKNOWN-SYMBOL', message: 'BTC' });
  });

  test('the amount is shown as it was written', async () => {
    const { verificationUuid } = await world.api.verifyUser(amountOf('ETH', '1.50'));
    expect((await world.api.verification(verificationUuid)).assetInfo.amount).toBe('1.50');
  });
});

test.each(['9'.repeat(40), '0', '0.5', '1000000000000000000000000'])('a price of %s is accepted', async price => {
  expect((await post(set(toOther(), 'assetInfo.tradePrice', price))).status).toBe(200);
});

test.each(['1e3', '-1', 'NaN', '01', '.5', ''])('a price of %j is refused', async price => {
  await expectRefused(set(toOther(), 'assetInfo.tradePrice', price), 'BAD-REQUEST', 'assetInfo.tradePrice');
});

describe('WIRE-1: times are read in three ISO 8601 forms and shown in one', () => {
  test.each([
    ['2022-03-03T12:45:34.085Z', '2022-03-03T12:45:34.085Z'],
    ['20220303T124534.085Z', '2022-03-03T12:45:34.085Z'],
    ['2022-03-03T21:45:34+09:00', '2022-03-03T12:45:34.000Z'],
  ])('%s', async (written, shown) => {
    const { verificationUuid } = await world.api.verifyUser(set(toOther(), 'assetInfo.tradeISODatetime', written));
    expect((await world.api.verification(verificationUuid)).assetInfo.tradeISODatetime).toBe(shown);
  });

  test.each(['yesterday', '2022-02-30T12:45:34.085Z', '2022-03-03', '1646311534', '2022-03-03T25:00:00.000Z'])(
    '%s is refused',
    async time => {
      await expectRefused(set(toOther(), 'assetInfo.tradeISODatetime', time), 'BAD-REQUEST', 'tradeISODatetime');
    },
  );
});

test.each(['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBERS', 'account_number', ','])(
  'WIRE-1.1: requiredBeneficiaryInfo %j without ACCOUNT_NUMBER is refused',
  async list => {
    const body = { ...toOther(), requiredBeneficiaryInfo: list };
    await expectRefused(body, 'INVALID-REQUIRED-BENEFICIARY-INFO', 'ACCOUNT_NUMBER');
  },
);

test('D-08: an XRP tag of 4294967296 is accepted and judged UNKNOWN-ADDRESS', async () => {
  const body = toRobot(world, 'taylor-robbins', 'XRP');
  const account = body.payload.ivms101.beneficiary.accountNumber[0]!.split(':')[0]!;
  body.payload.ivms101.beneficiary.accountNumber = [`${account}:4294967296`];
  expect(await ended(body)).toMatchObject({
    verificationResult: 'DENIED',
    reason: 'UNKNOWN-ADDRESS',
    message: `${account}:4294967296`,
  });
});

test.each([
  ['an unknown VASP', '1', 'ALLIANCE-NOT-FOUND', 'Alliance is not found in given vendor'],
  ['a VASP that is not active', '27372039731940770', 'ALLIANCE-NOT-ACTIVE', 'Alliance is not active now'],
  ['itself', undefined, 'BAD-REQUEST', '`beneficiaryVaspId`'],
])('a request to %s is refused', async (_, vaspId, code, message) => {
  await expectRefused({ ...toOther(), beneficiaryVaspId: vaspId ?? world.vaspId }, code, message);
});

test('the message names the first problem in the order of the reference', async () => {
  await expectRefused({}, 'MISSING-KEY-TYPE', '`keyType`');
  await expectRefused({ keyType: 'PerVasp' }, 'MISSING-VASP', '`beneficiaryVaspId`');
});

test('an empty list of accounts is refused, an empty list of persons is judged', async () => {
  for (const who of ['originator', 'beneficiary'])
    await expectRefused(set(toOther(), `payload.ivms101.${who}.accountNumber`, []), 'BAD-REQUEST', 'accountNumber');
  for (const accounts of [[''], [1], ['x'.repeat(257)], [null]])
    await expectRefused(
      set(toOther(), 'payload.ivms101.beneficiary.accountNumber', accounts),
      'BAD-REQUEST',
      'accountNumber[0]',
    );
  const nobody = set(toRobot(world), 'payload.ivms101.beneficiary.beneficiaryPersons', []);
  expect(await ended(nobody)).toMatchObject({ reason: 'MISMATCHED-NAME' });
});
