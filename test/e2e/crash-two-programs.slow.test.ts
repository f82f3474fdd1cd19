import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../src/contract/assets.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import {
  confirmed,
  received,
  robotAccountOf,
  robotVerificationOf,
  verifiedForRobot,
} from '../support/requests/from-robot.ts';
import { accountOf, paid, type Verified, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { createSplitProcessWorld, type SplitProcessWorld } from '../support/world/split-process-world.ts';

/** SIGKILL of the robot, or of the enclave, at each call between the two: paid once, reported once, shown by both. */

const USER = 'taylor-robbins';
let world: SplitProcessWorld;
beforeAll(async () => {
  world = await createSplitProcessWorld();
  for (const symbol of ASSET_SYMBOLS) await received(world, { user: USER, symbol, amount: '500' });
}, 120_000);
afterAll(() => world.close());

type Part = 'enclave' | 'robot';
type When = 'before' | 'after';
const PARTS_AND_TIMES: readonly [Part, When][] = [
  ['robot', 'before'],
  ['robot', 'after'],
  ['enclave', 'after'],
];

/** At this call: before the other program has it, or after it has answered. Resolves when the program is back. */
async function killedAt(wire: 'toEnclave' | 'toRobot', path: RegExp, part: Part, when: When): Promise<void> {
  await new Promise<void>(killed =>
    world[wire].rule(async ({ method, url }, answered) => {
      if (!path.test(`${method} ${url}`)) return undefined;
      world[wire].rule(undefined);
      if (when === 'after') await answered();
      await world.kill(part);
      killed();
      return { cut: true, text: '' };
    }),
  );
  await world[part].start();
}

/** An enclave that is killed while it calls back calls once more (WIRE-3.4). */
async function expectPaidOnce(symbol: AssetSymbol, uuid: string, to: string, amount: string, killed: Part = 'robot') {
  await confirmed(world, uuid);
  const { txHash } = await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
  await world.api.advance('2h');
  expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
  const reports = world.vasp.callbacks(uuid);
  for (const report of reports)
    expect(report).toEqual({ callbackType: 'TX_REPORT', data: { verificationUuid: uuid, txHash } });
  if (killed === 'robot') expect(reports).toHaveLength(1);
  expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED', txHash });
  expect(await atRobot(uuid)).toMatchObject({ result: 'VERIFIED', txHash });
}

async function creditedOnce({ symbol, uuid, to, amount }: Verified, txHash: string, before: number) {
  await until(async () => {
    await world.idle();
    return Math.abs(Number(await balanceAt(world, symbol, to)) - before - Number(amount)) < 1e-9;
  });
  const deposits = (await world.api.receivedPayments()).payments.filter(each => each.txHash === txHash);
  expect(deposits).toMatchObject([{ status: 'CREDITED', verificationUuid: uuid }]);
}

async function paysAllTheSame(symbol: AssetSymbol, uuid: string, { payload }: ReturnType<typeof robotVerificationOf>) {
  await world.api.advance('1m');
  await until(async () => (await atRobot(uuid))?.result === 'VERIFIED');
  await world.api.robotWithdraw(uuid);
  await expectPaidOnce(symbol, uuid, payload.ivms101.beneficiary.accountNumber[0]!, '1');
}

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  describe('the robot pays', () => {
    test.each(PARTS_AND_TIMES)('the %s is killed %s the enclave has its report', async (part, when) => {
      const { uuid, to, amount } = await verifiedForRobot(world, { user: USER, symbol, amount: '1' });
      const back = killedAt('toEnclave', /^POST \/v1\/verifications\/tx$/, part, when);
      await world.api.robotWithdraw(uuid);
      await back;
      await expectPaidOnce(symbol, uuid, to, amount, part);
    });

    test.each(PARTS_AND_TIMES)('the %s is killed %s the result arrives', async (part, when) => {
      const back = killedAt('toRobot', /callback$/, part, when);
      const request = robotVerificationOf(world, { user: USER, symbol, amount: '1' });
      const { verificationUuid: uuid } = await world.api.robotVerifyUser(request);
      await back;
      await paysAllTheSame(symbol, uuid, request);
    });

    test('the robot is killed after the enclave has opened its verification: it takes it up', async () => {
      const asked = world.vasp.received('verifyUser').length;
      const back = killedAt('toEnclave', /^POST \/v1\/verifications$/, 'robot', 'after');
      const request = robotVerificationOf(world, { user: USER, symbol, amount: '1' });
      await expect(world.api.robotVerifyUser(request)).rejects.toThrow();
      await back;
      const uuid = world.vasp.received('verifyUser').slice(asked)[0]!.uuid!;
      await paysAllTheSame(symbol, uuid, request);
    });
  });

  describe('the tested VASP pays', () => {
    test.each(PARTS_AND_TIMES)('the %s is killed %s the report arrives', async (part, when) => {
      const verification = await verified(world, { user: 'garrit-studio', symbol });
      const { uuid, to } = verification;
      const before = Number(await balanceAt(world, symbol, to));
      const txHash = await paid(world, verification);
      const back = killedAt('toRobot', /callback$/, part, when);
      await world.api.reportTransaction(uuid, txHash);
      await back;
      await world.api.advance('10m');
      await creditedOnce(verification, txHash, before);
      expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED', txHash });
    });

    test.each(PARTS_AND_TIMES)('the %s is killed %s the robot is asked: both sides agree', async (part, when) => {
      const back = killedAt('toRobot', /verify-user$/, part, when);
      const asked = verificationOf(world, { user: 'garrit-studio', symbol });
      const { verificationUuid: uuid } = await world.api.verifyUser(asked);
      await back;
      await until(async () => (await world.api.verification(uuid)).result !== undefined);
      const { result } = await world.api.verification(uuid);
      expect(result).toBe(part === 'robot' ? 'DENIED' : 'VERIFIED');
      await world.api.advance('1m');
      await until(async () => {
        const entry = await atRobot(uuid);
        return entry === undefined ? when === 'before' : entry.result === result;
      });
    });
  });
});

/** The call that the kill cut off may be refused, or lose its answer. */
const cutOff = (call: Promise<unknown>) => call.catch(() => {});
const atRobot = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0];

describe('a status query', () => {
  test.each(PARTS_AND_TIMES)('of the robot, the %s is killed %s the enclave has it', async (part, when) => {
    const verification = await verified(world, { user: 'garrit-studio' });
    const { uuid, to } = verification;
    const before = Number(await balanceAt(world, 'ETH', to));
    const txHash = await paid(world, verification);
    world.vasp.ordinary.setStatus(uuid, 'CONFIRMED', txHash);
    const back = killedAt('toEnclave', /inquiry$/, part, when);
    await cutOff(world.api.advance('11m'));
    await back;
    await world.api.advance('10m');
    await creditedOnce(verification, txHash, before);
    await world.api.advance('2h');
    const asked = world.vasp.received('transactionStatus', uuid).length;
    expect(asked).toBeGreaterThanOrEqual(1);
    expect(asked).toBeLessThanOrEqual(2);
  });

  test.each(PARTS_AND_TIMES)('of the tested VASP, the %s is killed %s the robot has it', async (part, when) => {
    const { uuid } = await verifiedForRobot(world, { user: USER, amount: '1' });
    await world.api.robotWithdraw(uuid);
    await confirmed(world, uuid);
    const { txHash } = await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT');
    const back = killedAt('toRobot', /transaction-status$/, part, when);
    await expect(world.api.inquireTransaction(uuid)).rejects.toThrow();
    await back;
    // D-16: a robot that has just started may be late on a busy machine.
    const asked = () => world.api.inquireTransaction(uuid).catch(() => undefined);
    await until(async () => (await asked())?.transactionStatus === 'CONFIRMED');
    expect(await world.api.inquireTransaction(uuid)).toMatchObject({ txHash });
  });
});

describe('an error report', () => {
  test.each(PARTS_AND_TIMES)('of the robot, the %s is killed %s the enclave has it', async (part, when) => {
    const { uuid } = await verifiedForRobot(world, { user: USER, amount: '1' });
    const back = killedAt('toEnclave', /^POST \/v1\/verifications\/error$/, part, when);
    await cutOff(world.api.robotReportError(uuid, 'DENIED', 'BLACKLISTED'));
    await back;
    await world.api.advance('10m');
    await world.vasp.ordinary.callbackOf(uuid, 'ERROR_REPORT');
    await world.api.advance('2h');
    const types = world.vasp.callbacks(uuid).map(({ callbackType }) => callbackType);
    expect(new Set(types)).toEqual(new Set(['ERROR_REPORT']));
    if (part === 'robot') expect(types).toHaveLength(1);
    const ended = { result: 'ERROR', reason: 'BLACKLISTED' };
    expect(await world.api.verification(uuid)).toMatchObject(ended);
    expect(await atRobot(uuid)).toMatchObject(ended);
  });

  test.each(PARTS_AND_TIMES)('of the tested VASP, the %s is killed %s the robot has it', async (part, when) => {
    const { uuid } = await verified(world, { user: 'garrit-studio' });
    const back = killedAt('toRobot', /callback$/, part, when);
    await world.api.reportError(uuid, 'ERROR', 'USER-CANCELED');
    await back;
    await world.api.advance('10m');
    const ended = { result: 'ERROR', reason: 'USER-CANCELED' };
    await until(async () => (await atRobot(uuid))?.result === 'ERROR');
    expect(await atRobot(uuid)).toMatchObject(ended);
    expect(await world.api.verification(uuid)).toMatchObject(ended);
    await world.api.advance('2h');
    expect(world.vasp.received('transactionStatus', uuid)).toEqual([]);
  });
});

describe('an account verification', () => {
  test.each(PARTS_AND_TIMES)('of the robot, the %s is killed %s the enclave has it', async (part, when) => {
    const ask = () => world.api.robotVerifyAccount(robotAccountOf(world));
    const back = killedAt('toEnclave', /verifications\/account$/, part, when);
    await expect(ask()).rejects.toThrow();
    await back;
    expect(await ask()).toMatchObject({ accountVerificationResult: 'VERIFIED' });
  });

  test.each(PARTS_AND_TIMES)('of the tested VASP, the %s is killed %s the robot has it', async (part, when) => {
    const ask = () => world.api.verifyAccount(accountOf(world));
    const back = killedAt('toRobot', /verify-account$/, part, when);
    // An enclave that lives says that the robot could not be reached.
    const first = await ask().catch(() => undefined);
    await back;
    if (part === 'robot') expect(first).toMatchObject({ reason: 'UNDEFINED-ERROR' });
    else expect(first?.accountVerificationResult).not.toBe('DENIED');
    expect(await ask()).toMatchObject({ accountVerificationResult: 'VERIFIED' });
  });
});
