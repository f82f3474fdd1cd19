import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReportErrorRequest } from '../../src/contract/requests.ts';
import { accountRequest, userRequest } from '../../src/contract/sample-requests.ts';
import { until } from '../support/until.ts';
import { type EnclaveParties, inProcess, overHttp } from '../support/world/enclave-parties.ts';

const ADDRESS = '0x5811001506550d8356a215be229c15b6ef371a9b';
const HASH = `0x${'ab'.repeat(32)}`;
const UNKNOWN_UUID = '00000000-0000-4000-8000-000000000000';
const LIST = { fromDate: '1970-01-01', page: 1, rpp: 10 } as const;

const user = {
  kind: 'natural',
  names: { lastName: 'Robbins', firstName: 'Taylor' },
  accounts: { ETH: ADDRESS, XRP: '' },
} as const;
const requestTo = (robotVaspId: string, amount = '0.024') =>
  userRequest({ robotVaspId, user, symbol: 'ETH', amount, from: ADDRESS });
const accountOf = (robotVaspId: string) => accountRequest({ robotVaspId, user, symbol: 'ETH' });

/** The same port, once of an enclave in this process and once of one behind HTTP: who uses it cannot tell them apart. */
describe.each([
  ['in this process', inProcess],
  ['behind HTTP', overHttp],
])('the enclave %s', (_, open) => {
  let parties: EnclaveParties;
  beforeAll(async () => {
    parties = await open();
  });
  afterAll(() => parties.close());

  const port = () => parties.enclave;
  const result = (uuid: string) => port().get(uuid, parties.caller).result;
  const ended = (uuid: string) => until(() => result(uuid) !== undefined);
  async function sent(): Promise<string> {
    const { verificationUuid } = await port().verifyUser(requestTo(parties.otherId), parties.caller);
    await ended(verificationUuid);
    return verificationUuid;
  }
  async function received(): Promise<string> {
    const uuid = await parties.askedByOther(requestTo(parties.caller));
    await parties.other.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    return uuid;
  }
  const errorReport = (verificationUuid: string): ReportErrorRequest => ({
    verificationUuid,
    result: 'ERROR',
    reason: 'USER-CANCELED',
    message: 'changed its mind',
  });
  const kind = (name: string) => ({ name: 'Refusal', kind: name });

  test('WIRE-2.1, WIRE-2.2: knows the caller, and lists it with the other VASP', async () => {
    expect(port().self(parties.caller)).toEqual({ vaspId: parties.caller });
    const { vasps } = await port().vasps({ protocol: 'ALL' }, parties.caller);
    expect(vasps.map(({ vaspId }) => vaspId)).toEqual(expect.arrayContaining([parties.caller, parties.otherId]));
  });

  test('WIRE-2.3: passes the answer of the other VASP on', async () => {
    const verified = await port().verifyAccount(accountOf(parties.otherId), parties.caller);
    expect(verified).toEqual({ accountVerificationResult: 'VERIFIED', verifiedAt: expect.any(String) });
    expect(parties.other.received('verifyAccount').at(-1)?.body).toMatchObject({ originatingVaspId: parties.caller });
  });

  test.each([
    ['5', 'unknown-vasp'],
    ['27372039731940770', 'vasp-not-active'],
  ])('REF-7: VASP %s is refused as %s', async (vaspId, why) => {
    await expect(port().verifyAccount(accountOf(vaspId), parties.caller)).rejects.toMatchObject(kind(why));
    await expect(port().verifyUser(requestTo(vaspId), parties.caller)).rejects.toMatchObject(kind(why));
  });

  test('WIRE-2.3: a VASP that answers late is refused as no-answer', async () => {
    parties.other.script('verifyAccount', undefined, 'never', 'ordinary');
    await expect(port().verifyAccount(accountOf(parties.otherId), parties.caller)).rejects.toMatchObject(
      kind('no-answer'),
    );
  });

  test('WIRE-2.4: opens a verification, keeps what runs inSameTransaction, and has the result', async () => {
    const kept: string[] = [];
    const opened = await port().verifyUser(requestTo(parties.otherId), parties.caller, (_tx, response) =>
      kept.push(response.verificationUuid),
    );
    const { verificationUuid: uuid } = opened;
    expect(opened).toEqual({ verificationUuid: uuid, createdAt: expect.any(String) });
    expect(kept).toEqual([uuid]);
    await ended(uuid);
    expect(port().get(uuid, parties.caller)).toMatchObject({
      result: 'VERIFIED',
      reason: 'OK',
      originatingVaspId: parties.caller,
      beneficiaryVaspId: parties.otherId,
      assetInfo: { symbol: 'ETH', amount: '0.024' },
      txHash: null,
    });
    const page = port().list({ ...LIST, actionType: 'SEND' }, parties.caller);
    expect(page.verifications[0]).toEqual(port().get(uuid, parties.caller));
  });

  test('D-12: a denial comes with its reason', async () => {
    const verdict = { result: 'DENIED', reason: 'NOT-ALLOWED', message: 'too much' };
    const body = { ...verdict, version: '1.0' };
    parties.other.script('verifyUser', undefined, { body }, 'ordinary');
    const uuid = await sent();
    expect(port().get(uuid, parties.caller)).toMatchObject(verdict);
    expect(() => port().reportTransaction({ verificationUuid: uuid, txHash: HASH }, parties.caller)).toThrow(
      expect.objectContaining(kind('not-verified')),
    );
  });

  test('D-05: more decimals than the asset has are refused before anybody is asked', async () => {
    const asked = parties.other.received('verifyUser').length;
    const request = requestTo(parties.otherId, '0.0000000000000000001');
    await expect(port().verifyUser(request, parties.caller)).rejects.toMatchObject(kind('invalid-field'));
    expect(parties.other.received('verifyUser')).toHaveLength(asked);
  });

  test('WIRE-2.7: the other VASP gets a report once, and a repeated one changes nothing', async () => {
    const verificationUuid = await sent();
    const report = { verificationUuid, txHash: HASH };
    for (let time = 0; time < 2; time++)
      expect(port().reportTransaction(report, parties.caller)).toEqual({ result: true });
    const data = await parties.other.ordinary.callbackOf(verificationUuid, 'TX_REPORT');
    expect(data).toMatchObject(report);
    expect(port().get(verificationUuid, parties.caller)).toMatchObject({ txHash: HASH, orderedAt: expect.any(String) });
    expect(port().reportError(errorReport(verificationUuid), parties.caller)).toEqual({ result: true });
    await parties.other.ordinary.callbackOf(verificationUuid, 'ERROR_REPORT');
    const types = parties.other.callbacks(verificationUuid).map(({ callbackType }) => callbackType);
    expect(types).toEqual(['TX_REPORT', 'ERROR_REPORT']);
  });

  test('WIRE-2.8: an error report ends the verification, and the other VASP gets it', async () => {
    const verificationUuid = await sent();
    expect(port().reportError(errorReport(verificationUuid), parties.caller)).toEqual({ result: true });
    const data = await parties.other.ordinary.callbackOf(verificationUuid, 'ERROR_REPORT');
    expect(data).toEqual(errorReport(verificationUuid));
    expect(port().get(verificationUuid, parties.caller)).toMatchObject({ result: 'ERROR', reason: 'USER-CANCELED' });
  });

  test('REF-7: an unknown verification is refused everywhere', async () => {
    const verificationUuid = UNKNOWN_UUID;
    const missing = expect.objectContaining(kind('verification-missing'));
    expect(() => port().get(verificationUuid, parties.caller)).toThrow(missing);
    expect(() => port().reportTransaction({ verificationUuid, txHash: HASH }, parties.caller)).toThrow(missing);
    expect(() => port().reportError(errorReport(verificationUuid), parties.caller)).toThrow(missing);
    expect(() => port().setCredited(verificationUuid, true, parties.caller)).toThrow(missing);
    for (const call of [
      port().inquireTransaction({ verificationUuid }, parties.caller),
      port().assessSanction({ verificationUuid }, parties.caller),
      port().assessKyt({ verificationUuid }, parties.caller),
      port().assessWco({ verificationUuid, payload: undefined }, parties.caller),
    ])
      await expect(call).rejects.toEqual(missing);
  });

  test('WIRE-3.2: the VASP is asked, and both sides have its answer', async () => {
    const uuid = await received();
    expect(port().get(uuid, parties.caller)).toMatchObject({
      result: 'VERIFIED',
      originatingVaspId: parties.otherId,
      beneficiaryVaspId: parties.caller,
    });
    const told = await parties.other.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(told).toMatchObject({ verificationResult: 'VERIFIED', reason: 'OK' });
    expect(port().list({ ...LIST, actionType: 'RECEIVE' }, parties.caller).verifications[0]?.verificationUuid).toBe(
      uuid,
    );
    const { verificationUuid } = port().get(uuid, parties.caller);
    expect(() => port().reportTransaction({ verificationUuid, txHash: HASH }, parties.caller)).toThrow(
      expect.objectContaining(kind('not-originator')),
    );
  });

  test('REF-4.5: asks the other VASP for its transaction; late, it is refused as no-answer', async () => {
    const verificationUuid = await received();
    parties.other.ordinary.setStatus(verificationUuid, 'PROCESSING', HASH);
    expect(await port().inquireTransaction({ verificationUuid }, parties.caller)).toEqual({
      verificationUuid,
      transactionStatus: 'PROCESSING',
      txHash: HASH,
    });
    parties.other.script('transactionStatus', verificationUuid, 'never');
    await expect(port().inquireTransaction({ verificationUuid }, parties.caller)).rejects.toMatchObject(
      kind('no-answer'),
    );
    const ownUuid = await sent();
    await expect(port().inquireTransaction({ verificationUuid: ownUuid }, parties.caller)).rejects.toMatchObject(
      kind('not-beneficiary'),
    );
  });

  test('WIRE-3.4: a report of the other VASP comes once, and closes with the credit', async () => {
    const uuid = await received();
    await parties.reportedByOther(uuid, HASH);
    expect(await parties.own.callbackOf(uuid, 'TX_REPORT')).toMatchObject({ txHash: HASH });
    await parties.reportedByOther(uuid, HASH);
    expect(port().get(uuid, parties.caller).txHash).toBe(HASH);
    port().setCredited(uuid, true, parties.caller);
    port().setCredited(uuid, false, parties.caller);
    const reports = parties.own.callbacks.filter(({ data }) => data.verificationUuid === uuid);
    expect(reports.map(({ callbackType }) => callbackType)).toEqual(['TX_REPORT']);
  });

  test('REF-4.1, REF-4.2, REF-4.3: assesses the other side', async () => {
    const verificationUuid = await sent();
    const { providerASanction } = await port().assessSanction({ verificationUuid }, parties.caller);
    expect(providerASanction).toMatchObject({ status: 'NOHIT', direction: 'OUTGOING' });
    const { requestId } = await port().assessKyt({ verificationUuid }, parties.caller);
    expect(requestId).toEqual(expect.any(String));
    const uuid = await received();
    await expect(port().assessKyt({ verificationUuid: uuid }, parties.caller)).rejects.toMatchObject(
      kind('txhash-not-reported'),
    );
  });
});
