import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { beforeAll, expect, test } from 'vitest';
import { vacuum } from '../../src/db/archive.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type ServedTenant, verificationBy } from '../support/world/hosted-world.ts';

const FROM = '0x5811001506550d8356a215be229c15b6ef371a9b';
const MARK = 'Zyxmark';

const DATABASE_PATH = scratchDatabase()('robot.sqlite');
const folder = dirname(DATABASE_PATH);
const world = await forFile(createHostedWorld({ DATABASE_PATH }));
let tenant: ServedTenant;
let uuid: string;

beforeAll(async () => {
  tenant = await world.registerServed({ name: `${MARK} Exchange` });
  const request = await verificationBy(tenant);
  const marked = JSON.parse(JSON.stringify(request).replaceAll(/"(?:Barnes|Robert)"/g, `"${MARK}"`));
  ({ verificationUuid: uuid } = await tenant.api.verifyUser(marked));
  await tenant.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
  await tenant.api.putUser(`${MARK.toLowerCase()}-user`, {
    kind: 'natural',
    names: { lastName: MARK, firstName: MARK },
    kyc: true,
  });
  await tenant.api.exchanges();
});

/** Files of the data folder that hold the text, in any case. */
const filesWith = (text: string): string[] =>
  readdirSync(folder).filter(name => {
    const bytes = readFileSync(join(folder, name));
    return bytes.includes(text) || bytes.includes(text.toLowerCase());
  });

test('forgetting and then compacting leaves no byte of persons, accounts, endpoints and exchanges', async () => {
  expect(filesWith(MARK)).not.toEqual([]);
  expect(filesWith(FROM)).not.toEqual([]);
  const { status } = await world.operator.call('DELETE', `/sandbox/v1/tenants/${tenant.vaspId}`);
  expect(status).toBe(200);
  const copy = new Sqlite(DATABASE_PATH);
  const indexed = copy.prepare('SELECT block FROM enclave_search_data').pluck().all() as Buffer[];
  for (const word of [MARK, FROM])
    expect(indexed.filter(block => block.includes(word.toLowerCase().slice(2)))).toEqual([]);
  vacuum({ sqlite: copy });
  copy.close();
  for (const text of [MARK, FROM, new URL(tenant.vasp.endpoints.callback!).host, uuid, tenant.apiKey])
    expect([text, filesWith(text)]).toEqual([text, []]);
});

test('the id stays taken, the key is dead, and the rest goes on', async () => {
  expect((await tenant.api.call('GET', '/v1/vasps/self')).status).toBe(401);
  const { status } = await world.stranger.call('POST', '/sandbox/v1/registrations', {
    invitation: await world.invite(),
    name: 'X',
    vaspId: tenant.vaspId,
  });
  expect(status).toBe(409);
  const other = await world.register();
  expect((await other.api.vasps()).vasps.map(({ vaspId }) => vaspId)).not.toContain(tenant.vaspId);
  expect((await world.operator.call('DELETE', `/sandbox/v1/tenants/${tenant.vaspId}`)).status).toBe(404);
});

test('a list of VASPs goes on behind one that was forgotten between two pages', async () => {
  const registered: string[] = [];
  for (let n = 0; n < 4; n++) {
    world.machine.at += 1;
    registered.push((await world.register()).vaspId);
  }
  const listed: string[] = [];
  const pages = async (after?: string): Promise<void> => {
    const { tenants, next } = await world.operator.tenants({ limit: 2, ...(after ? { after } : {}) });
    listed.push(...tenants.map(({ vaspId }) => vaspId));
    if (next === null) return;
    await world.operator.call('DELETE', `/sandbox/v1/tenants/${next}`);
    await pages(next);
  };
  await pages();
  expect(listed.filter(id => registered.includes(id))).toEqual(registered);
  expect(new Set(listed).size).toBe(listed.length);
  await expect(world.operator.tenants({ limit: 2, after: '4711' })).rejects.toThrow('position from a previous');
});
