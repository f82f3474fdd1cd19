import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CallbackSink } from './callback-sink.ts';
import { fillDatabase, uuidOf } from './fill-database.ts';
import { postMany } from './load.ts';
import { type Measured, start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { medianOf, quantile } from './samples.ts';
import { verificationRequest } from './verification-request.ts';
import { round } from './verifications.ts';

const VASP_ID = '15952089931162058999';
const VERIFICATIONS = Number(process.env.BENCH_VERIFICATIONS ?? 1_000_000);
const VASPS = 10_000;
const TIMERS = 100_000;
/** So many are kept of one VASP. */
const EXCHANGES = 50_000;
const ORIGINALS = 20;
const WARM_UP = 3;
const MORE = 3_000;
const ROUNDS = 5;
const TIMES = 200;
/** A list of REF-4.4 counts all that it finds, and any other one only its page. A filter may name a rare value. */
const MAX_MS = { page: 100, count: 400, filter: 500, search: 300 };
/** A path that is far too slow is asked less often. */
const ENOUGH_MS = 4_000;

export const MIDDLE = uuidOf(Math.floor(VERIFICATIONS / 2));
export const PATHS = [
  '/v1/verifications',
  '/v1/verifications?rpp=100&page=5000',
  `/v1/verifications?page=${Math.floor(VERIFICATIONS / 100)}&rpp=100`,
  '/v1/verifications?actionType=SEND&result=VERIFIED&symbol=ETH',
  '/v1/verifications?result=DENIED',
  '/v1/verifications?fromDate=2020-01-01&toDate=2030-12-31&page=300',
  '/v1/verifications?txHash=0x00',
  '/v1/verifications?network=none',
  '/v1/verifications?oppositeVaspId=8000000000000000001',
  '/v1/verifications?originatorAccountNumber=0x00000000000000000000000000000000000000ff',
  '/v1/verifications?beneficiaryAccountNumber=0xff',
  '/v1/vasps/self',
  '/sandbox/v1/verifications',
  '/sandbox/v1/verifications?limit=999',
  '/sandbox/v1/verifications?role=beneficiary',
  '/sandbox/v1/verifications?status=OPEN',
  '/sandbox/v1/verifications?result=DENIED',
  '/sandbox/v1/verifications?reason=NOT-ALLOWED',
  '/sandbox/v1/verifications?symbol=XRP',
  '/sandbox/v1/verifications?search=taylor',
  '/sandbox/v1/verifications?search=nobody',
  '/sandbox/v1/verifications?search=nobody%20else',
  '/sandbox/v1/verifications?search=taylor%20nobody',
  '/sandbox/v1/verifications?search=t',
  '/sandbox/v1/verifications?search=zz',
  '/sandbox/v1/verifications?search=0xff',
  '/sandbox/v1/verifications?search=0000f423',
  '/sandbox/v1/verifications?search=denied',
  '/sandbox/v1/verifications?search=2020-01-01',
  `/sandbox/v1/verifications?search=${MIDDLE}`,
  `/sandbox/v1/verifications?search=${MIDDLE.slice(0, 8)}`,
  '/sandbox/v1/verifications?search=00000000000000000000000000000000000000ff',
  `/sandbox/v1/verifications/${MIDDLE}/timeline`,
  `/sandbox/v1/verifications/${MIDDLE}/neighbours`,
  '/sandbox/v1/callbacks',
  '/sandbox/v1/callbacks?limit=999',
  '/sandbox/v1/callbacks?order=newest&status=GIVEN-UP',
  '/sandbox/v1/callbacks?type=TX_REPORT',
  '/sandbox/v1/callbacks?order=newest&type=TX_REPORT',
  `/sandbox/v1/callbacks?verificationUuid=${MIDDLE}`,
  '/sandbox/v1/mailbox',
  '/sandbox/v1/mailbox?type=TX_REPORT',
  '/sandbox/v1/exchanges',
  '/sandbox/v1/exchanges?limit=999',
  '/sandbox/v1/exchanges?status=5xx&direction=IN',
  '/sandbox/v1/exchanges?slow=60000',
  `/sandbox/v1/exchanges?verificationUuid=${MIDDLE}`,
  '/sandbox/v1/timers',
  '/sandbox/v1/timers?limit=999',
  '/sandbox/v1/transfers',
  '/sandbox/v1/transfers?limit=999',
  '/sandbox/v1/received-payments',
  '/sandbox/v1/received-payments?limit=999',
  '/sandbox/v1/assessments',
  '/sandbox/v1/balances',
  '/sandbox/v1/users',
  '/sandbox/v1/vasps',
  '/sandbox/v1/faults',
  '/sandbox/v1/health',
  '/sandbox/v1/info',
  '/sandbox/v1/statistics',
  '/sandbox/v1/clock',
  '/sandbox/v1/runs',
  '/sandbox/v1/plans',
  '/sandbox/v1/scenarios',
  '/metrics',
  '/readyz',
  '/healthcheck',
  '/console',
  '/console/tests',
  '/console/checks',
  '/console/send',
  '/console/verifications',
  '/console/verifications?search=nobody',
  '/console/verifications?status=OPEN',
  `/console/verifications/${MIDDLE}`,
  '/console/callbacks',
  '/console/callbacks?status=GIVEN-UP',
  '/console/exchanges',
  '/console/exchanges?status=5xx',
  '/console/money',
  '/console/assessments',
  '/console/timers',
  '/console/faults',
  '/console/chains',
  '/console/users',
  '/console/settings',
  '/console/keys',
  // Its answers are long, and the last exchanges would hold them.
  '/v1/vasps',
];

/** Every list, page and search of one VASP that has very much. */
export async function benchLists(folder: string): Promise<void> {
  section(`Lists, searches and pages: ${VERIFICATIONS} verifications of one VASP, ${VASPS} VASPs`);
  /** A folder that stays, so that the next run need not fill it. */
  const database = join(process.env.BENCH_FOLDER ?? folder, 'robot.sqlite');
  const sink = new CallbackSink();
  const env = { DATABASE_PATH: database, VEGA_VERIFICATION_CALLBACK_API_PATH: await sink.listen() };
  if (!existsSync(database)) await fill(env, sink);
  const server = await start(OURS, env, '/readyz');
  for (const path of PATHS) await measure(server.url, path);
  await measureMore(server, sink);
}

async function fill(env: { DATABASE_PATH: string }, sink: CallbackSink): Promise<void> {
  const first = await start(OURS, env, '/readyz');
  await postMany(`${first.url}/v1/verifications`, await verificationRequest(first.url), ORIGINALS, 4);
  await sink.has(ORIGINALS);
  await first.stop();
  const amounts = { verifications: VERIFICATIONS, vasps: VASPS, exchanges: EXCHANGES, timers: TIMERS };
  fillDatabase(env.DATABASE_PATH, amounts, VASP_ID);
}

/** New verifications beside the stored ones. The first round warms up. */
async function measureMore(server: Measured, sink: CallbackSink): Promise<void> {
  const body = await verificationRequest(server.url);
  const rounds = [];
  for (let n = 0; n <= ROUNDS; n++) rounds.push(await round(server, sink, body, MORE));
  const measured = rounds.slice(1);
  show(
    { what: 'new verifications: main thread', ...medianOf(measured.map(({ mainCpu }) => mainCpu)), unit: 'µs CPU' },
    {
      what: 'new verifications: written to disk',
      ...medianOf(measured.map(({ written }) => written / 1024)),
      unit: 'kB',
      budget: { atMost: 40 },
    },
  );
}

function kindOf(path: string): keyof typeof MAX_MS {
  if (path.includes('search=')) return 'search';
  if (path.includes('?')) return 'filter';
  return path.startsWith('/v1/verifications') ? 'count' : 'page';
}

async function measure(url: string, path: string): Promise<void> {
  const took: number[] = [];
  const beganAt = performance.now();
  for (let n = -WARM_UP; n < TIMES; n++) {
    const startedAt = performance.now();
    if (n > 0 && startedAt - beganAt > ENOUGH_MS) break;
    const answer = await fetch(url + path);
    await answer.arrayBuffer();
    if (n >= 0) took.push(performance.now() - startedAt);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  }
  show({
    what: `${path}, p99`,
    value: quantile(took, 0.99),
    unit: 'ms',
    spread: [Math.min(...took), Math.max(...took)],
    budget: { atMost: MAX_MS[kindOf(path)] },
  });
}
