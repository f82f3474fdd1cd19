import { describe, expect, test } from 'vitest';
import type { Order } from '../../src/client/calls.ts';
import type { RobotUser } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { BEHAVIOUR_CODES, type Behaviour } from '../../src/robot/users/user.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  movingClock,
  reaches,
  received,
  robotVerificationOf,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { accountOf, natural, paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { assess, kytOf, outgoing } from '../support/requests/risk.ts';
import { HARBOUR, KIM, withUser } from '../support/requests/users.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** Users that a VASP has added or changed: judged, paid, paying and screened as those of the fixtures are. */

const world = await forFile(createWorld());
const other = await forFile(registerVasp(world, '7001'));

async function outcomeOf(user: RobotUser, advance = '0s', change?: Parameters<typeof verificationOf>[1]) {
  const request = verificationOf(withUser(world, user), { user: user.id, ...change });
  const { verificationUuid: uuid } = await world.api.verifyUser(request);
  await world.advance(advance);
  const { verificationResult, reason } = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  return { uuid, said: `${verificationResult} / ${reason}` };
}

const OUTCOMES: Record<Behaviour, [outcome: string, advance?: string]> = {
  ORDINARY: ['VERIFIED / OK'],
  'NEVER-ANSWERS': ['ERROR / REQUEST-TIMEOUT', '5s'],
  'ANSWERS-LATE': ['ERROR / REQUEST-TIMEOUT', '10s'],
  'ANSWERS-SLOWLY': ['VERIFIED / OK', '3s'],
  'CHANGES-ACCOUNT-NUMBER': ['ERROR / BENEFICIARY-ACCOUNT-NOT-MATCHED'],
  'NOT-ALLOWED': ['DENIED / NOT-ALLOWED'],
  'UNDEFINED-ERROR': ['DENIED / UNDEFINED-ERROR'],
  BLACKLISTED: ['DENIED / BLACKLISTED'],
  'MISMATCHED-NAME': ['DENIED / MISMATCHED-NAME'],
  'UNVERIFIED-KYC': ['DENIED / UNVERIFIED-KYC'],
  'UNKNOWN-SYMBOL': ['DENIED / UNKNOWN-SYMBOL'],
  'UNKNOWN-NETWORK': ['DENIED / UNKNOWN-NETWORK'],
  'UNKNOWN-ADDRESS': ['DENIED / UNKNOWN-ADDRESS'],
  UNKNOWN: ['UNKNOWN / UNKNOWN-ADDRESS'],
  'TRANSFER-PENDING': ['VERIFIED / OK'],
  'TRANSFER-CANCELED': ['VERIFIED / OK'],
  'TRANSFER-MISNAMED': ['VERIFIED / OK'],
  'SANCTIONED-ADDRESS': ['VERIFIED / OK'],
};

describe.each(ASSET_SYMBOLS)('PROD-5, %s: the behaviour that was chosen is what happens', symbol => {
  test.each(BEHAVIOUR_CODES)('of an added user: %s', async behaviour => {
    const user = await world.api.putUser(`is-${behaviour.toLowerCase()}`, { ...KIM, behaviour });
    const [outcome, advance] = OUTCOMES[behaviour];
    expect((await outcomeOf(user, advance, { symbol })).said).toBe(outcome);
  });
});

test('REF-4.6.10: a slow answer within the limit counts; D-12: one behind the limit does not', async () => {
  const { api, vasp } = world;
  const slow = await api.verifyUser(verificationOf(world, { user: 'answers-slowly' }));
  const late = await api.verifyUser(verificationOf(world, { user: 'answers-late' }));
  await world.advance('2s');
  expect(vasp.callbacks(slow.verificationUuid)).toEqual([]);
  await world.advance('2s');
  const answered = await vasp.ordinary.callbackOf(slow.verificationUuid, 'VERIFICATION_RESULT');
  expect(answered).toMatchObject({ verificationResult: 'VERIFIED' });
  expect(vasp.callbacks(late.verificationUuid)).toEqual([]);
  await world.advance('10s');
  expect(vasp.callbacks(late.verificationUuid)).toMatchObject([
    { data: { verificationResult: 'ERROR', reason: 'REQUEST-TIMEOUT' } },
  ]);
  expect(await api.verification(late.verificationUuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
});

describe('judged by what stands there now', () => {
  test('REF-2.3: names, KYC and company of an added user', async () => {
    const put = (change: Partial<Order<'putUser'>> = {}) =>
      world.api.putUser('judged', { ...KIM, ...change } as Order<'putUser'>);
    const misnamed = {
      change: (request: ReturnType<typeof verificationOf>) => {
        request.payload.ivms101.beneficiary.beneficiaryPersons = [natural('Kim', 'Seoyeon')];
      },
    };
    expect((await outcomeOf(await put())).said).toBe('VERIFIED / OK');
    expect((await outcomeOf(await put(), '0s', misnamed)).said).toBe('DENIED / MISMATCHED-NAME');
    expect((await outcomeOf(await put({ kyc: false }))).said).toBe('DENIED / UNVERIFIED-KYC');
    const company = await put(HARBOUR);
    expect((await outcomeOf(company)).said).toBe('VERIFIED / OK');
    const representative = structuredClone(HARBOUR) as Order<'putUser'> & { kind: 'legal' };
    representative.names.representatives = [{ lastName: 'Berg', firstName: 'Nils' }];
    await put(representative);
    expect((await outcomeOf(company)).said).toBe('DENIED / MISMATCHED-NAME');
  });

  test('WIRE-2.3: account verification', async () => {
    const user = await world.api.putUser('account', { ...KIM, kyc: false });
    const ask = () => world.api.verifyAccount(accountOf(withUser(world, user), { user: 'account' }));
    expect(await ask()).toMatchObject({ accountVerificationResult: 'DENIED', reason: 'UNVERIFIED-KYC' });
    await world.api.putUser('account', KIM);
    expect(await ask()).toMatchObject({ accountVerificationResult: 'VERIFIED' });
    await world.api.removeUser('account');
    expect(await ask()).toMatchObject({ accountVerificationResult: 'DENIED', reason: 'UNKNOWN-ADDRESS' });
  });

  test.each(['removed', 'ethan-cook'])('a removed user is UNKNOWN-ADDRESS, and the timeline says why: %s', async id => {
    const user = await world.api.putUser(id, KIM);
    await world.api.removeUser(id);
    const { uuid, said } = await outcomeOf(user);
    expect(said).toBe('DENIED / UNKNOWN-ADDRESS');
    expect(JSON.stringify(await world.api.timeline(uuid))).toContain(`${id} was removed`);
  });

  test('PROD-4: the catalogue speaks of the users that there are', async () => {
    await world.api.restoreUsers();
    const scenarios = async () =>
      (await world.api.call<{ scenarios: { id: string; user: string }[] }>('GET', '/sandbox/v1/scenarios')).body
        .scenarios;
    const before = await scenarios();
    const userOf = (all: typeof before, id: string) => all.find(each => each.id === id)?.user;
    expect(userOf(before, 'verify-user: UNVERIFIED-KYC')).toBe('ethan-cook');
    await world.api.removeUser('ethan-cook');
    await world.api.putUser('taylor-robbins', { ...KIM, behaviour: 'NEVER-ANSWERS' });
    await world.api.removeUser('risk-low');
    await world.api.putUser('catalogue', { ...KIM, kyc: false });
    const after = await scenarios();
    expect(userOf(after, 'verify-user: UNVERIFIED-KYC')).toBe('catalogue');
    expect(userOf(after, 'verify-user: OK')).toBe('risk-medium');
    expect(userOf(after, 'behaviour: taylor-robbins')).toBe('taylor-robbins');
    for (const gone of ['risk-low', 'ethan-cook']) expect(after.map(({ user }) => user)).not.toContain(gone);
    for (const { id } of after.filter(each => each.id.startsWith('verify-user: ')))
      expect(before.map(each => each.id)).toContain(id);
    await world.api.restoreUsers();
    expect(timeless(await scenarios())).toEqual(timeless(before));
  });
});

/** Ready requests have the present time. */
const timeless = (all: object): unknown =>
  JSON.parse(JSON.stringify(all, (name, value) => (name === 'tradeISODatetime' ? undefined : value)));

describe.each(ASSET_SYMBOLS)('REF-4.5, REF-4.6, %s', symbol => {
  test('a deposit to an added user is credited to its verification', async () => {
    const user = await world.api.putUser(`paid-in-${symbol.toLowerCase()}`, KIM);
    const here = withUser(world, user);
    const verification = await verified(here, { user: user.id, symbol });
    expect(verification.to).toBe(user.accounts[symbol]);
    const txHash = await paid(world, verification);
    await world.api.reportTransaction(verification.uuid, txHash);
    await world.idle();
    expect(await balanceAt(world, symbol, verification.to)).toBe(verification.amount);
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED', verificationUuid: verification.uuid });
  });

  test('an unattributed deposit to an added user is seen only by its VASP', async () => {
    const user = await world.api.putUser(`unexpected-${symbol.toLowerCase()}`, KIM);
    const txHash = await paid(world, { symbol, to: user.accounts[symbol], amount: world.amount() });
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED', verificationUuid: null });
    expect(await depositOf({ api: other.api }, txHash)).toBeUndefined();
    expect(JSON.stringify(await world.api.health())).toContain(txHash);
    expect(JSON.stringify(await other.api.health())).not.toContain(txHash);
  });

  test('D-22: another VASP has no such user: not to verify, not to pay from, no balance', async () => {
    const user = await world.api.putUser(`of-one-${symbol.toLowerCase()}`, KIM);
    const theirs = { ...withUser(world, user), api: other.api, vaspId: other.vaspId, vasp: other.vasp };
    const request = verificationOf(theirs, { user: user.id, symbol });
    const { verificationUuid: uuid } = await other.api.verifyUser(request);
    expect(await other.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT')).toMatchObject({
      verificationResult: 'DENIED',
      reason: 'UNKNOWN-ADDRESS',
    });
    const unknown = { status: 400, code: 'UNKNOWN-ADDRESS' };
    const fromIt = robotVerificationOf(theirs, { user: user.id, symbol });
    await expect(other.api.robotVerifyUser(fromIt)).rejects.toMatchObject(unknown);
    const balance = other.api.balance(other.vaspId, symbol, user.accounts[symbol]);
    await expect(balance).rejects.toMatchObject(unknown);
  });
});

describe('REF-2.5, REF-2.7: screening by the users that the asking VASP has', () => {
  const sanction = async (api: World['api'], uuid: string) => {
    const { status, body } = await assess(api, 'sanction', { verificationUuid: uuid });
    expect(status).toBe(200);
    return (body.providerASanction as { status: string }).status;
  };

  test.each(ASSET_SYMBOLS)('an added user with SANCTIONED-ADDRESS stands on the list, %s', async symbol => {
    const user = await world.api.putUser('listed', { ...KIM, behaviour: 'SANCTIONED-ADDRESS' });
    const here = withUser(world, user);
    const uuid = await outgoing(here, { user: 'listed', symbol });
    expect(await sanction(world.api, uuid)).toBe('SANCTION');
    expect(await kytOf(here, uuid)).toMatchObject({ providerAKYT: { alertCount: 1 } });
    await world.api.removeUser('listed');
    expect(await sanction(world.api, uuid)).toBe('SANCTION');
    await world.api.putUser('listed', KIM);
    expect(await sanction(world.api, uuid)).toBe('NOHIT');
  });

  test('a changed user is listed for the VASP that has changed it, and for no other', async () => {
    const changed = await world.api.putUser('taylor-robbins', { ...KIM, behaviour: 'SANCTIONED-ADDRESS' });
    const ours = await outgoing(withUser(world, changed), { user: changed.id });
    expect(await sanction(world.api, ours)).toBe('SANCTION');
    const request = verificationOf({ ...world, api: other.api }, { user: 'taylor-robbins' });
    const { verificationUuid: theirs } = await other.api.verifyUser(request);
    const told = await other.vasp.ordinary.callbackOf(theirs, 'VERIFICATION_RESULT');
    expect(told.verificationResult).toBe('VERIFIED');
    expect(await sanction(other.api, theirs)).toBe('NOHIT');
  });
});

describe('PROD-5: the robot pays from an added user', async () => {
  const moving = await forFile(createWorld({ clock: movingClock }));

  test.each(ASSET_SYMBOLS)('%s: what it has received, and no more', async symbol => {
    const user = await moving.api.putUser('pays', KIM);
    const here = withUser(moving, user);
    // On a network given by URL nobody else funds the account for its fees.
    await paid(moving, { symbol, to: user.accounts[symbol], amount: '0.5' });
    const income = await received(here, { user: 'pays', symbol });
    const { uuid, from, to } = await verifiedForRobot(here, { user: 'pays', symbol, amount: income });
    const more = await verifiedForRobot(here, { user: 'pays', symbol, amount: '0.5' });
    await moving.api.robotWithdraw(uuid);
    await reaches(moving, uuid, 'CONFIRMED');
    expect(await ledgerOf(moving, symbol).balanceOf(to)).toBe(income);
    expect(from).toBe(user.accounts[symbol]);
    expect(await balanceAt(moving, symbol, from)).toBe('0');
    const refused = moving.api.robotWithdraw(more.uuid);
    await expect(refused).rejects.toMatchObject({ code: 'INSUFFICIENT-BALANCE' });
  });

  test.each(ASSET_SYMBOLS)('what was begun with a removed user is finished, %s', async symbol => {
    const user = await moving.api.putUser('leaves', KIM);
    const here = withUser(moving, user);
    await paid(moving, { symbol, to: user.accounts[symbol], amount: '0.5' });
    const first = await received(here, { user: 'leaves', symbol });
    const { uuid, to } = await verifiedForRobot(here, { user: 'leaves', symbol, amount: first });
    const open = await verified(here, { user: 'leaves', symbol });
    await moving.api.removeUser('leaves');
    const txHash = await paid(moving, open);
    await moving.api.reportTransaction(open.uuid, txHash);
    await moving.idle();
    expect(await depositOf(moving, txHash)).toMatchObject({ status: 'CREDITED', verificationUuid: open.uuid });
    await moving.api.robotWithdraw(uuid);
    await reaches(moving, uuid, 'CONFIRMED');
    expect(await ledgerOf(moving, symbol).balanceOf(to)).toBe(first);
    expect(await balanceAt(moving, symbol, user.accounts[symbol])).toBe(open.amount);
    const again = moving.api.robotVerifyUser(robotVerificationOf(here, { user: 'leaves', symbol }));
    await expect(again).rejects.toMatchObject({ code: 'UNKNOWN-ADDRESS' });
  });
});
