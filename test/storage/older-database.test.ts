import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { DEVELOPMENT_MNEMONIC, DEVELOPMENT_SEED } from '../../src/app/config/development-wallets.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { serve } from '../../src/main.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { ROOT } from '../support/paths.ts';

/**
 * A database of commit 230884c1: examples of everything and a plan in ETH and XRP, with faults, a callback that failed and
 * timers that wait. `answers` is what the program of that commit returned for it.
 */
const FOLDER = join(ROOT, 'test/storage/older');
const DATABASE = join(FOLDER, '230884c1.sqlite.gz');
const ANSWERS = join(FOLDER, '230884c1.answers.json.gz');
/** Before every time in the database: no timer is due. */
const NOW = Date.UTC(2026, 6, 15, 10);

const LISTS = [
  '/v1/verifications?fromDate=2026-01-01&rpp=100',
  '/v1/verifications?fromDate=2026-01-01&rpp=100&result=DENIED',
  '/v1/verifications?fromDate=2026-01-01&rpp=100&symbol=XRP&actionType=SEND',
  '/sandbox/v1/verifications?limit=100',
  '/sandbox/v1/verifications?limit=100&q=robbins',
  '/sandbox/v1/verifications?limit=100&q=denied',
  '/sandbox/v1/verifications?limit=100&q=0.024',
  '/sandbox/v1/callbacks?limit=200',
  '/sandbox/v1/callbacks?limit=200&status=PENDING',
  '/sandbox/v1/exchanges?limit=200&before=200',
  '/sandbox/v1/deposits?limit=100',
  '/sandbox/v1/transfers?limit=100',
  '/sandbox/v1/assessments?limit=100',
  '/sandbox/v1/balances',
  '/sandbox/v1/timers?limit=100',
  '/sandbox/v1/faults',
  '/sandbox/v1/runs',
  '/sandbox/v1/statistics',
];

const at = scratchDatabase();
let url: string;
let stop: () => Promise<void>;

beforeAll(async () => {
  const path = at('older.sqlite');
  writeFileSync(path, gunzipSync(readFileSync(DATABASE)));
  copyFileSync(join(FOLDER, 'data-key'), join(dirname(path), 'older.data-key'));
  const config = loadConfig({
    ETH_RPC_URL: 'http://127.0.0.1:1',
    ETH_CHAIN_ID: '31337',
    ROBOT_MNEMONIC: 'legal winner thank year wave sausage worth useful legal winner thank yellow',
    XRPL_URL: 'ws://127.0.0.1:1',
    XRPL_NETWORK_ID: '21117',
    XRPL_SEED: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
    PORT: '0',
    DATABASE_PATH: path,
    LOG_LEVEL: 'silent',
  });
  config.ethereum.mnemonic = DEVELOPMENT_MNEMONIC;
  config.xrpl.seed = DEVELOPMENT_SEED;
  ({ url, stop } = await serve(config, { clock: { now: () => NOW }, log: silentLog }));
});
afterAll(() => stop());

type Answers = Record<string, unknown>;

async function read(path: string): Promise<Answers> {
  const response = await fetch(url + path);
  expect([path, response.status]).toEqual([path, 200]);
  return withoutOwn(await response.json()) as Answers;
}

/** Without the requests of this test, which are exchanges, too. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(each => !isOwn(each)).map(withoutOwn);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutOwn(each)]));
}

const isOwn = (entry: unknown): boolean =>
  typeof entry === 'object' && JSON.stringify(entry).includes(new URL(url).host);

async function everything(): Promise<Answers> {
  const answers: Answers = {};
  for (const path of LISTS) answers[path] = await read(path);
  const { verifications } = answers[LISTS[0]!] as { verifications: { verificationUuid: string }[] };
  const { runs } = answers['/sandbox/v1/runs'] as { runs: { id: string }[] };
  const single = [
    ...verifications.flatMap(({ verificationUuid: uuid }) => [
      `/v1/verifications/${uuid}`,
      `/sandbox/v1/verifications/${uuid}/timeline`,
      `/sandbox/v1/exchanges?verificationUuid=${uuid}`,
    ]),
    ...runs.map(({ id }) => `/sandbox/v1/runs/${id}`),
  ];
  for (const path of single) answers[path] = await read(path);
  return answers;
}

/**
 * What the present program returns for every member that the older one returned: later versions add
 * members.
 */
function among(expected: unknown, got: unknown): unknown {
  if (typeof expected !== 'object' || expected === null || typeof got !== 'object' || got === null)
    return got;
  if (Array.isArray(expected)) {
    if (!Array.isArray(got)) return got;
    return got.map((each, i) => among(expected[i], each));
  }
  return Object.fromEntries(
    Object.entries(expected).map(([name, each]) => [name, among(each, (got as Answers)[name])]),
  );
}

test('a database of an older version opens, and everything in it is still there', async () => {
  const found = await everything();
  const expected = JSON.parse(gunzipSync(readFileSync(ANSWERS)).toString()) as Answers;
  for (const [path, answer] of Object.entries(expected))
    expect({ path, answer: among(answer, found[path]) }).toEqual({ path, answer });
});
