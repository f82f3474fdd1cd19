import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { nodesOf, program } from '../support/process/program.ts';
import { type Verified, verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

const world = await forFile(createProgramWorld());
beforeEach(() => world.vasp.script('callback', undefined, 'ordinary'));

const killAndStart = async () => {
  await world.kill();
  expect(nodesOf(world.folder)).toEqual([]);
  await world.start();
};

/** A verification of each asset. */
const verifiedOfEach = async (user: string) => [
  await verified(world, { symbol: 'ETH', user }),
  await verified(world, { symbol: 'XRP', user }),
];

describe('SIGKILL, ETH and XRP', () => {
  test('while deposits are being read and credited: all are credited, each once', async () => {
    const all: Verified[] = [];
    for (let i = 0; i < 8; i++) all.push(...(await verifiedOfEach('garrit-studio')));
    const reports: [uuid: string, txHash: string][] = [];
    const reporting: Promise<unknown>[] = [];
    for (const { symbol, uuid, to, amount } of all) {
      const txHash = await (await world.wallet(symbol)).pay(to, amount);
      reports.push([uuid, txHash]);
      // The last ones are not answered: the program is killed while it works on them.
      reporting.push(world.api.reportTransaction(uuid, txHash).catch(() => {}));
    }
    await killAndStart();
    await Promise.all(reporting);
    for (const [uuid, txHash] of reports)
      expect(await world.api.reportTransaction(uuid, txHash)).toEqual({ result: true });
    await world.idle();
    for (const [uuid, txHash] of reports)
      expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED', verificationUuid: uuid });
    for (const symbol of ASSET_SYMBOLS) {
      const paidIn = all.filter(each => each.symbol === symbol);
      const sum = paidIn.reduce((total, { amount }) => total + toUnits(amount, 6), 0n);
      expect(await balanceAt(world, symbol, paidIn[0]!.to)).toBe(formatUnits(sum, 6));
    }
  });
});

describe('SIGKILL during callbacks', () => {
  test('the VASP is just taking one: it comes again, the same, and then no more', async () => {
    let answer = () => {};
    world.vasp.script('callback', undefined, new Promise<void>(resolve => (answer = resolve)), 'ordinary');
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
    await world.vasp.arrived('callback', uuid, 1);
    await killAndStart();
    await world.vasp.arrived('callback', uuid, 2);
    answer();
    await world.idle();
    const [first, second, ...others] = world.vasp.callbacks(uuid);
    expect(second).toEqual(first);
    expect(others).toEqual([]);
    const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
    expect(callbacks).toMatchObject([{ status: 'DELIVERED' }]);
    expect((await world.api.advance('24h')).fired.filter(({ kind }) => kind === 'enclave.callback.deliver')).toEqual(
      [],
    );
  });

  test('forty verifications are under way, and it is killed three times: every accepted one gets its callback', async () => {
    const accepted: string[] = [];
    for (let round = 0; round < 3; round++) {
      const before = world.vasp.received('callback').length;
      const asked = Array.from({ length: 40 }, () =>
        world.api.verifyUser(verificationOf(world)).then(
          ({ verificationUuid }) => accepted.push(verificationUuid),
          () => {},
        ),
      );
      await world.vasp.arrived('callback', undefined, before + 1);
      await killAndStart();
      await Promise.all(asked);
    }
    expect(accepted.length).toBeGreaterThan(0);
    for (const uuid of accepted) {
      const result = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
      expect(result).toMatchObject({ verificationResult: 'VERIFIED', reason: 'OK' });
      expect(await world.api.verification(uuid)).toMatchObject({ result: 'VERIFIED' });
    }
    await world.api.advance('2s');
    const { callbacks } = await world.api.callbacks({ limit: 999 });
    expect(callbacks.filter(callback => callback.status !== 'DELIVERED')).toEqual([]);
    expect(new Set(callbacks.map(each => each.verificationUuid)).size).toBe(callbacks.length);
  });

  test('it waits for its next attempt: the attempt is made after the restart, at its time', async () => {
    world.vasp.script('callback', undefined, { status: 500, body: {} }, { status: 500, body: {} }, 'ordinary');
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
    await world.vasp.arrived('callback', uuid, 2);
    await world.idle();
    await killAndStart();
    const [waiting] = (await world.api.callbacks({ verificationUuid: uuid })).callbacks;
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: [{ status: 500 }, { status: 500 }] });
    await world.api.advance('6s');
    const [delivered] = (await world.api.callbacks({ verificationUuid: uuid })).callbacks;
    expect(delivered?.status).toBe('DELIVERED');
    expect(delivered?.attempts).toHaveLength(3);
    const [second, third] = delivered!.attempts.slice(1).map(each => Date.parse(each.at));
    expect(third! - second!).toBeGreaterThanOrEqual(5_000);
  });
});

test('SIGTERM ends with 0 although a long poll and a slow callback are open, and nothing is lost', async () => {
  world.vasp.script('callback', undefined, 'never', 'ordinary');
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  const poll = world.api.mailbox({ wait: '60s', after: 999_999 });
  await world.vasp.arrived('callback', uuid, 1);
  const code = await world.stop();
  expect(code).toBe(0);
  expect((await poll).callbacks).toEqual([]);
  expect(nodesOf(world.folder)).toEqual([]);
  await world.start();
  await world.api.advance('2s');
  const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
  expect(callbacks).toMatchObject([{ status: 'DELIVERED' }]);
});

test('SIGKILL with the reference VASP of the sandbox: its addresses are not registered after the restart, and it goes on with a run', async () => {
  const sandbox = await program();
  onTestFinished(() => sandbox.close());
  await sandbox.start();
  const api = client(sandbox.url);
  const { vaspId } = await api.switchReferenceVasp(true);
  const registered = async () => (await api.registeredVasps()).vasps.find(vasp => vasp.vaspId === vaspId);
  expect(Object.keys((await registered())!.endpoints)).toContain('callback');
  await sandbox.kill();
  await sandbox.start();
  await until(async () => (await registered())?.name === 'Tested VASP');
  expect((await registered())?.endpoints).toEqual({});
  expect(await api.switchReferenceVasp(true)).toMatchObject({ running: true, vaspId });

  const { id } = await api.startRun({ plan: 'withdrawal', modules: ['W2', 'W3.a'] });
  await until(async () => (await api.run(id)).modules.some(({ status }) => status === 'FINISHED'));
  await sandbox.kill();
  await sandbox.start();
  await api.switchReferenceVasp(true);
  await until(async () => (await api.run(id)).endedAt !== null);
  expect((await api.run(id)).result).toBe('PASSED');
});

test('SIGTERM with the reference VASP of the sandbox: a run goes on with it, and is INTERRUPTED where it is away', async () => {
  const sandbox = await program();
  onTestFinished(() => sandbox.close());
  await sandbox.start();
  const api = client(sandbox.url);
  await api.switchReferenceVasp(true);
  const stoppedRun = async () => {
    const { id } = await api.startRun({ plan: 'withdrawal', modules: ['W2', 'W3.a'], wait: '5s' });
    await until(async () => (await api.run(id)).modules.some(({ status }) => status === 'FINISHED'));
    await sandbox.stop();
    await sandbox.start();
    return id;
  };
  const hasEnded = (id: string) => until(async () => (await api.run(id)).endedAt !== null);
  const goesOn = await stoppedRun();
  await api.switchReferenceVasp(true);
  await hasEnded(goesOn);
  expect((await api.run(goesOn)).result).toBe('PASSED');

  const ends = await stoppedRun();
  await hasEnded(ends);
  const { result, modules } = await api.run(ends);
  expect(result).toBe('INTERRUPTED');
  expect(modules.at(-1)?.skippedBecause).toContain('driver endpoint is registered no more');
});
