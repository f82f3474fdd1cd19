import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { type Program, program } from '../support/process/program.ts';

/** Tokens, provider keys and what stands in addresses are in clear in no file, and addresses are shown without them. */

const SECRETS = ['t0ken-of-the-vasp', 'key-of-a-provider', 'qu3ry-token'];
const [TOKEN, KEY, QUERY] = SECRETS as [string, string, string];
const ID = '9060';
const ADDRESS = `http://127.0.0.1:9/callback?token=${QUERY}&v=1`;
const SHOWN = 'http://127.0.0.1:9/callback?token=***&v=1';

let robot: Program;
let apiKey: string;
beforeAll(async () => {
  robot = await program();
  await robot.start();
  const registered = await client(robot.url).registerVasp(ID, {
    name: 'Secretive',
    endpoints: { callback: ADDRESS },
    authorization: { header: 'X-Token', token: TOKEN },
    providerKeys: { kytApiKey: KEY },
  });
  apiKey = registered.apiKey!;
});
afterAll(() => robot.close());

/** Names of the files that hold one of the secrets. */
const leaks = (): string[] =>
  readdirSync(robot.folder).filter(name => {
    const bytes = readFileSync(join(robot.folder, name));
    return SECRETS.some(secret => bytes.includes(secret));
  });
const registered = async () => (await client(robot.url).registeredVasps()).vasps.find(({ vaspId }) => vaspId === ID)!;

test('a registration is stored encrypted and shown masked; the shown address may be saved again', async () => {
  expect(leaks()).toEqual([]);
  expect((await registered()).endpoints.callback).toBe(SHOWN);
  const mine = client(robot.url, { apiKey });
  await mine.call('PATCH', `/sandbox/v1/vasps/${ID}`, { endpoints: { callback: SHOWN } });
  await mine.call('POST', `/sandbox/v1/vasps/${ID}/check`, { endpoints: ['callback'] });
  expect((await mine.exchanges({ limit: 10 })).exchanges.map(({ url }) => url)).toContain(SHOWN);
  expect(leaks()).toEqual([]);
});

test('a signing secret is stored encrypted', async () => {
  const { signingSecret } = await client(robot.url, { apiKey }).rollSigningSecret();
  const bytes = readdirSync(robot.folder).map(name => readFileSync(join(robot.folder, name), 'latin1'));
  expect(bytes.filter(text => text.includes(signingSecret.slice('whsec_'.length)))).toEqual([]);
});

test.each(['Host', 'Content-Length', 'transfer-encoding'])('the header %s carries no token', async header => {
  const refused = client(robot.url).registerVasp('9061', { name: 'x', authorization: { header, token: 'y' } });
  await expect(refused).rejects.toMatchObject({ status: 400 });
});

test('another key is refused in one sentence', async () => {
  await robot.stop();
  rmSync(join(robot.folder, 'robot.data-key'));
  const { code, stderr } = await robotVasp(['serve'], { PORT: '0', DATABASE_PATH: join(robot.folder, 'robot.sqlite') });
  expect(code).toBe(1);
  expect(stderr).toContain('DATA_KEY');
  expect(stderr).not.toMatch(/^\s+at /m);
});
