import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import { toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');
const stranger = await world.register('7002');

const fresh = () => verifiedBy(world, toVasp(world, other.vaspId));
async function delivered(uuid: string) {
  await other.api.advance('0s');
  return other.vasp.callbacks(uuid).map(({ callbackType, data }) => ({ callbackType, data }));
}
const refusal = async (call: Promise<unknown>) => {
  const error = await call.catch(failure => failure);
  expect(error).toBeInstanceOf(Refused);
  const { status, code } = error as Refused;
  return [status, code];
};

describe('WIRE-2.8, D-15: an error report', () => {
  test.each(['VERIFIED', 'DENIED', 'ERROR'])(
    'of %s: the result becomes ERROR on both sides, with the reported reason and message',
    async result => {
      const uuid = await fresh();
      const before = await world.api.verification(uuid);
      const body = { verificationUuid: uuid, result, reason: 'USER-CANCELED', message: 'User canceled' };
      const answer = await world.api.call('POST', '/v1/verifications/error', body);
      expect([answer.status, answer.body]).toEqual([200, { result: true }]);
      const expected = { ...before, result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled' };
      for (const { api } of [world, other]) expect(await api.verification(uuid)).toEqual(expected);
      expect(await delivered(uuid)).toEqual([
        {
          callbackType: 'ERROR_REPORT',
          data: { verificationUuid: uuid, result, reason: 'USER-CANCELED', message: 'User canceled' },
        },
      ]);
    },
  );

  test('appears in the list', async () => {
    const uuid = await fresh();
    await world.api.reportError(uuid, 'ERROR', 'BLACKLISTED');
    const inError = async () =>
      (await other.api.list({ result: 'ERROR', rpp: 100 })).verifications.map(row => row.verificationUuid);
    expect(await inError()).toContain(uuid);
  });

  test('needs no message', async () => {
    const uuid = await fresh();
    await world.api.reportError(uuid, 'ERROR', 'OK');
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'OK', message: '' });
    expect(await delivered(uuid)).toMatchObject([{ data: { message: '' } }]);
  });

  test.each([
    ['a reason of 256 characters', 'r'.repeat(256), undefined],
    ['a message of 1024 characters', 'X', 'é'.repeat(1024)],
    ['a reason of nobody', 'Blocked by compliance – 規則', 'because'],
  ])('keeps %s unchanged', async (_, reason, message) => {
    const uuid = await fresh();
    await world.api.reportError(uuid, 'ERROR', reason, message);
    expect(await world.api.verification(uuid)).toMatchObject({ reason, message: message ?? '' });
  });

  test('keeps the reported transaction', async () => {
    const uuid = await fresh();
    await world.api.reportTransaction(uuid, '0xab', '1');
    await world.api.reportError(uuid, 'ERROR', 'DROPPED');
    expect(await world.api.verification(uuid)).toMatchObject({ result: 'ERROR', txHash: '0xab', vout: '1' });
    expect((await delivered(uuid)).map(({ callbackType }) => callbackType)).toEqual(['TX_REPORT', 'ERROR_REPORT']);
  });

  test('a repeated report changes nothing, a different one is refused', async () => {
    const uuid = await fresh();
    await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'text');
    const stored = await world.api.verification(uuid);
    for (let i = 0; i < 2; i++)
      expect(await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'text')).toEqual({ result: true });
    const others = [
      ['DENIED', 'USER-CANCELED', 'text'],
      ['ERROR', 'OTHER', 'text'],
      ['ERROR', 'USER-CANCELED', 'other'],
      ['ERROR', 'USER-CANCELED'],
    ] as const;
    for (const [result, reason, message] of others)
      expect(await refusal(world.api.reportError(uuid, result, reason, message))).toEqual([400, 'NOT-VERIFIED']);
    expect(await world.api.verification(uuid)).toEqual(stored);
    expect(await delivered(uuid)).toHaveLength(1);
  });
});

describe('D-15: refused error reports', () => {
  test('a report by another VASP than the originating one is 400 VASP-NOT-MATCHED', async () => {
    const uuid = await fresh();
    for (const { api } of [other, stranger])
      expect(await refusal(api.reportError(uuid, 'ERROR', 'X'))).toEqual([400, 'VASP-NOT-MATCHED']);
    expect((await world.api.verification(uuid)).result).toBe('VERIFIED');
    expect(await delivered(uuid)).toEqual([]);
  });

  test('a report on a verification that is denied, timed out or open is 400 NOT-VERIFIED', async () => {
    other.vasp.script(
      'verifyUser',
      undefined,
      { body: { result: 'DENIED', reason: 'NOT-ALLOWED', version: '1.0' } },
      { body: { result: 'UNKNOWN', reason: 'UNKNOWN-ADDRESS', version: '1.0' } },
      { body: { result: 'ERROR', reason: 'REQUEST-TIMEOUT', version: '1.0' } },
      'ordinary',
    );
    for (let i = 0; i < 3; i++) {
      const uuid = await fresh();
      const stored = await world.api.verification(uuid);
      expect(await refusal(world.api.reportError(uuid, 'ERROR', 'X'))).toEqual([400, 'NOT-VERIFIED']);
      expect(await world.api.verification(uuid)).toEqual(stored);
    }
    let answer = () => {};
    other.vasp.script('verifyUser', undefined, new Promise<void>(resolve => (answer = resolve)), 'ordinary');
    const { verificationUuid } = await world.api.verifyUser(toVasp(world, other.vaspId));
    expect(await refusal(world.api.reportError(verificationUuid, 'ERROR', 'X'))).toEqual([400, 'NOT-VERIFIED']);
    answer();
    await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  });

  test.each(['UNKNOWN', 'PENDING', 'TRANSFER_ERROR', 'verified'])(
    'WIRE-1.1: the result %s is 400 INVALID-RESULT',
    async result => {
      const uuid = await fresh();
      const { status, body } = await world.api.call('POST', '/v1/verifications/error', {
        verificationUuid: uuid,
        result,
        reason: 'X',
      });
      expect([status, body]).toEqual([
        400,
        { code: 'INVALID-RESULT', message: '`result` should be one of `VERIFIED`, `DENIED`, `ERROR`.' },
      ]);
    },
  );
});
