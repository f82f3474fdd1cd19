import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { traced, tracing } from '../support/process/sql-trace.ts';
import { CallbackSink } from './callback-sink.ts';
import { postMany } from './load.ts';
import { type Measured, start } from './process.ts';
import { BASELINE, OURS } from './programs.ts';
import { section, show } from './report.ts';
import { median, medianOf } from './samples.ts';
import { cpuOf, spent, writtenBytes } from './usage.ts';
import { verificationRequest } from './verification-request.ts';

/** Of all rounds fewer than 25,000: then ours begins to remove old exchanges. */
const AMOUNT = 3_000;
const CONNECTIONS = 32;
const ROUNDS = 5;
/** By then V8 has optimised both programs. */
const WARM_UP = 8_000;

interface Round {
  perSecond: number;
  /** Microseconds per verification. */
  mainCpu: number;
  otherCpu: number;
  clientCpu: number;
  /** Bytes per verification. */
  written: number;
}

export async function benchVerifications(folder: string): Promise<void> {
  section(
    `User verifications, request → last callback (${CONNECTIONS} connections, ${AMOUNT} requests, median of ${ROUNDS})`,
  );
  const database = join(folder, 'robot.sqlite');
  const sink = new CallbackSink();
  const peer = await sink.listen();
  const baseline = await start(BASELINE, { PEER: peer, DATABASE: join(folder, 'bare.sqlite') });
  const ours = await start(OURS, { DATABASE_PATH: database, VEGA_VERIFICATION_CALLBACK_API_PATH: peer }, '/readyz');
  const body = await verificationRequest(ours.url);
  const rounds = { bare: [] as Round[], own: [] as Round[] };
  const sizeBefore = sizeOf(database);
  for (const server of [baseline, ours]) await round(server, sink, body, WARM_UP);
  for (let n = 0; n < ROUNDS; n++) {
    rounds.bare.push(await round(baseline, sink, body, AMOUNT));
    rounds.own.push(await round(ours, sink, body, AMOUNT));
  }
  showRounds(rounds.bare, rounds.own);
  const size = (sizeOf(database) - sizeBefore) / (ROUNDS * AMOUNT + WARM_UP);
  show({ what: 'database per verification', value: size / 1024, unit: 'kB', budget: { atMost: 6 } });
  await showStatements(folder, sink, peer, body);
}

export async function round(server: Measured, sink: CallbackSink, body: string, amount: number): Promise<Round> {
  const callbacks = sink.received;
  const cpuBefore = cpuOf(server.pid);
  const writtenBefore = writtenBytes(server.pid);
  const client = process.cpuUsage();
  const startedAt = performance.now();
  await postMany(`${server.url}/v1/verifications`, body, amount, CONNECTIONS);
  await sink.has(callbacks + amount);
  const { user, system } = process.cpuUsage(client);
  const cpu = spent(cpuBefore, cpuOf(server.pid));
  return {
    perSecond: (amount * 1000) / (sink.lastAt - startedAt),
    mainCpu: cpu.main / amount,
    otherCpu: (cpu.threads + cpu.children) / amount,
    clientCpu: (user + system) / amount,
    written: (writtenBytes(server.pid) - writtenBefore) / amount,
  };
}

function showRounds(bare: Round[], own: Round[]): void {
  const of = (rounds: Round[], figure: keyof Round) => rounds.map(each => each[figure]);
  const ratio = median(of(own, 'perSecond')) / median(of(bare, 'perSecond'));
  show(
    {
      what: 'bare Hono + zod + one insert + one outgoing POST',
      ...medianOf(of(bare, 'perSecond')),
      unit: 'requests/s',
    },
    { what: 'ours', ...medianOf(of(own, 'perSecond')), unit: 'requests/s' },
    { what: 'ratio', value: ratio, unit: '×', budget: { atLeast: 0.33 } },
    { what: 'bare: main thread', ...medianOf(of(bare, 'mainCpu')), unit: 'µs CPU' },
    { what: 'ours: main thread', ...medianOf(of(own, 'mainCpu')), unit: 'µs CPU' },
    {
      what: 'main thread, ratio',
      value: median(of(own, 'mainCpu')) / median(of(bare, 'mainCpu')),
      unit: '×',
      budget: { atMost: 3.1 },
    },
    { what: 'ours: other threads and processes', ...medianOf(of(own, 'otherCpu')), unit: 'µs CPU' },
    { what: 'client and callback endpoint', ...medianOf(of(own, 'clientCpu')), unit: 'µs CPU' },
    {
      what: 'written to disk',
      ...medianOf(of(own, 'written').map(bytes => bytes / 1024)),
      unit: 'kB',
      budget: { atMost: 25 },
    },
  );
}

const COUNTED = 50;

/** One after the other, so that no two share a transaction. */
async function showStatements(folder: string, sink: CallbackSink, peer: string, body: string): Promise<void> {
  const file = join(folder, 'statements');
  const env = { DATABASE_PATH: join(folder, 'traced', 'robot.sqlite'), VEGA_VERIFICATION_CALLBACK_API_PATH: peer };
  const server = await start(OURS, { ...env, ...tracing(file) }, '/readyz');
  const one = async () => {
    const before = sink.received;
    await postMany(`${server.url}/v1/verifications`, body, 1, 1);
    await sink.has(before + 1);
  };
  for (let n = 0; n < COUNTED; n++) await one();
  const before = traced(file).length;
  for (let n = 0; n < COUNTED; n++) await one();
  const value = (traced(file).length - before) / COUNTED;
  await server.stop();
  show({ what: 'SQL statements', value, unit: 'statements', budget: { atMost: 20 } });
}

/** Bytes of the database, without what its write-ahead log holds twice. */
function sizeOf(path: string): number {
  const database = new Sqlite(path, { readonly: true });
  const [pages, size] = ['page_count', 'page_size'].map(name => database.pragma(name, { simple: true }));
  database.close();
  return Number(pages) * Number(size);
}
