import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { type Program, program } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { HOSTED, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** Files of the program that somebody deletes, replaces or fills with something else. */

let sandbox: Program;
const file = (name: string) => join(sandbox.folder, name);
const readiness = async () => {
  const answer = await fetch(`${sandbox.url}/readyz`);
  return { status: answer.status, text: await answer.text() };
};
const log = () => sandbox.log();

describe('while the program runs', () => {
  beforeEach(async () => {
    sandbox = await program({ LOG_LEVEL: 'error' });
    await sandbox.start();
  });
  afterEach(() => sandbox.close());

  test.each(['robot.sqlite', 'robot.sqlite-wal', 'robot.xrpl.sqlite', 'robot.xrpl.sqlite-wal'])(
    '%s is deleted: /readyz and the log say so, until it is put back',
    async name => {
      renameSync(file(name), file('elsewhere'));
      const { status, text } = await readiness();
      expect([status, text]).toEqual([503, expect.stringContaining(`${name} was deleted or replaced`)]);
      await until(() => log().includes(`${name} was deleted or replaced`));
      renameSync(file('elsewhere'), file(name));
      await until(async () => (await readiness()).status === 200);
    },
  );

  test('robot.sqlite is replaced by another file', async () => {
    renameSync(file('robot.sqlite'), file('elsewhere'));
    writeFileSync(file('robot.sqlite'), '');
    expect((await readiness()).status).toBe(503);
  });
});

describe('at the start', () => {
  beforeEach(async () => {
    sandbox = await program({ LOG_LEVEL: 'warn' });
  });
  afterEach(() => sandbox.close());

  test.each(['junk', 'SQLite format 3\0 and junk'])(
    'the lock of the XRP Ledger holds %j: it is made anew, and the ledger goes on',
    async junk => {
      await sandbox.start();
      const before = await client(sandbox.url).info();
      await sandbox.kill();
      writeFileSync(file('robot.xrpl.sqlite.lock'), junk.repeat(100));
      await sandbox.start();
      expect((await client(sandbox.url).info()).users).toEqual(before.users);
      expect(readdirSync(sandbox.folder).filter(name => name.includes('corrupt'))).toEqual([]);
    },
  );

  const asFolder = (name: string) => {
    rmSync(file(name), { force: true });
    mkdirSync(file(name));
  };
  const ADDRESS = { ETH: '0x5811001506550d8356a215be229c15b6ef371a9b', XRP: 'rPEPPER7kfTD9w2To4CQk6UCfuHM9c6GDY' };

  test.each([
    ['robot.xrpl.sqlite.lock', 'XRP', 'ETH', /lock file .*robot\.xrpl\.sqlite\.lock cannot be used/],
    ['robot.xrpl.sqlite', 'XRP', 'ETH', /XRP: /],
    ['robot.ethereum.json.pid', 'ETH', 'XRP', /ETH: .*robot\.ethereum\.json\.pid/],
    ['robot.ethereum.json', 'ETH', 'XRP', /ETH: .*robot\.ethereum\.json/],
  ] as const)('%s is a folder: it is named, %s waits, and the other ledger works', async (name, _, other, why) => {
    await sandbox.start();
    const before = await client(sandbox.url).info();
    await sandbox.kill();
    asFolder(name);
    await sandbox.start('/healthcheck');
    const missing = async () => (JSON.parse((await readiness()).text) as { missing: string[] }).missing;
    await until(async () => (await missing()).length === 1 && why.test((await missing())[0]!));
    expect(readdirSync(sandbox.folder).filter(each => each.includes('corrupt'))).toEqual([]);
    const api = client(sandbox.url);
    expect((await api.info()).users).toEqual(before.users);
    expect(await api.faucet(other, ADDRESS[other], '20')).toHaveProperty('txHash');
  });
});

test('a new database beside old ledgers says so, and the named call makes a new ledger', async () => {
  sandbox = await program({ ...HOSTED, LOG_LEVEL: 'warn' });
  await sandbox.start();
  await sandbox.stop();
  for (const ending of ['', '-wal', '-shm']) rmSync(file(`robot.sqlite${ending}`), { force: true });
  await sandbox.start('/healthcheck');
  await until(() => log().includes('POST /sandbox/v1/chains/XRP/start-over'));
  expect(log()).toContain('the ledger beside the database belongs to another database');
  const operator = client(sandbox.url, { apiKey: OPERATOR_KEY });
  await operator.call('POST', '/sandbox/v1/chains/XRP/start-over', {});
  await until(async () => (await readiness()).status === 200);
  await sandbox.close();
});
