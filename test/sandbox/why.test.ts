import { describe, expect, test } from 'vitest';
import { placeOf } from '../../src/console/routes.tsx';
import { REASONS } from '../../src/contract/clauses.ts';
import { natural } from '../../src/contract/persons.ts';
import type { VerifyUserRequest } from '../../src/contract/requests.ts';
import { WhyResponse } from '../../src/sandbox/why.ts';
import { toRobot, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');

test('a denied verification: the result first, and the advice for its reason', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'ethan-cook'));
  const why = await world.api.why(uuid);
  expect(WhyResponse.parse(why)).toEqual(why);
  expect(why.what).toContain('at RobotVASP (user ethan-cook)');
  expect(why.facts[0]).toMatch(/^The result is DENIED \/ UNVERIFIED-KYC, at \d{4}-/);
  expect(why.next).toEqual(['Do not send before the beneficiary has finished its identification.']);
});

test('a verification that is VERIFIED: the payment is awaited, and the timer is named', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'taylor-robbins'));
  const { facts, next } = await world.api.why(uuid);
  expect(facts[0]).toMatch(/^The result is VERIFIED, at /);
  expect(facts).toContain('Your payment is AWAITED: no transaction hash is known yet.');
  expect(facts.join()).not.toContain('..');
  expect(facts.some(fact => fact.startsWith('Pending, due at '))).toBe(true);
  expect(next).toEqual(['Send the payment, then report its hash.']);
});

test('a verification is explained by its uuid, also when a newer one has that uuid as its hash', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'ethan-cook'));
  const newer = await verifiedBy(world, toRobot(world, 'taylor-robbins'));
  await world.api.reportTransaction(newer, uuid);
  const { verificationUuid, what, facts } = await world.api.why(uuid.toUpperCase());
  expect([verificationUuid, what]).toEqual([uuid, expect.stringContaining('(user ethan-cook)')]);
  expect(facts[0]).toContain('DENIED / UNVERIFIED-KYC');
});

test('a uuid finds its own verification, also when a newer one holds it as a name', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'ethan-cook'));
  const request = toRobot(world, 'taylor-robbins');
  request.payload.ivms101.originator.originatorPersons = [natural(uuid, uuid)];
  const newer = await verifiedBy(world, request);
  const found = async (query: object) =>
    (await world.api.verifications(query)).verifications.map(each => each.verificationUuid);
  expect(await found({ search: uuid })).toEqual([newer, uuid]);
  for (const verificationUuid of [uuid, uuid.toUpperCase()]) expect(await found({ verificationUuid })).toEqual([uuid]);
  expect(await found({ verificationUuid: uuid, result: 'VERIFIED' })).toEqual([]);
  expect(await found({ verificationUuid: uuid.slice(0, 12) })).toEqual([]);
  expect(await placeOf(world.api, uuid)).toBe(`/console/verifications/${uuid}`);
});

test('a name that differs is told with its field, what was expected and what came', async () => {
  const [scenario] = (await world.api.scenarios()).scenarios.filter(({ id }) => id === 'verify-user: MISMATCHED-NAME');
  const uuid = await verifiedBy(world, scenario!.requests!.ETH as never);
  const { facts } = await world.api.why(uuid);
  expect(facts.filter(fact => fact.includes('secondaryIdentifier: expected "Taylor", got'))).toHaveLength(1);
});

test('a callback that fails is told with its attempts and the last outcome', async () => {
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503, times: 1 });
  const { verificationUuid } = await world.api.verifyUser(toRobot(world, 'taylor-robbins'));
  await expect
    .poll(async () => (await world.api.why(verificationUuid)).facts.join('\n'))
    .toMatch(/The callback VERIFICATION_RESULT \(id \d+\) is PENDING after 1 attempt, the last one: 503\./);
  await world.api.removeFaults();
});

test('a callback that is given up: the call that sends it again', async () => {
  await world.api.addFault({ target: 'callback', mode: 'status', status: 503 });
  const { verificationUuid } = await world.api.verifyUser(toRobot(world, 'taylor-robbins'));
  await world.api.advance('1d');
  await world.api.removeFaults();
  const [callback] = (await world.api.callbacks({ verificationUuid, status: 'GIVEN-UP' })).callbacks;
  const { next, calls } = await world.api.why(verificationUuid);
  expect(next[0]).toBe('Return 200 from your callback endpoint, then send the callback again.');
  expect(calls[0]).toEqual({ method: 'POST', path: `/sandbox/v1/callbacks/${callback!.id}/replay` });
});

test('a VASP that the robot could not ask is told to look at its answer', async () => {
  const silent = await world.register('7003');
  await silent.api.changeVasp('7003', { endpoints: { verifyUser: null } });
  const { body } = await silent.api.readyRequest('robot-verify-user', { symbol: 'ETH' });
  const { verificationUuid } = await silent.api.robotVerifyUser(body as VerifyUserRequest);
  await expect
    .poll(async () => (await silent.api.why(verificationUuid)).next)
    .toEqual([REASONS['UNDEFINED-ERROR'].advice]);
});

test('what is under way: wait, and for what', async () => {
  const { verificationUuid } = await world.api.verifyUser(toRobot(world, 'never-answers'));
  expect((await world.api.why(verificationUuid)).next).toEqual([
    'Wait for the result: the callback VERIFICATION_RESULT brings it.',
  ]);
});

test('30 lines at most, each in one line, and none twice', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'taylor-robbins'));
  await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'one\ntwo\u2028three');
  for (let n = 0; n < 6; n++) await world.api.robotWithdraw(uuid).catch(() => {});
  for (const target of ['callback', 'callback.VERIFICATION_RESULT', 'callback.ERROR_REPORT'] as const)
    for (const status of [500, 503]) await world.api.addFault({ target, mode: 'status', status, times: 9 });
  for (let n = 0; n < 6; n++) await world.api.advance('1h');
  await world.api.removeFaults();
  const { what, facts, next } = await world.api.why(uuid);
  expect([what, ...facts, ...next].join('\n').split(/[\n\r\u2028]/)).toHaveLength(1 + facts.length + next.length);
  expect(facts.length + next.length).toBeLessThanOrEqual(28);
  expect(facts[0]).toContain('message "one⟨U+000A⟩two⟨U+2028⟩three"');
  expect(new Set(facts).size).toBe(facts.length);
});

test('another VASP, and an unknown id, get 404', async () => {
  const uuid = await verifiedBy(world, toRobot(world, 'taylor-robbins'));
  for (const [api, id] of [
    [other.api, uuid],
    [world.api, '11111111-1111-4111-8111-111111111111'],
    [world.api, 'no uuid'],
  ] as const)
    await expect(api.why(id)).rejects.toMatchObject({ status: 404, code: 'VERIFICATION-NOT-FOUND' });
});

describe('between two registered VASPs', () => {
  const toOther = () => {
    const request = toRobot(world, 'taylor-robbins');
    request.beneficiaryVaspId = '7001';
    return request;
  };

  test('the robot has no part in it, and a reported payment is not asked for again', async () => {
    const uuid = await verifiedBy(world, toOther());
    const { result } = await world.api.verification(uuid);
    expect(result).toBe('VERIFIED');
    expect((await other.api.why(uuid)).next).toEqual(['Wait for the payment of the other VASP and its report.']);
    await world.api.reportTransaction(uuid, `0x${'ab'.repeat(32)}`);
    expect((await world.api.why(uuid)).next).toEqual([]);
    expect((await other.api.why(uuid)).next).toEqual(['Credit your customer when the transaction is final.']);
  });
});

test('an ordered fault is named, and nobody is asked about a verification that was denied', async () => {
  await world.api.addFault({ target: 'robot.verifyUser', mode: 'malformed', times: 1 });
  const uuid = await verifiedBy(world, toRobot(world, 'taylor-robbins'));
  const { facts } = await world.api.why(uuid);
  expect(facts.join('\n')).toMatch(/You ordered a fault: .*malformed/);
  expect(facts.filter(fact => fact.includes('status query'))).toEqual([]);
  await world.api.removeFaults();
});
