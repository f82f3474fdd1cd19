import { describe, expect, test } from 'vitest';
import { legal } from '../../src/contract/persons.ts';
import { toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');
const stranger = await world.register('7002');

const T0 = '2026-07-15T10:00:00.000Z';

/** REF-2.2, every member. */
const shown = (request: ReturnType<typeof toVasp>, uuid: string, more: object) => ({
  verificationId: expect.stringMatching(/^[1-9]\d*$/),
  verificationUuid: uuid,
  message: '',
  assetInfo: request.assetInfo,
  txHash: null,
  vout: null,
  originatingVaspId: world.vaspId,
  originatorAccountNumber: request.payload.ivms101.originator.accountNumber[0],
  ivms101Originator: JSON.stringify(request.payload.ivms101.originator),
  ivms101OriginatingVasp: JSON.stringify(legal('Tested VASP')),
  beneficiaryVaspId: other.vaspId,
  beneficiaryAccountNumber: request.payload.ivms101.beneficiary.accountNumber[0],
  ivms101Beneficiary: JSON.stringify(request.payload.ivms101.beneficiary),
  ivms101BeneficiaryVasp: JSON.stringify(legal('VASP 7001')),
  verifiedAt: null,
  orderedAt: null,
  createdAt: T0,
  ...more,
});

describe('REF-2.2: the verification result', () => {
  test('D-02: an open one has no result, no reason, an empty message and verifiedAt null', async () => {
    let answer = () => {};
    other.vasp.script('verifyUser', undefined, new Promise<void>(resolve => (answer = resolve)), 'ordinary');
    const request = toVasp(world, other.vaspId);
    const { verificationUuid } = await world.api.verifyUser(request);
    await other.vasp.arrived('verifyUser', verificationUuid, 1);
    expect(await world.api.verification(verificationUuid)).toEqual(shown(request, verificationUuid, {}));
    answer();
    await world.vasp.ordinary.callbackOf(verificationUuid, 'VERIFICATION_RESULT');
  });

  test('VERIFIED, then reported: exactly its fields, the same for both VASPs', async () => {
    const request = toVasp(world, other.vaspId);
    const uuid = await verifiedBy(world, request);
    const verified = { result: 'VERIFIED', reason: 'OK', verifiedAt: T0 };
    expect(await world.api.verification(uuid)).toEqual(shown(request, uuid, verified));
    world.machine.at += 1_234;
    await world.api.reportTransaction(uuid, '0xab', '2');
    const reported = { ...verified, txHash: '0xab', vout: '2', orderedAt: '2026-07-15T10:00:01.234Z' };
    expect(await world.api.verification(uuid)).toEqual(shown(request, uuid, reported));
    expect(await other.api.verification(uuid)).toEqual(shown(request, uuid, reported));
    world.machine.at -= 1_234;
  });

  test('a request without a network gets an answer without one', async () => {
    const request = toVasp(world, other.vaspId);
    delete request.assetInfo.network;
    const uuid = await verifiedBy(world, request);
    expect((await world.api.verification(uuid)).assetInfo).toEqual(request.assetInfo);
  });

  test('isExceedingThreshold is a boolean, also when false', async () => {
    const request = toVasp(world, other.vaspId);
    request.assetInfo.isExceedingThreshold = false;
    const uuid = await verifiedBy(world, request);
    expect((await world.api.verification(uuid)).assetInfo.isExceedingThreshold).toBe(false);
  });

  test('D-03: verificationId counts up', async () => {
    const ids: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { verificationUuid } = await world.api.verifyUser(toVasp(world, other.vaspId));
      ids.push(Number((await world.api.verification(verificationUuid)).verificationId));
    }
    expect(ids).toEqual([ids[0], ids[0]! + 1, ids[0]! + 2]);
  });
});

describe("REF-4.4: a verification that is not the caller's is 404 VERIFICATION-NOT-FOUND", () => {
  const missing = (uuid: string) => ({
    status: 404,
    body: { code: 'VERIFICATION-NOT-FOUND', message: `Verification(${uuid}) is not found` },
  });

  test('an unknown UUID, and a text that is no UUID', async () => {
    for (const uuid of ['00000000-0000-4000-8000-000000000000', 'x', '1', 'null', 'UPPER', 'a b', '%25'])
      expect(await world.api.call('GET', `/v1/verifications/${encodeURIComponent(uuid)}`)).toMatchObject(missing(uuid));
  });

  test('a third VASP does not learn that it exists', async () => {
    const uuid = await verifiedBy(world, toVasp(world, other.vaspId));
    expect(await stranger.api.call('GET', `/v1/verifications/${uuid}`)).toMatchObject(missing(uuid));
  });
});

test('D-44: a UUID in upper case is the same UUID', async () => {
  const uuid = await verifiedBy(world, toVasp(world, other.vaspId));
  expect(await world.api.call('GET', `/v1/verifications/${uuid.toUpperCase()}`)).toMatchObject({
    status: 200,
    body: { verificationUuid: uuid },
  });
});
