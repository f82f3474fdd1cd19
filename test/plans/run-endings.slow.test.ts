import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { type Client, client, Refused } from '../../src/client/client.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { type Running, serve } from '../../src/main.ts';
import { until } from '../support/until.ts';
import { NOWHERE } from '../support/world/chainless-world.ts';

/**
 * Whatever ends a run, and in whatever order: afterwards no run is open that nobody plays, a run that was told to have
 * ended stays so, and a new one starts.
 */

const { ETH_RPC_URL, ETH_CHAIN_ID, ROBOT_MNEMONIC } = NOWHERE;
const CHAINS = { ETH_RPC_URL, ETH_CHAIN_ID, ROBOT_MNEMONIC, XRPL_CLOSE_INTERVAL: '50ms' };
type Settings = Parameters<Client['startRun']>[0];
/** Waits for a person. */
const WAITING: Settings = { symbols: ['XRP'], modules: ['W1'] };
/** Ends by itself: the VASP has no address. */
const SHORT: Settings = { symbols: ['XRP'], plan: 'security', modules: ['S4'], unattended: true };
const HISTORIES = Number(process.env.RUN_HISTORIES ?? 12);

let folders: string[] = [];
afterEach(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders = [];
});
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'endings-'));
  folders.push(folder);
  return folder;
}

/** A program on a folder. What it told is kept. */
class Sandbox {
  readonly #folder = newFolder();
  #path = this.#folder;
  #running: Running | undefined;
  #lock: Sqlite.Database | undefined;
  #ended = new Set<string>();
  /** An answer after the copy of a kill has proved nothing about the copy. */
  #kills = 0;
  /** Undefined, or what went wrong. */
  #answers: Promise<unknown>[] = [];

  get api(): Client {
    return client(this.#running!.url);
  }
  async start(): Promise<void> {
    const env = { ...CHAINS, PORT: '0', LOG_LEVEL: 'silent', DATABASE_PATH: join(this.#path, 'robot.sqlite') };
    this.#running = await serve(loadConfig(env), { log: silentLog });
    await this.#running.ready(['XRP']);
  }
  lock(): void {
    if (this.#lock) return;
    this.#lock = new Sqlite(join(this.#path, 'robot.sqlite'), { timeout: 30_000 });
    this.#lock.exec('BEGIN IMMEDIATE');
  }
  unlock(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }
  /** Does not wait for the answer. */
  send(call: () => Promise<unknown>): void {
    this.#answers.push(call().catch(error => (isCutOff(error) ? undefined : error)));
  }
  async begin(settings: object): Promise<void> {
    await this.api.call('POST', '/sandbox/v1/runs', settings);
  }
  async stopNewest(): Promise<void> {
    const [newest] = (await this.api.runs()).runs;
    if (!newest) return;
    const kills = this.#kills;
    const { status } = await this.api.call('DELETE', `/sandbox/v1/runs/${newest.id}`);
    expect([200, 404, 503]).toContain(status);
    if (status === 200 && kills === this.#kills) this.#ended.add(newest.id);
  }
  async reset(): Promise<void> {
    const { status } = await this.api.call('POST', '/sandbox/v1/reset');
    expect([200, 503]).toContain(status);
  }
  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }
  /** The next start sees the files as they are now. */
  async kill(): Promise<void> {
    const copy = newFolder();
    const isLocked = this.#lock !== undefined;
    // Database and log are copied one after the other: between them nothing may be moved from one to the other.
    this.lock();
    this.#kills++;
    cpSync(this.#path, copy, { recursive: true, filter: name => !name.endsWith('.lock') });
    if (!isLocked) this.unlock();
    await this.stop();
    this.#path = copy;
    await this.start();
  }
  async stop(): Promise<void> {
    await this.#running?.stop();
    this.unlock();
    await this.settled();
  }
  async settled(): Promise<void> {
    for (const failure of await Promise.all(this.#answers.splice(0))) expect(failure).toBeUndefined();
  }
  /** Those that were told to have ended. */
  async openAgain(): Promise<string[]> {
    const { runs } = await this.api.runs();
    return runs.filter(({ id, endedAt }) => endedAt === null && this.#ended.has(id)).map(({ id }) => id);
  }
}

/** The end of the program cuts off a call, with or without an answer. */
const isCutOff = (error: unknown): boolean =>
  error instanceof TypeError || (error instanceof Refused && error.status === 503);

const open = async (api: Client) => (await api.runs()).runs.filter(({ endedAt }) => endedAt === null);

const STEPS: Record<string, (sandbox: Sandbox) => Promise<void> | void> = {
  'a run that waits': sandbox => sandbox.begin(WAITING),
  'a run that ends by itself': sandbox => sandbox.begin(SHORT),
  stop: sandbox => sandbox.stopNewest(),
  'stop and go on': sandbox => sandbox.send(() => sandbox.stopNewest()),
  reset: sandbox => sandbox.reset(),
  'reset and go on': sandbox => sandbox.send(() => sandbox.reset()),
  'stop in storage trouble': async sandbox => {
    sandbox.lock();
    await sandbox.stopNewest();
    sandbox.unlock();
  },
  lock: sandbox => sandbox.lock(),
  unlock: sandbox => sandbox.unlock(),
  restart: sandbox => sandbox.restart(),
  kill: sandbox => sandbox.kill(),
};

test('after any order of stops, resets, restarts, kills and storage trouble no run is open that nobody plays', async () => {
  const step = fc.constantFrom(...Object.keys(STEPS));
  const histories = fc.array(step, { minLength: 3, maxLength: 9 });
  const property = fc.asyncProperty(histories, async history => {
    const sandbox = new Sandbox();
    await sandbox.start();
    try {
      for (const name of ['a run that waits', ...history]) await STEPS[name]!(sandbox);
      sandbox.unlock();
      await sandbox.settled();
      expect(await sandbox.openAgain()).toEqual([]);
      const { api } = sandbox;
      for (const { id } of await open(api))
        expect((await api.call('DELETE', `/sandbox/v1/runs/${id}`)).status).toBe(200);
      expect(await open(api)).toEqual([]);
      const { id } = await api.startRun(SHORT);
      await until(async () => (await api.run(id)).endedAt !== null);
    } finally {
      await sandbox.stop();
    }
  });
  await fc.assert(property, { numRuns: HISTORIES, endOnFailure: true });
}, 300_000);

async function withRunThatWaits() {
  const sandbox = new Sandbox();
  await sandbox.start();
  const { id } = await sandbox.api.startRun(WAITING);
  await until(async () => (await sandbox.api.run(id)).modules[0]?.status === 'WAITING');
  return { sandbox, id };
}

test('a run that ends while the database is locked ends when it is free, and the program stops meanwhile', async () => {
  const { sandbox, id } = await withRunThatWaits();
  sandbox.lock();
  const stop = () => sandbox.api.call('DELETE', `/sandbox/v1/runs/${id}`);
  expect((await stop()).status).toBe(503);
  sandbox.unlock();
  await until(async () => (await sandbox.api.run(id)).endedAt !== null);
  expect(await sandbox.api.run(id)).toMatchObject({ stopped: true, result: 'INTERRUPTED' });
  expect((await stop()).status).toBe(200);

  const { id: next } = await sandbox.api.startRun(WAITING);
  sandbox.lock();
  expect((await sandbox.api.call('DELETE', `/sandbox/v1/runs/${next}`)).status).toBe(503);
  await sandbox.restart();
  // The end of the program left it open, and the next start plays it on.
  expect(await open(sandbox.api)).toMatchObject([{ id: next }]);
  expect((await sandbox.api.call('DELETE', `/sandbox/v1/runs/${next}`)).status).toBe(200);
  await sandbox.stop();
}, 60_000);

test('a stop that the end of the program overtakes is refused, and the next start plays the run on', async () => {
  const { sandbox, id } = await withRunThatWaits();
  sandbox.lock();
  const { api } = sandbox;
  const stopped = api.call('DELETE', `/sandbox/v1/runs/${id}`);
  // The program has read the call once it has served two later ones.
  for (let later = 0; later < 2; later++) await api.run(id);
  const [{ status }] = await Promise.all([stopped, sandbox.restart()]);
  expect([status, await open(sandbox.api)]).toMatchObject([503, [{ id }]]);
  await sandbox.stop();
}, 60_000);

test('a reset leaves nothing of a run that was under way', async () => {
  const { sandbox } = await withRunThatWaits();
  await sandbox.api.reset();
  expect((await sandbox.api.runs()).runs).toEqual([]);
  const told: string[] = [];
  for await (const { event, data } of sandbox.api.events({ after: '0' })) {
    if (event === 'run') told.push(JSON.stringify(data));
    if (event === 'reset') break;
  }
  expect(told).toEqual([]);
  const { id: next } = await sandbox.api.startRun(SHORT);
  await until(async () => (await sandbox.api.run(next)).endedAt !== null);
  await sandbox.stop();
}, 60_000);
