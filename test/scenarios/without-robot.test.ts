import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { CUSTOMER, robotAccountRequest, robotUserRequest } from '../../src/contract/sample-requests.ts';
import { openOnce } from '../support/open-once.ts';
import { FOREIGN } from '../support/requests/from-tested-vasp.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import type { TestedVasp } from '../support/vasp/tested-vasp.ts';
import { createWorld } from '../support/world/world.ts';

/** Two registered VASPs play both tests against each other through the enclave; the robot has no part in it. */

interface Side {
  vaspId: string;
  api: Client;
  vasp: TestedVasp;
}

const world = openOnce(() => createWorld());
let ours: Side;
let theirs: Side;
beforeAll(async () => {
  ours = world;
  theirs = await registerVasp(world, '4711');
});
afterAll(async () => {
  await theirs.vasp.close();
});

const TO = `0x${'33'.repeat(20)}`;

async function opened(sender: Side, receiver: Side): Promise<string> {
  const request = robotUserRequest({
    vaspId: receiver.vaspId,
    user: { ...world.user('taylor-robbins'), accounts: FOREIGN },
    symbol: 'ETH',
    amount: '1.5',
    to: TO,
  });
  const { verificationUuid: uuid } = await sender.api.verifyUser(request);
  const result = await sender.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  expect(result).toMatchObject({
    verificationResult: 'VERIFIED',
    ivms101: { beneficiary: { beneficiaryPersons: [CUSTOMER], accountNumber: [TO] } },
  });
  return uuid;
}

test.each([
  ['ours to theirs', () => [ours, theirs] as const],
  ['theirs to ours', () => [theirs, ours] as const],
])('%s: account, user, report, status, on both sides the same', async (_, sides) => {
  const [sender, receiver] = sides();
  const account = robotAccountRequest({ vaspId: receiver.vaspId, symbol: 'ETH', to: TO });
  expect(await sender.api.verifyAccount(account)).toMatchObject({ accountVerificationResult: 'VERIFIED' });
  const uuid = await opened(sender, receiver);
  sender.vasp.ordinary.setStatus(uuid, 'PROCESSING', 'the-hash');
  expect(await receiver.api.inquireTransaction(uuid)).toEqual({
    verificationUuid: uuid,
    transactionStatus: 'PROCESSING',
    txHash: 'the-hash',
  });
  await sender.api.reportTransaction(uuid, 'the-hash');
  expect(await receiver.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toEqual({
    verificationUuid: uuid,
    txHash: 'the-hash',
  });
  const seen = await sender.api.verification(uuid);
  expect(seen).toMatchObject({
    originatingVaspId: sender.vaspId,
    beneficiaryVaspId: receiver.vaspId,
    result: 'VERIFIED',
    txHash: 'the-hash',
  });
  expect(await receiver.api.verification(uuid)).toEqual(seen);
  await expect(sender.api.inquireTransaction(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  await expect(receiver.api.reportTransaction(uuid, 'x')).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
});

test('an error report ends it on both sides', async () => {
  const uuid = await opened(ours, theirs);
  await ours.api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
  const told = await theirs.vasp.ordinary.callbackOf(uuid, 'ERROR_REPORT');
  expect(told).toMatchObject({ result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled' });
  for (const { api } of [ours, theirs])
    expect(await api.verification(uuid)).toMatchObject({ result: 'ERROR', reason: 'USER-CANCELED' });
});

test('the robot neither pays nor asks for what is not its own', async () => {
  const uuid = await opened(theirs, ours);
  await expect(ours.api.robotWithdraw(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  await expect(ours.api.robotReport(uuid, 'x')).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  await expect(ours.api.robotInquire(uuid)).rejects.toMatchObject({ code: 'VASP-NOT-MATCHED' });
  const { fired } = await world.advance('3h');
  expect(fired.filter(({ key }) => key === uuid)).toEqual([]);
});
