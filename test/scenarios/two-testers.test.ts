import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { userRequest } from '../../src/contract/sample-requests.ts';
import { openOnce } from '../support/open-once.ts';
import { FOREIGN, paid, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { type OtherVasp, registerVasp, verificationAt } from '../support/vasp/other-vasp.ts';
import { createWorld } from '../support/world/world.ts';

const world = openOnce(() => createWorld({ env: { VASP_TIMEOUT_USER: '2s', VASP_TIMEOUT_CALLBACK: '30s' } }));
let other: OtherVasp;
let serial = 1_000;
beforeEach(async () => {
  other = await registerVasp(world, String(++serial), { header: 'Authorization', token: 'of-the-other' });
});
afterEach(() => other.vasp.close());

/** The other VASP's verification with the robot, VERIFIED. */
async function othersVerification(amount = world.amount()) {
  const user = world.user('garrit-studio');
  const request = userRequest({ robotVaspId: world.robotVaspId, user, symbol: 'ETH', amount, from: FOREIGN.ETH });
  const { verificationUuid: uuid } = await other.api.verifyUser(request);
  const { verificationResult } = await other.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  expect(verificationResult).toBe('VERIFIED');
  return { uuid, symbol: 'ETH', to: user.accounts.ETH, amount } as const;
}

describe('two registered VASPs at once', () => {
  test('D-01: the key tells who is calling; it is shown once and never again', async () => {
    expect(await other.api.self()).toEqual({ vaspId: other.vaspId });
    expect(await world.api.self()).toEqual({ vaspId: world.vaspId });
    const { body } = await world.api.call<{ vasps: object[] }>('GET', '/sandbox/v1/vasps');
    expect(JSON.stringify(body)).not.toContain(other.apiKey);
    expect(JSON.stringify(body)).not.toContain('of-the-other');
    const again = await other.api.registerVasp(other.vaspId, { name: 'B', endpoints: other.vasp.endpoints });
    expect(again).not.toHaveProperty('apiKey');
  });

  test('nobody but itself changes a VASP', async () => {
    const refused = world.api.registerVasp(other.vaspId, { name: 'taken over' });
    await expect(refused).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('D-23: the list holds the caller, the robot and the other', async () => {
    const ids = (await other.api.vasps()).vasps.map(vasp => vasp.vaspId);
    expect(ids).toEqual(expect.arrayContaining([other.vaspId, world.robotVaspId, world.vaspId]));
  });

  test('each gets its own callbacks, with its own authorization', async () => {
    const ours = await verified(world);
    const theirs = await othersVerification();
    expect(world.vasp.callbacks(theirs.uuid)).toEqual([]);
    expect(other.vasp.callbacks(ours.uuid)).toEqual([]);
    const [callback] = other.vasp.received('callback', theirs.uuid);
    expect(callback?.headers.get('authorization')).toBe('Bearer of-the-other');
  });

  test('neither sees the other: not its verifications, lists, timelines, timers, exchanges, mailbox', async () => {
    const theirs = await othersVerification();
    const seen = JSON.stringify([
      await world.api.list({ rpp: 100 }),
      await world.api.timers(),
      await world.api.exchanges(),
      await world.api.callbacks(),
      await world.api.mailbox(),
      await world.api.receivedPayments(),
    ]);
    expect(seen).not.toContain(theirs.uuid);
    const missing = { status: 404, code: 'VERIFICATION-NOT-FOUND' };
    await expect(world.api.verification(theirs.uuid)).rejects.toMatchObject(missing);
    await expect(world.api.timeline(theirs.uuid)).rejects.toMatchObject(missing);
    await expect(world.api.robotInquire(theirs.uuid)).rejects.toMatchObject(missing);
    await expect(world.api.reportTransaction(theirs.uuid, FOREIGN.ETH)).rejects.toMatchObject({ status: 400 });
    expect(JSON.stringify(await other.api.list())).toContain(theirs.uuid);
  });

  test('each has its own clock: one that moves a day fires nothing of the other', async () => {
    const theirs = await othersVerification();
    const before = await other.api.clock();
    const { fired, now } = await world.advance('24h');
    expect(fired.filter(timer => timer.key.includes(theirs.uuid))).toEqual([]);
    expect(await other.api.clock()).toEqual(before);
    expect(Date.parse(now) - Date.parse(before.now)).toBeGreaterThanOrEqual(24 * 3_600_000);
    expect((await other.api.timers()).timers.map(timer => timer.key)).toEqual([theirs.uuid]);
  });

  test('D-18, D-19: the same amount at the same address: credited to whom the hash was reported by', async () => {
    const theirs = await othersVerification();
    const ours = await verified(world, { user: 'garrit-studio', amount: theirs.amount });
    const balances = () =>
      Promise.all(
        [[world.api, world.vaspId] as const, [other.api, other.vaspId] as const].map(
          async ([api, vaspId]) => (await api.balance(vaspId, 'ETH', ours.to)).value,
        ),
      );
    expect(await balances()).toEqual(['0', '0']);
    const txHash = await paid(world, theirs);
    await other.api.reportTransaction(theirs.uuid, txHash);
    await other.api.advance('0s');
    expect(await balances()).toEqual(['0', theirs.amount]);
    await expect(world.api.balance(other.vaspId, 'ETH', ours.to)).rejects.toMatchObject({ code: 'ALLIANCE-NOT-FOUND' });
  });

  test('D-24: a payment that is credited to the other one is ALREADY-USED, and its verification stays unknown', async () => {
    const theirs = await othersVerification();
    const ours = await verified(world, { user: 'garrit-studio', amount: theirs.amount });
    const txHash = await paid(world, theirs);
    await other.api.reportTransaction(theirs.uuid, txHash);
    await world.api.reportTransaction(ours.uuid, txHash);
    await world.idle();
    const { verifications } = await world.api.verifications({ search: ours.uuid });
    expect(verifications[0]!.report).toMatchObject({
      verdict: 'ALREADY-USED',
      got: 'credited to a verification of another VASP',
    });
    const seen = [verifications, await world.api.timeline(ours.uuid), await world.api.health()];
    expect(JSON.stringify(seen)).not.toContain(theirs.uuid);
  });

  test('D-24: a deposit that the other one named wrongly: only the other one reads which verification', async () => {
    const theirs = await othersVerification();
    const amount = world.amount();
    const txHash = await paid(world, { ...theirs, amount });
    await other.api.reportTransaction(theirs.uuid, txHash);
    const noteIn = async (api: typeof world.api) =>
      (await api.receivedPayments()).payments.find(deposit => deposit.txHash === txHash)?.note;
    await until(async () => {
      await world.idle();
      return (await noteIn(world.api))?.startsWith('unattributed: WRONG-AMOUNT') ?? false;
    });
    expect(await noteIn(world.api)).toBe('unattributed: WRONG-AMOUNT for the verification that named it');
    expect(await noteIn(other.api)).toContain(`WRONG-AMOUNT for ${theirs.uuid}: expected ${theirs.amount} `);
    expect(JSON.stringify(await world.api.health())).not.toContain(theirs.uuid);
  });

  test('a VASP that never answers its callbacks delays the other by nothing', async () => {
    other.vasp.script('callback', undefined, 'never');
    const user = world.user('garrit-studio');
    const wish = { robotVaspId: world.robotVaspId, user, symbol: 'ETH', from: FOREIGN.ETH } as const;
    for (let i = 0; i < 100; i++) await other.api.verifyUser(userRequest({ ...wish, amount: world.amount() }));
    await other.vasp.arrived('callback', undefined, 1);
    await verified(world);
    expect(other.vasp.received('callback').length).toBeLessThan(100);
    await other.vasp.down();
    await verified(world);
    await other.vasp.up();
  });

  test('reset removes the data of the caller alone', async () => {
    const theirs = await othersVerification();
    const ours = await verified(world);
    const txHash = await paid(world, theirs);
    await other.api.reportTransaction(theirs.uuid, txHash);
    await other.api.advance('1h');
    expect((await other.api.balance(other.vaspId, 'ETH', theirs.to)).value).toBe(theirs.amount);

    await world.api.reset();
    expect(await world.api.exchanges()).toEqual({ exchanges: [], next: null, total: 0 });
    await expect(world.api.verification(ours.uuid)).rejects.toMatchObject({ status: 404 });
    expect(await world.api.list()).toMatchObject({ count: 0, verifications: [] });
    expect(await world.api.timers()).toEqual({ timers: [], total: 0, next: null });
    expect(await world.api.callbacks()).toEqual({ callbacks: [], total: 0, next: null });
    expect(await world.api.self()).toEqual({ vaspId: world.vaspId });
    expect(await other.api.verification(theirs.uuid)).toMatchObject({ result: 'VERIFIED', txHash });
    expect((await other.api.balance(other.vaspId, 'ETH', theirs.to)).value).toBe(theirs.amount);
    expect((await other.api.callbacks()).callbacks).toHaveLength(1);
    await verified(world);
  });
});

describe('two VASPs that test against each other', () => {
  test('the other one judges, answers, and is told of the report', async () => {
    const request = verificationAt(world, other);
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    const result = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(result).toMatchObject({ verificationResult: 'VERIFIED', reason: 'OK' });
    const [asked] = other.vasp.received('verifyUser', uuid);
    expect(asked?.body).toEqual({
      verificationUuid: uuid,
      assetInfo: request.assetInfo,
      requiredBeneficiaryInfo: request.requiredBeneficiaryInfo,
      originatingVaspId: world.vaspId,
      version: '1.0',
      ivms101: request.payload.ivms101,
    });
    const txHash = `0x${'99'.repeat(32)}`;
    await world.api.reportTransaction(uuid, txHash, '2');
    const told = await other.vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
    expect(told).toEqual({ verificationUuid: uuid, txHash, vout: '2' });
    const [ours, theirs] = [await world.api.verification(uuid), await other.api.verification(uuid)];
    expect(theirs).toEqual(ours);
    expect((await world.api.list({ actionType: 'SEND', txHash })).count).toBe(1);
    expect((await world.api.list({ actionType: 'RECEIVE', txHash })).count).toBe(0);
    expect((await other.api.list({ actionType: 'RECEIVE', oppositeVaspId: world.vaspId })).count).toBe(1);
  });

  test('the beneficiary inquires: the originating VASP is asked, and only on behalf of the beneficiary', async () => {
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationAt(world, other));
    await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    world.vasp.ordinary.setStatus(uuid, 'WAIT-CONFIRM', '0xabc');
    expect(await other.api.inquireTransaction(uuid)).toEqual({
      verificationUuid: uuid,
      transactionStatus: 'WAIT-CONFIRM',
      txHash: '0xabc',
    });
    expect(world.vasp.received('transactionStatus', uuid).map(each => each.body)).toEqual([{ verificationUuid: uuid }]);
    await expect(world.api.inquireTransaction(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
    await expect(other.api.reportTransaction(uuid, '0xabc')).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  });

  test.each([
    ['late', 'never', 'ERROR', 'REQUEST-TIMEOUT', ''],
    [
      'not 200',
      { status: 500, body: {} },
      'DENIED',
      'UNDEFINED-ERROR',
      'The VASP answered with status 500 instead of 200.',
    ],
    ['no JSON', { body: 'x' }, 'DENIED', 'UNDEFINED-ERROR', 'The answer of the VASP is not JSON.'],
    [
      'no result',
      { body: { reason: 'OK', version: '1.0' } },
      'DENIED',
      'UNDEFINED-ERROR',
      expect.stringContaining('`result`'),
    ],
    [
      'a reason of its own',
      { body: { result: 'DENIED', reason: 'TOO-LATE', version: '1.0' } },
      'DENIED',
      'UNDEFINED-ERROR',
      expect.stringContaining('`reason`'),
    ],
    [
      'another account',
      {
        body: {
          result: 'VERIFIED',
          reason: 'OK',
          version: '1.0',
          ivms101: { beneficiary: { accountNumber: ['0x1'] } },
        },
      },
      'ERROR',
      'BENEFICIARY-ACCOUNT-NOT-MATCHED',
      '',
    ],
    [
      'a refusal',
      { body: { result: 'DENIED', reason: 'NOT-ALLOWED', message: 'not today', version: '1.0' } },
      'DENIED',
      'NOT-ALLOWED',
      'not today',
    ],
  ] as const)('D-12: an answer that is %s', async (_, reply, result, reason, message) => {
    other.vasp.script('verifyUser', undefined, reply);
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationAt(world, other));
    const outcome = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(outcome).toMatchObject({ verificationResult: result, reason, message });
    expect(await world.api.verification(uuid)).toMatchObject({ result, reason, message });
  });

  test('D-12: personal data that was not requested is stripped from the answer', async () => {
    const request = verificationAt(world, other);
    request.requiredBeneficiaryInfo = 'ACCOUNT_NUMBER';
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    const { ivms101 } = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    const { accountNumber } = request.payload.ivms101.beneficiary;
    expect(ivms101).toEqual({ beneficiary: { accountNumber } });
    expect(JSON.parse((await world.api.verification(uuid)).ivms101Beneficiary)).toEqual({ accountNumber });
  });

  test('a VASP cannot verify with itself', async () => {
    const refused = other.api.verifyUser(verificationAt(world, other));
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'BAD-REQUEST' });
  });
});
