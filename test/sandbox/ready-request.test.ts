import { describe, expect, test } from 'vitest';
import { VerifyAccountRequest, VerifyUserRequest } from '../../src/contract/requests.ts';
import { READY_OPERATIONS, ReadyRequest } from '../../src/sandbox/scenarios/schema.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

describe.each(READY_OPERATIONS)('%s', operation => {
  test.each(['ETH', 'XRP'])('in %s is answered with 200 and VERIFIED, as it stands', async symbol => {
    const ready = await world.api.readyRequest(operation, { symbol });
    expect(ReadyRequest.parse(ready)).toEqual(ready);
    const { status, body } = await world.api.call<{ verificationUuid?: string }>(ready.method, ready.path, ready.body);
    expect(status).toBe(200);
    if (operation.endsWith('account')) return expect(body).toMatchObject({ accountVerificationResult: 'VERIFIED' });
    await world.idle();
    expect(await world.api.verification(body.verificationUuid!)).toMatchObject({
      result: 'VERIFIED',
      assetInfo: { symbol, amount: '0.024' },
    });
  });
});

test('user and amount stand in it', async () => {
  const { body } = await world.api.readyRequest('verify-user', { user: 'garrit-studio', amount: '7.5' });
  const request = VerifyUserRequest.parse(body);
  expect(request.assetInfo.amount).toBe('7.5');
  expect(request.payload.ivms101.beneficiary.accountNumber).toEqual([world.user('garrit-studio').accounts.ETH]);
  expect(request.requiredBeneficiaryInfo).toContain('LEGAL_PERSON_NAME');
});

test('your customer is the one of your newest verified deposit, or whom you name', async () => {
  const mine = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
  const first = await world.api.readyRequest('robot-verify-user', { account: mine });
  const request = VerifyUserRequest.parse(first.body);
  const { beneficiary } = request.payload.ivms101;
  expect(beneficiary.accountNumber).toEqual([mine]);
  beneficiary.beneficiaryPersons[0]!.naturalPerson!.name!.nameIdentifier![0]!.primaryIdentifier = 'Miller';
  await world.api.robotVerifyUser(request);
  await world.idle();
  for (const operation of ['robot-verify-user', 'robot-verify-account'] as const) {
    const { body } = await world.api.readyRequest(operation);
    const schema = operation === 'robot-verify-user' ? VerifyUserRequest : VerifyAccountRequest;
    const again = schema.parse(body).payload.ivms101.beneficiary;
    expect(again.accountNumber, operation).toEqual([mine]);
    expect(JSON.stringify(again), operation).toContain('Miller');
  }
});

test.each([
  ['verify-nobody', {}, 404, 'NOT-FOUND'],
  ['verify-user', { user: 'nobody' }, 404, 'NOT-FOUND'],
  ['verify-user', { symbol: 'BTC' }, 400, 'UNKNOWN-SYMBOL'],
  ['verify-user', { amount: '-1' }, 400, 'BAD-REQUEST'],
  ['verify-user', { amount: '0' }, 400, 'BAD-REQUEST'],
])('%s %j is %i %s', async (operation, wish, status, code) => {
  await expect(world.api.readyRequest(operation, wish)).rejects.toMatchObject({ status, code });
});

test('what is not found is told with the call that lists all', async () => {
  const { api } = world;
  const calls: [call: Promise<unknown>, message: RegExp][] = [
    [api.readyRequest('verify-user', { user: 'nobody' }), /^User\(nobody\).* GET \/sandbox\/v1\/users lists all/],
    [api.exchange('9999999'), /^Exchange\(9999999\).* GET \/sandbox\/v1\/exchanges lists all/],
    [api.replay('9999999'), /^Callback\(9999999\).* GET \/sandbox\/v1\/callbacks lists all/],
    [api.removeFault('nothing'), /^Fault\(nothing\).* GET \/sandbox\/v1\/faults lists all/],
    [api.run('nothing'), /^Run\(nothing\).* GET \/sandbox\/v1\/runs lists all/],
  ];
  for (const [call, message] of calls)
    await expect(call).rejects.toMatchObject({ status: 404, reason: expect.stringMatching(message) });
});
