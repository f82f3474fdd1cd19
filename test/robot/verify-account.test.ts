import { describe, expect, test } from 'vitest';
import { robotAccountOf } from '../support/requests/from-robot.ts';
import { legal, natural } from '../support/requests/from-tested-vasp.ts';
import { robotRefusalOf } from '../support/requests/robot-refusal.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

type Request = ReturnType<typeof robotAccountOf>;

test('D-21: POST /action/verifications/account refuses another VASP than the caller, and asks nobody', async () => {
  const body = { ...robotAccountOf(world), beneficiaryVaspId: '4711' };
  const refusal = await robotRefusalOf(world, 'verifications/account', body);
  expect(refusal).toMatchObject({ status: 400, code: 'ALLIANCE-NOT-FOUND' });
  expect(world.vasp.received('verifyAccount')).toEqual([]);
});

describe('REF-4.6: what is asked is what the tester wanted, so that the tested VASP’s own rules can be tried', () => {
  test.each<[string, (request: Request) => void]>([
    ['a symbol that the robot has no wallet for', r => void Object.assign(r, { symbol: 'BTC' })],
    ['a network', r => void Object.assign(r, { network: 'Tron' })],
    ['a legal person', r => persons(r, legal('Ours Ltd'), natural('Moss', 'Kate'))],
    ['nobody at all', r => void delete r.payload.ivms101.beneficiary.beneficiaryPersons],
    ['several accounts', r => void r.payload.ivms101.beneficiary.accountNumber.push('second')],
  ])('%s', async (_, change) => {
    const request = robotAccountOf(world);
    change(request);
    await world.api.robotVerifyAccount(request);
    const { keyType: _keyType, beneficiaryVaspId: _vasp, payload, ...rest } = request;
    expect(world.vasp.received('verifyAccount').at(-1)?.body).toEqual({
      originatingVaspId: world.robotVaspId,
      ...rest,
      ...payload,
    });
  });
});

test('twice at once: both are answered, and no verification is opened', async () => {
  const request = robotAccountOf(world);
  const both = await Promise.all([1, 2].map(() => world.api.robotVerifyAccount(request)));
  for (const { accountVerificationResult } of both) expect(accountVerificationResult).toBe('VERIFIED');
  expect((await world.api.list()).verifications).toEqual([]);
});

function persons(request: Request, ...all: ReturnType<typeof natural>[]): void {
  request.payload.ivms101.beneficiary.beneficiaryPersons = all;
}
