import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { MAX_ADDED_USERS } from '../../src/robot/users/users.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { fixtureUsers } from '../support/judge/judge-request.ts';
import { HARBOUR, KIM } from '../support/requests/added-users.ts';
import { anotherVasp } from '../support/requests/risk.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const file = scratchDatabase();
const world = await forFile(createWorld());
afterEach(() => world.api.restoreUsers());

const MISSING = { status: 404, code: 'NOT-FOUND' };
const ids = async () => (await world.api.users()).users.map(({ id }) => id);
const FIXTURE_IDS = fixtureUsers.map(({ id }) => id);

describe('DELETE', () => {
  test('removes an added user; added again it has its addresses again', async () => {
    const kim = await world.api.putUser('kim', KIM);
    expect(await world.api.removeUser('kim')).toEqual({ result: true });
    await expect(world.api.user('kim')).rejects.toMatchObject(MISSING);
    await expect(world.api.removeUser('kim')).rejects.toMatchObject(MISSING);
    const lee = await world.api.putUser('lee', KIM);
    expect(await world.api.putUser('kim', HARBOUR)).toMatchObject({ accounts: kim.accounts, kind: 'legal' });
    expect(lee.accounts.ETH).not.toBe(kim.accounts.ETH);
  });

  test('removes a user of the fixtures; PUT brings it back, DELETE of all changes as it was', async () => {
    const taylor = world.user('taylor-robbins');
    await world.api.removeUser('taylor-robbins');
    expect(await ids()).toEqual(FIXTURE_IDS.slice(1));
    await expect(world.api.removeUser('taylor-robbins')).rejects.toThrow(/undoes every change/);
    const back = await world.api.putUser('taylor-robbins', KIM);
    expect(back).toMatchObject({ source: 'changed', accounts: taylor.accounts });
    await world.api.putUser('kim', KIM);
    expect(await world.api.restoreUsers()).toEqual({ result: true });
    expect((await world.api.users()).users).toEqual(world.info.users);
  });

  test('takes everything back again and again', async () => {
    for (let i = 0; i < 2; i++) expect(await world.api.restoreUsers()).toEqual({ result: true });
  });

  test('the last user too: everything else goes on', async () => {
    for (const id of FIXTURE_IDS) await world.api.removeUser(id);
    expect((await world.api.users()).users).toEqual([]);
    const { body } = await world.api.call<{ scenarios: object[] }>('GET', '/sandbox/v1/scenarios');
    expect(body.scenarios).toEqual([]);
    expect((await world.api.info()).users).toEqual([]);
    expect((await world.api.call('GET', '/openapi.json')).status).toBe(200);
  });
});

test('another method is 405', async () => {
  for (const path of ['/sandbox/v1/users', '/sandbox/v1/users/kim'])
    expect((await world.api.call('POST', path, {})).status).toBe(405);
});

describe('PROD-4: only for the calling VASP', () => {
  test('nobody else sees or changes anything; the same id is another user with other addresses', async () => {
    const other = await anotherVasp(world, '5001');
    const ours = await world.api.putUser('kim', KIM);
    await world.api.removeUser('ethan-cook');
    await world.api.putUser('taylor-robbins', KIM);
    expect((await other.users()).users).toEqual(world.info.users);
    expect((await other.info()).users).toEqual(world.info.users);
    await expect(other.user('kim')).rejects.toMatchObject(MISSING);
    await expect(other.removeUser('kim')).rejects.toMatchObject(MISSING);
    const theirs = await other.putUser('kim', HARBOUR);
    for (const symbol of ASSET_SYMBOLS) expect(theirs.accounts[symbol]).not.toBe(ours.accounts[symbol]);
    await other.restoreUsers();
    expect(await world.api.user('kim')).toEqual(ours);
    expect(await world.api.user('taylor-robbins')).toMatchObject({ source: 'changed' });
  });

  test('one that has had 1000 of its own adds no more; an id that was used before is no new one', async () => {
    const DATABASE_PATH = file('full.sqlite');
    const full = await createWorld({ env: { DATABASE_PATH } });
    onTestFinished(() => full.close());
    const sqlite = new Sqlite(DATABASE_PATH);
    const give = sqlite.prepare('INSERT INTO robot_user_accounts VALUES (?, ?, ?, ?)');
    for (let n = 0; n < MAX_ADDED_USERS; n++) give.run(2_000 + n, 2_000_000_000 + n, full.vaspId, `user-${n}`);
    sqlite.close();
    await expect(full.api.putUser('kim', KIM)).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('has used 1000 ids already'),
    });
    expect(await full.api.putUser('user-7', KIM)).toMatchObject({ source: 'added' });
    expect(await full.api.putUser('ethan-cook', KIM)).toMatchObject({ source: 'changed' });
    expect((await full.api.users()).users.map(({ id }) => id)).toEqual([...FIXTURE_IDS, 'user-7']);
  });

  test('an unknown key is 401', async () => {
    for (const call of [world.as('nobody').users(), world.as('nobody').putUser('kim', KIM)])
      await expect(call).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
  });

  test('a reset takes the changes of this VASP back, and of no other', async () => {
    const other = await anotherVasp(world, '5002');
    await other.putUser('kim', KIM);
    const kim = await world.api.putUser('kim', KIM);
    await world.api.removeUser('ethan-cook');
    await world.api.reset();
    expect((await world.api.users()).users).toEqual(world.info.users);
    expect((await other.users()).users.at(-1)).toMatchObject({ id: 'kim' });
    const lee = await world.api.putUser('lee', KIM);
    expect([(await other.user('kim')).accounts.ETH, kim.accounts.ETH]).not.toContain(lee.accounts.ETH);
    expect(await world.api.putUser('kim', KIM)).toEqual(kim);
  });
});
