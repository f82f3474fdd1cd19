import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import { toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');
const stranger = await world.register('7002');

const fresh = () => verifiedBy(world, toVasp(world, other.vaspId));
const reports = (uuid: string) => other.vasp.callbacks(uuid).map(({ callbackType, data }) => ({ callbackType, data }));
/** Everything due has gone out: the callbacks of `uuid`, from its beneficiary's side. */
async function delivered(uuid: string) {
  await world.api.advance('0s');
  await other.api.advance('0s');
  return reports(uuid);
}
const refusal = async (call: Promise<unknown>) => {
  const error = await call.catch(failure => failure);
  expect(error).toBeInstanceOf(Refused);
  const { status, code } = error as Refused;
  return [status, code];
};
const report = (uuid: string, txHash: string, vout?: string) => ({
  callbackType: 'TX_REPORT',
  data: { verificationUuid: uuid, txHash, ...(vout === undefined ? {} : { vout }) },
});

describe('WIRE-2.7: a report', () => {
  test('is accepted, stored with its time, and sent to the beneficiary VASP', async () => {
    const uuid = await fresh();
    const answer = await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash: '0xab' });
    expect([answer.status, answer.body]).toEqual([200, { result: true }]);
    expect(await delivered(uuid)).toEqual([report(uuid, '0xab')]);
    for (const { api } of [world, other])
      expect(await api.verification(uuid)).toMatchObject({
        result: 'VERIFIED',
        txHash: '0xab',
        vout: null,
        orderedAt: '2026-07-15T10:00:00.000Z',
      });
  });

  test('may carry the index of the transfer', async () => {
    const uuid = await fresh();
    await world.api.reportTransaction(uuid, '0xab', '2');
    expect(await delivered(uuid)).toEqual([report(uuid, '0xab', '2')]);
    expect(await world.api.verification(uuid)).toMatchObject({ txHash: '0xab', vout: '2' });
  });

  test('WIRE-6.2: keeps the hash exactly as it was sent', async () => {
    for (const txHash of ['0xABcd', 'abcd', '0X1', ' x ', 'é', "'; --", 'h'.repeat(128)]) {
      const uuid = await fresh();
      await world.api.reportTransaction(uuid, txHash);
      expect((await world.api.verification(uuid)).txHash).toBe(txHash);
      expect(await delivered(uuid)).toEqual([report(uuid, txHash)]);
    }
  });

  test('can name one transaction for several verifications', async () => {
    const uuids = [await fresh(), await fresh()];
    for (const [vout, uuid] of uuids.entries()) await world.api.reportTransaction(uuid, '0xshared', String(vout));
    const { verifications } = await other.api.list({ txHash: '0xshared' });
    expect(verifications.map(({ vout }) => vout)).toEqual(['1', '0']);
  });
});

describe('D-14: repeated and refused reports', () => {
  test('the same report again is accepted, sends no second callback and keeps its time', async () => {
    const uuid = await fresh();
    await world.api.reportTransaction(uuid, '0xab', '1');
    const stored = await world.api.verification(uuid);
    world.machine.at += 60_000;
    for (let i = 0; i < 2; i++) expect(await world.api.reportTransaction(uuid, '0xab', '1')).toEqual({ result: true });
    world.machine.at -= 60_000;
    expect(await world.api.verification(uuid)).toEqual(stored);
    expect(await delivered(uuid)).toEqual([report(uuid, '0xab', '1')]);
  });

  test.each([
    ['hash', '0xcd', '1'],
    ['index', '0xab', '2'],
    ['index, now without one', '0xab', undefined],
  ])('another %s replaces the first and is sent to the beneficiary VASP', async (_, txHash, vout) => {
    const uuid = await fresh();
    await world.api.reportTransaction(uuid, '0xab', '1');
    world.machine.at += 5_000;
    await world.api.reportTransaction(uuid, txHash, vout);
    world.machine.at -= 5_000;
    expect(await world.api.verification(uuid)).toMatchObject({
      txHash,
      vout: vout ?? null,
      orderedAt: '2026-07-15T10:00:05.000Z',
    });
    expect(await delivered(uuid)).toEqual([report(uuid, '0xab', '1'), report(uuid, txHash, vout)]);
  });

  test('a report by another VASP than the originating one is 400 VASP-NOT-MATCHED', async () => {
    const uuid = await fresh();
    for (const { api } of [other, stranger])
      expect(await refusal(api.reportTransaction(uuid, '0xab'))).toEqual([400, 'VASP-NOT-MATCHED']);
    expect((await world.api.verification(uuid)).txHash).toBeNull();
    expect(await delivered(uuid)).toEqual([]);
  });

  test('a report on a verification that is open, denied or in error is 400 NOT-VERIFIED', async () => {
    let answer = () => {};
    other.vasp.script('verifyUser', undefined, new Promise<void>(resolve => (answer = resolve)), 'ordinary');
    const { verificationUuid: open } = await world.api.verifyUser(toVasp(world, other.vaspId));
    expect(await refusal(world.api.reportTransaction(open, '0xab'))).toEqual([400, 'NOT-VERIFIED']);
    answer();
    await world.vasp.ordinary.callbackOf(open, 'VERIFICATION_RESULT');
    other.vasp.script('verifyUser', undefined, { body: { result: 'DENIED', reason: 'NOT-ALLOWED', version: '1.0' } });
    const denied = await fresh();
    other.vasp.script('verifyUser', undefined, 'ordinary');
    const inError = await fresh();
    await world.api.reportError(inError, 'ERROR', 'USER-CANCELED');
    for (const uuid of [denied, inError])
      expect(await refusal(world.api.reportTransaction(uuid, '0xab'))).toEqual([400, 'NOT-VERIFIED']);
    expect(await delivered(denied)).toEqual([]);
  });
});

test('D-13: a beneficiary VASP that was down gets its reports in order when it is back', async () => {
  const uuid = await fresh();
  await other.vasp.down();
  await world.api.reportTransaction(uuid, '0x1');
  await world.api.reportTransaction(uuid, '0x2');
  await other.api.advance('3s');
  await other.vasp.up();
  expect(reports(uuid)).toEqual([]);
  await other.api.advance('1m');
  expect(reports(uuid)).toEqual([report(uuid, '0x1'), report(uuid, '0x2')]);
});
