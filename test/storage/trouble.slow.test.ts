import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/** A database that cannot be written for a while: the program says so, loses nothing, and goes on by itself. */

const TROUBLE_LASTS_MS = 3_000;
/** Of `/healthcheck`, on a machine that other tests share. */
const ANSWERS_WITHIN_MS = 5_000;

const world = await forFile(createProgramWorld());

const verify = () =>
  fetch(`${world.url}/v1/verifications`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(verificationOf(world)),
  });

function locked(): () => void {
  const other = new Sqlite(join(world.folder, 'robot.sqlite'));
  other.exec('BEGIN EXCLUSIVE');
  return () => other.close();
}

/** No file of the program may grow, as on a full disk. */
function full(): () => void {
  const limit = (bytes: string) => execFileSync('prlimit', [`--pid=${world.pid()}`, `--fsize=${bytes}:unlimited`]);
  limit('4096');
  return () => void limit('unlimited');
}

test.each([
  ['locked by another process', locked, 'locked'],
  ['on a full disk', full, 'disk'],
])('a database %s', async (_, cause, why) => {
  const before = (await (await verify()).json()) as { verificationUuid: string };
  const end = cause();
  const stored = [before.verificationUuid];
  let [refused, slowestMs] = [0, 0];
  for (const since = performance.now(); performance.now() - since < TROUBLE_LASTS_MS; await delay(100)) {
    const answer = await verify();
    const body = (await answer.json()) as { code?: string; verificationUuid?: string };
    if (answer.status === 200) stored.push(body.verificationUuid!);
    else {
      refused += 1;
      expect([answer.status, body.code]).toEqual([503, 'STORAGE-UNAVAILABLE']);
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    }
    const asked = performance.now();
    expect((await fetch(`${world.url}/healthcheck`)).status).toBe(200);
    slowestMs = Math.max(slowestMs, performance.now() - asked);
  }
  const readiness = await fetch(`${world.url}/readyz`);
  expect([readiness.status, await readiness.text()]).toEqual([503, expect.stringContaining(why)]);
  expect(refused).toBeGreaterThan(0);
  expect(slowestMs).toBeLessThan(ANSWERS_WITHIN_MS);

  end();
  await until(async () => (await verify()).status === 200);
  await until(async () => (await fetch(`${world.url}/readyz`)).status === 200);
  for (const uuid of stored) expect((await world.api.verification(uuid)).verificationUuid).toBe(uuid);
  for (const uuid of stored) expect(await world.vasp.arrived('callback', uuid, 1)).not.toEqual([]);
});

test('the embedded Ethereum chain on a full disk takes no transaction, and loses none', async () => {
  const to = `0x${'7'.repeat(40)}`;
  const rpc = jsonRpc(`${world.url}/devnet/ethereum`, 5_000);
  onTestFinished(() => rpc.close());
  const [from] = await rpc.call<string[]>('eth_accounts');
  const pay = () => rpc.call<string>('eth_sendTransaction', { from, to, value: '0x1' });
  const balance = async () => Number(await rpc.call<string>('eth_getBalance', to, 'latest'));
  const readiness = async () => (await fetch(`${world.url}/readyz`)).text();
  await pay();
  const end = full();
  await rpc.call('evm_mine');
  await until(async () => (await readiness()).includes('ETH: the state cannot be saved (EFBIG)'));
  await expect(pay()).rejects.toThrow(
    'Nothing was sent: the state cannot be saved (EFBIG). Free some space, then send it again.',
  );
  await expect(world.api.faucet('ETH', to, '1')).rejects.toMatchObject({ status: 503, code: 'STORAGE-UNAVAILABLE' });
  end();
  await until(async () => (await fetch(`${world.url}/readyz`)).status === 200);
  await pay();
  await until(async () => (await balance()) === 2);
  const state = join(world.folder, 'robot.ethereum.json');
  await until(() => JSON.parse(readFileSync(state, 'utf8')).accounts[to]?.balance === '0x2');
  await world.kill();
  await world.start();
  expect(await balance()).toBe(2);
});
