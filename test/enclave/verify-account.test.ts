import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import { natural } from '../../src/contract/persons.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import { accountAtRobot, createChainlessWorld } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';

const at = scratchDatabase();
const world = await forFile(createChainlessWorld(at('verify-account.sqlite'), { VASP_TIMEOUT_ACCOUNT: '1500ms' }));
const other = await world.register('7001');

const toOther = () => ({ ...accountAtRobot(world), beneficiaryVaspId: other.vaspId });
const AT = '2026-07-15T10:00:00.000Z';
const refusal = (error: unknown) => {
  expect(error).toBeInstanceOf(Refused);
  const { status, code } = error as Refused;
  return [status, code];
};

describe('WIRE-2.3: the answer has exactly its fields', () => {
  test('VERIFIED: the result and its time', async () => {
    const answer = await world.api.call('POST', '/v1/verifications/account', accountAtRobot(world));
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ accountVerificationResult: 'VERIFIED', verifiedAt: AT });
  });

  test.each([
    ['UNKNOWN-SYMBOL', 'BTC', (body: Body) => Object.assign(body, { symbol: 'BTC' })],
    ['UNKNOWN-NETWORK', 'Tron', (body: Body) => Object.assign(body, { network: 'Tron' })],
    [
      'UNKNOWN-ADDRESS',
      '0x01',
      (body: Body) => Object.assign(body.payload.ivms101.beneficiary, { accountNumber: ['0x01'] }),
    ],
    [
      'MISMATCHED-NAME',
      undefined,
      (body: Body) => Object.assign(body.payload.ivms101.beneficiary, { beneficiaryPersons: [natural('X', 'Y')] }),
    ],
  ])('DENIED / %s: the reason, and its message if it has one', async (reason, message, change) => {
    const body = accountAtRobot(world);
    change(body);
    expect(await world.api.verifyAccount(body)).toEqual({
      accountVerificationResult: 'DENIED',
      reason,
      ...(message === undefined ? {} : { message }),
      verifiedAt: AT,
    });
  });

  test('DENIED / UNVERIFIED-KYC', async () => {
    expect(await world.api.verifyAccount(accountAtRobot(world, 'ethan-cook'))).toMatchObject({
      reason: 'UNVERIFIED-KYC',
    });
  });
});
type Body = ReturnType<typeof accountAtRobot>;

test('without a name only the address is verified', async () => {
  const body = accountAtRobot(world);
  delete (body.payload.ivms101.beneficiary as { beneficiaryPersons?: unknown }).beneficiaryPersons;
  expect(await world.api.verifyAccount(body)).toMatchObject({ accountVerificationResult: 'VERIFIED' });
});

test.each([
  'rs:1',
  '123456789',
  'ACCOUNT:4294967296',
  'ACCOUNT:-1',
  'ACCOUNT:01',
  'ACCOUNT',
  'ACCOUNT:',
  'ACCOUNT:1e3',
  'ACCOUNT:0x1',
])('D-08: %s is not the address of an XRP user', async text => {
  const body = accountAtRobot(world, 'taylor-robbins', 'XRP');
  const own = body.payload.ivms101.beneficiary.accountNumber[0]!.split(':')[0]!;
  const address = text.replace('ACCOUNT', own);
  body.payload.ivms101.beneficiary.accountNumber = [address];
  expect(await world.api.verifyAccount(body)).toEqual({
    accountVerificationResult: 'DENIED',
    reason: 'UNKNOWN-ADDRESS',
    message: address,
    verifiedAt: AT,
  });
});

test('WIRE-3.1: the beneficiary VASP gets the unwrapped payload and nothing else', async () => {
  const body = toOther();
  const named = { ...body, network: 'Ethereum', extra: 1 };
  (named.payload.ivms101 as Record<string, unknown>).originator = { secret: true };
  await world.api.verifyAccount(named);
  expect(other.vasp.received('verifyAccount').at(-1)!.body).toEqual({
    originatingVaspId: world.vaspId,
    symbol: 'ETH',
    network: 'Ethereum',
    version: '1.0',
    ivms101: { beneficiary: body.payload.ivms101.beneficiary },
  });
  const { network: _, ...unnamed } = body;
  await world.api.verifyAccount(unnamed);
  expect(other.vasp.received('verifyAccount').at(-1)!.body).not.toHaveProperty('network');
});

test('personal data is passed on unchanged, also a name of 10,000 characters', async () => {
  const body = toOther();
  const persons = [natural('é'.repeat(10_000), '名前 😀', { unknownMember: { kept: [1, null, true] } })];
  body.payload.ivms101.beneficiary.beneficiaryPersons = persons;
  expect((await world.api.verifyAccount(body)).accountVerificationResult).toBe('VERIFIED');
  const { ivms101 } = other.vasp.received('verifyAccount').at(-1)!.body as unknown as typeof body.payload;
  expect(ivms101.beneficiary.beneficiaryPersons).toEqual(persons);
});

test.each([
  ['an unknown VASP', '1', [400, 'ALLIANCE-NOT-FOUND']],
  ['a VASP that is not active', '27372039731940770', [400, 'ALLIANCE-NOT-ACTIVE']],
  ['itself', undefined, [400, 'BAD-REQUEST']],
])('a request to %s is refused', async (_, vaspId, expected) => {
  const body = { ...accountAtRobot(world), beneficiaryVaspId: vaspId ?? world.vaspId };
  expect(refusal(await world.api.verifyAccount(body).catch(error => error))).toEqual(expected);
});

describe('D-12: the beneficiary VASP fails', () => {
  const denied = (message: RegExp) => ({
    accountVerificationResult: 'DENIED',
    reason: 'UNDEFINED-ERROR',
    message: expect.stringMatching(message),
    verifiedAt: AT,
  });

  test('a late answer is 408 REQUEST-TIMEOUT with the time limit', async () => {
    other.vasp.script('verifyAccount', undefined, 'never');
    const error = await world.api.verifyAccount(toOther()).catch(failure => failure);
    expect(refusal(error)).toEqual([408, 'REQUEST-TIMEOUT']);
    expect(error.message).toContain('timeout of 1500ms exceeded');
  });

  test.each<[string, Reply, RegExp]>([
    ['another status than 200', { status: 500, body: {} }, /status 500/],
    [
      'an answer that is not valid',
      { body: { accountVerificationResult: 'YES', verifiedAt: AT } },
      /accountVerificationResult/,
    ],
  ])('%s: DENIED / UNDEFINED-ERROR, and the message names the problem', async (_, reply, message) => {
    other.vasp.script('verifyAccount', undefined, reply);
    expect(await world.api.verifyAccount(toOther())).toEqual(denied(message));
  });

  test('the connection is refused, or there is no address: DENIED / UNDEFINED-ERROR', async () => {
    other.vasp.script('verifyAccount', undefined, 'ordinary');
    await other.vasp.down();
    expect(await world.api.verifyAccount(toOther())).toEqual(denied(/could not be reached/));
    await other.vasp.up();
    const deaf = await world.register('7003', {});
    expect(await world.api.verifyAccount({ ...toOther(), beneficiaryVaspId: deaf.vaspId })).toEqual(
      denied(/no verifyAccount endpoint/),
    );
  });
});

test('an account verification stores nothing', async () => {
  const before = world.rows();
  await world.api.verifyAccount(accountAtRobot(world));
  await world.api.verifyAccount(toOther());
  expect(world.rows()).toEqual(before);
  expect((await world.api.list()).count).toBe(0);
});
