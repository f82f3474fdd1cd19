import { expect, test } from 'vitest';
import { movingClock, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** What `why` says about money: only what happened, and a next step that nobody pays twice for. */

const world = await forFile(createWorld({ clock: movingClock }));

const why = async (uuid: string) => {
  await world.idle();
  const { facts, next } = await world.api.why(uuid);
  expect(facts.filter(fact => fact.includes('..'))).toEqual([]);
  return { facts: facts.join('\n'), next };
};
const cancel = (uuid: string) => world.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'm');

test('a payment that nobody has reported: report its hash, and do not pay again', async () => {
  const verification = await verified(world, { amount: '0.0301' });
  const txHash = await paid(world, verification);
  const { facts, next } = await why(verification.uuid);
  expect(facts).toContain(`A payment of this amount has reached the robot (${txHash}). It is CONFIRMED`);
  expect(next).toEqual([`Report the hash of your payment: ${txHash}.`]);
});

test('an error report after the payment: nothing is called stopped, and the payment is named', async () => {
  const verification = await verified(world, { amount: '0.0302' });
  const txHash = await paid(world, verification);
  await world.idle();
  await world.advance('1m');
  await cancel(verification.uuid);
  const { facts, next } = await why(verification.uuid);
  expect(facts).toContain('The robot awaits no payment for it any more');
  expect(facts).toContain(`(${txHash}). It is UNATTRIBUTED`);
  expect(next.join()).toContain('Send an error report only when nothing is paid.');
  const { verifications } = await world.api.verifications({ search: verification.uuid });
  const since = Date.parse(verifications[0]!.verifiedAt!);
  const ended = Date.parse(/ERROR .*, at (\S+)\.$/m.exec(facts)![1]!);
  expect(ended - since).toBeGreaterThan(50_000);
});

test.each(['OK', 'BLACKLISTED', 'USER-CANCELED'])('after an error report %s nothing is to be paid', async reason => {
  const { uuid } = await verified(world, { amount: world.amount() });
  await world.api.reportError(uuid, 'ERROR', reason, '');
  expect(await why(uuid)).toMatchObject({ facts: expect.stringContaining('awaits no payment'), next: [] });
});

test('after an error report the verdict on an earlier report is nothing to act on', async () => {
  const verification = await verified(world, { amount: world.amount() });
  const txHash = await paid(world, { ...verification, amount: world.amount() });
  await world.api.reportTransaction(verification.uuid, txHash);
  expect((await why(verification.uuid)).next.join()).toContain('Pay the verified amount');
  await cancel(verification.uuid);
  expect((await why(verification.uuid)).next.join()).not.toMatch(/pay/i);
});

test('a status query that failed is not blamed for an error report that came after it', async () => {
  const { uuid } = await verified(world, { amount: '0.0305' });
  world.vasp.script('transactionStatus', uuid, { status: 500, body: {} });
  await expect(world.api.robotInquire(uuid)).rejects.toThrow();
  await cancel(uuid);
  const { facts, next } = await why(uuid);
  expect(facts).toContain('A call to your VASP failed: transactionStatus: 500');
  expect(next.join()).not.toContain('Look at exchange');
});

test.each<[string, number, (uuid: string) => object | string, string, RegExp]>([
  ['a wrong status', 500, () => ({}), 'status 500', /^Look at exchange \d+: correct how your VASP answers/],
  ['no JSON', 200, () => 'hello', 'is not JSON', /^Look at exchange \d+: correct how your VASP answers/],
  ['no hash', 200, uuid => status(uuid, 'CONFIRMED'), 'CONFIRMED', /^Report the hash: your VASP named none/],
  ['CANCELED', 200, uuid => status(uuid, 'CANCELED'), 'CANCELED', /^Your VASP returned CANCELED\. If that is right/],
  ['PENDING', 200, uuid => status(uuid, 'PENDING'), 'PENDING', /^Send the payment, then report its hash\./],
])('a status query that the robot makes by itself: %s', async (_, code, body, said, advice) => {
  const { uuid } = await verified(world, { amount: world.amount() });
  world.vasp.script('transactionStatus', uuid, { status: code, body: body(uuid) });
  await world.advance('10m');
  const { facts, next } = await why(uuid);
  expect(facts).toMatch(new RegExp(`^The last status query: .*${said}`, 'm'));
  expect(next).toEqual([expect.stringMatching(advice)]);
});
const status = (verificationUuid: string, transactionStatus: string) => ({ verificationUuid, transactionStatus });

test('the second payment for a credited verification is named', async () => {
  const verification = await verified(world, { amount: '0.0303' });
  const first = await paid(world, verification);
  const second = await paid(world, verification);
  await world.api.reportTransaction(verification.uuid, first);
  const { facts } = await why(verification.uuid);
  expect(facts).toContain('Your payment is CREDITED.');
  expect(facts).toContain(`Another payment of this amount has reached the robot (${second}).`);
});

test('a payment with another amount is not awaited: it is not credited', async () => {
  const verification = await verified(world, { amount: '0.0304' });
  await world.api.reportTransaction(verification.uuid, await paid(world, { ...verification, amount: '0.03041' }));
  const { facts } = await why(verification.uuid);
  expect(facts).toContain('No payment is credited: ');
  expect(facts).not.toContain('AWAITED');
});

test('a withdrawal that the robot refused says so', async () => {
  await received(world, { amount: '0.01' });
  const { uuid } = await verifiedForRobot(world, { amount: '999999' });
  await world.api.robotWithdraw(uuid).catch(() => {});
  expect((await why(uuid)).facts).toMatch(/Your call robot-withdraw was refused with 400 INSUFFICIENT-BALANCE: /);
});

test('a payment that the robot holds back is not there to be credited', async () => {
  const { uuid } = await verifiedForRobot(world, { user: 'transfer-pending', amount: '0.001' });
  await received(world, { user: 'transfer-pending', amount: '0.01' });
  await world.api.robotWithdraw(uuid);
  expect((await why(uuid)).next).toEqual(['Wait: the robot has not paid yet.']);
});

test.skipIf(BY_URL)(
  'a reorganisation takes a credit back: the same transaction is sent again, not a new one',
  async () => {
    const verification = await verified(world, { amount: '0.0305' });
    await world.api.reportTransaction(verification.uuid, await paid(world, verification));
    expect((await why(verification.uuid)).facts).toContain('Your payment is CREDITED.');
    await world.api.setControl('ETH', 'reorg', { depth: 1, moved: false });
    const { facts, next } = await why(verification.uuid);
    expect(facts).toContain('a reorganisation removed its block: the credit is taken back.');
    expect(next).toEqual(['Send the same signed transaction again. A new one may pay twice.']);
  },
);
