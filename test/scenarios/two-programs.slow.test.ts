import { describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  confirmed,
  movingClock,
  received,
  robotVerificationOf,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { paid, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { testedVasp } from '../support/vasp/tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The robot behind an enclave that is another program, at another address. */

const world = await forFile(createWorld({ isSplit: true, file: true, clock: movingClock }));
const enclave = client(world.split!.enclave.url);

const typesOf = (uuid: string) => world.vasp.callbacks(uuid).map(({ callbackType }) => callbackType);
const atRobot = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0];
const atEnclave = async (uuid: string) => (await enclave.verifications({ search: uuid })).verifications[0];
const credited = (symbol: string, to: string, value: string) =>
  until(async () => {
    await world.idle();
    return (await balanceAt(world, symbol, to)) === value;
  });

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('REF-4.6: a withdrawal of the tested VASP is credited, and both sides show it', async () => {
    const user = world.user('garrit-studio');
    const verification = await verified(world, { user: user.id, symbol });
    const { uuid, to, amount } = verification;
    const txHash = await paid(world, verification);
    await world.api.reportTransaction(uuid, txHash);
    await credited(symbol, to, amount);
    expect(typesOf(uuid)).toEqual(['VERIFICATION_RESULT']);
    for (const entry of [await atRobot(uuid), await atEnclave(uuid)])
      expect(entry).toMatchObject({ result: 'VERIFIED', txHash, amount });
    const events = (await world.api.timeline(uuid)).timeline.map(({ event }) => event);
    expect(events).toEqual(expect.arrayContaining(['judged', 'verified', 'transaction-reported', 'credited']));
  });

  test('REF-4.6: the robot pays once, reports once, and both sides show it', async () => {
    await received(world, { symbol });
    const { uuid, to, amount } = await verifiedForRobot(world, { symbol, amount: '1' });
    await world.api.robotWithdraw(uuid);
    await confirmed(world, uuid);
    const { txHash } = await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
    await world.idle();
    expect(typesOf(uuid)).toEqual(['TX_REPORT']);
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
    for (const entry of [await atRobot(uuid), await atEnclave(uuid)])
      expect(entry).toMatchObject({ result: 'VERIFIED', txHash, amount });
    const [report] = (await world.api.timeline(uuid)).timeline.filter(
      ({ detail }) => detail?.operation === 'report-transaction',
    );
    expect(report).toMatchObject({ detail: { status: 200 }, between: { from: 'robot', to: 'enclave' } });
  });
});

test('what is reported while the enclave is away waits for it, and arrives once', async () => {
  await received(world);
  const { uuid } = await verifiedForRobot(world, { amount: '1' });
  await world.split!.without('enclave', async () => {
    await world.api.robotWithdraw(uuid);
    await until(async () => (await atRobot(uuid))?.txHash != null);
    await until(async () => {
      const { callbacks } = await client(world.url).callbacks({ verificationUuid: uuid });
      return (callbacks[0]?.attempts.length ?? 0) > 0;
    });
    const [callback] = (await client(world.url).callbacks({ verificationUuid: uuid })).callbacks;
    expect(callback).toMatchObject({ callbackType: 'TX_REPORT', status: 'PENDING' });
    expect(callback?.attempts[0]?.error).toBe('The enclave could not be reached (ECONNREFUSED).');
  });
  await world.advance('10m');
  await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
  await world.advance('1h');
  expect(typesOf(uuid)).toEqual(['TX_REPORT']);
});

test('D-12: the enclave has the last word about an answer that it did not get', async () => {
  const late = verificationOf(world, { user: 'never-answers' });
  const { verificationUuid: uuid } = await world.api.verifyUser(late);
  await until(async () => (await enclave.verification(uuid)).result !== undefined);
  expect(await enclave.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
  await world.advance('1m');
  expect(await atRobot(uuid)).toMatchObject({ result: 'ERROR', reason: 'REQUEST-TIMEOUT' });
});

test('REF-4.6: two requests at once with one Idempotency-Key are one verification, and the VASP is asked once', async () => {
  const body = JSON.stringify(robotVerificationOf(world));
  const send = async (key: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key };
    const url = `${world.url}/vega/robot/v1.0/action/verifications`;
    const answer = await fetch(url, { method: 'POST', headers, body });
    return ((await answer.json()) as { verificationUuid: string }).verificationUuid;
  };
  const asked = () => world.vasp.received('verifyUser').length;
  const before = asked();
  const uuids = await Promise.all(['once', 'once', 'once', 'twice'].map(send));
  uuids.push(await send('once'));
  expect(new Set(uuids).size).toBe(2);
  for (const uuid of uuids) await until(async () => (await enclave.verification(uuid)).result === 'VERIFIED');
  expect(asked()).toBe(before + 2);
});

test('three parties: two tested VASPs and the robot on one enclave', async () => {
  const second = await testedVasp();
  const registration = { name: 'Second', endpoints: second.endpoints };
  const { apiKey = '' } = await enclave.registerVasp('77', registration);
  const { apiKey: keyAtRobot = '' } = await client(world.url).registerVasp('77', registration);
  const theirs = {
    enclave: client(world.split!.enclave.url, { apiKey }),
    robot: client(world.url, { apiKey: keyAtRobot }),
  };

  const { verificationUuid: toRobot } = await theirs.enclave.verifyUser(verificationOf(world));
  expect(await second.ordinary.callbackOf(toRobot, 'VERIFICATION_RESULT')).toMatchObject({ reason: 'OK' });
  expect((await theirs.robot.verifications({ search: toRobot })).verifications).toHaveLength(1);
  expect(await atRobot(toRobot)).toBeUndefined();

  const between = { ...verificationOf(world), beneficiaryVaspId: '77' };
  const { verificationUuid: others } = await world.api.verifyUser(between);
  expect(await world.vasp.ordinary.callbackOf(others, 'VERIFICATION_RESULT')).toMatchObject({ reason: 'OK' });
  expect(await atEnclave(others)).toMatchObject({ result: 'VERIFIED' });
  expect(await atRobot(others)).toBeUndefined();
  await second.close();
});
