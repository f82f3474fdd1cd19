import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { ROOT } from '../support/paths.ts';
import { robotVasp } from '../support/process/command-line.ts';
import { type Program, program } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { HOSTED, OPERATOR_KEY } from '../support/world/hosted-world.ts';

/** Three cells behind HAProxy with the shipped configuration: a key leads to its cell, also after the cell's restore. */

const CONFIGURATION = join(ROOT, 'dist/deploy/haproxy.cfg');
const NAMES = ['a', 'b', 'c'] as const;
type Name = (typeof NAMES)[number];

const cells = new Map<Name, Program>();
let proxy: ChildProcess;
let url: string;
beforeAll(async () => {
  for (const name of NAMES) {
    const cell = await program({ ...HOSTED, CELL: name, TRUSTED_PROXIES: '127.0.0.0/8' });
    cells.set(name, cell);
    await cell.start();
  }
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const hosts = NAMES.map(name => [`CELL_${name.toUpperCase()}`, new URL(cells.get(name)!.url).host]);
  const env = { PATH: process.env.PATH, BIND: `127.0.0.1:${port}`, ...Object.fromEntries(hosts) };
  execFileSync('haproxy', ['-c', '-f', CONFIGURATION], { env });
  proxy = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: 'ignore' });
  await until(async () => (await fetch(`${url}/healthcheck`).catch(() => undefined))?.status === 200);
});
afterAll(async () => {
  proxy?.kill();
  for (const cell of cells.values()) await cell.close();
});

const freePort = (): Promise<number> =>
  new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

async function post<T>(path: string, body: object, headers: Record<string, string>): Promise<T> {
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as T;
}

/** The operator names the cell, because an operator's key has none. */
async function registeredAt(cell: Name): Promise<{ vaspId: string; apiKey: string }> {
  const headers = { 'x-cell': cell };
  const operator = { ...headers, authorization: `Bearer ${OPERATOR_KEY}` };
  const name = `Exchange of ${cell}`;
  const { invitation } = await post<{ invitation: string }>('/sandbox/v1/invitations', { name }, operator);
  return post('/sandbox/v1/registrations', { invitation, name }, headers);
}

const selfOf = async (apiKey: string, at = url) =>
  (await client(at, { apiKey }).call('GET', '/sandbox/v1/usage')).status;

test('a key leads to its cell; a cell that died is restored elsewhere and found again', async () => {
  const keys = new Map<Name, string>();
  for (const name of NAMES) {
    const { apiKey } = await registeredAt(name);
    expect(apiKey).toMatch(new RegExp(`^rv_${name}_`));
    keys.set(name, apiKey);
    expect(await selfOf(apiKey)).toBe(200);
    for (const other of NAMES)
      if (other !== name) expect(await selfOf(apiKey, cells.get(other)!.url)).toBe(401);
  }
  const chain = await fetch(`${url}/devnet/ethereum?key=${keys.get('c')}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] }),
  });
  expect(chain.status).toBe(200);

  const b = cells.get('b')!;
  const database = join(b.folder, 'robot.sqlite');
  const copy = join(cells.get('a')!.folder, 'copy-of-b');
  expect(await robotVasp(['backup', copy], { DATABASE_PATH: database })).toMatchObject({ code: 0 });
  await b.kill();
  await until(async () => (await selfOf(keys.get('b')!).catch(() => 503)) === 503);
  expect(await selfOf(keys.get('a')!)).toBe(200);
  // The volume is lost; another one takes its place.
  rmSync(b.folder, { recursive: true });
  expect(await robotVasp(['restore', copy], { DATABASE_PATH: database })).toMatchObject({ code: 0 });
  await b.start();
  await until(async () => (await selfOf(keys.get('b')!)) === 200);
});
