import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { CallbackSink } from './callback-sink.ts';
import { atRate, postMany } from './load.ts';
import { installPeers, type Peer } from './peer-programs.ts';
import { freePort, type Measured, start, startProgram } from './process.ts';
import { BASELINE, OURS } from './programs.ts';
import { progress, section, show } from './report.ts';
import { median, medianOf, quantile } from './samples.ts';
import { memoryMb } from './usage.ts';
import { verificationBody, verificationRequest } from './verification-request.ts';

/** Of all rounds fewer than 25,000: then ours begins to remove old exchanges. */
const AMOUNT = 4_500;
const CONNECTIONS = 32;
/** One for each place in the order of our program and three mock servers. */
const ROUNDS = 4;
const PER_SECOND = 50;
const SECONDS = 10;
const OURS_NAME = 'robot-vasp';
const BARE_NAME = 'bare server';

interface Contestant {
  name: string;
  server: Measured;
  /** The body that makes the server call `callback`. */
  bodyFor(callback: string): string;
  /** The id under which the callback endpoint notes the callback of this answer. */
  idOf(answer: string, sentId: string): string;
}

interface Rounds {
  rate: number[];
  p50: number[];
  p99: number[];
  memory: number[];
}

/**
 * Mock servers that accept a request, answer it and call back. They store, check and judge nothing; ours does all of
 * its work. The bare server shows how much time the libraries and one commit leave for that work.
 */
export async function benchPeers(folder: string): Promise<void> {
  section(
    `Beside mock servers: request → callback (${CONNECTIONS} connections, ${AMOUNT} requests, median of ${ROUNDS} after one)`,
  );
  const cache = join(tmpdir(), 'robot-vasp-bench-peers');
  mkdirSync(cache, { recursive: true });
  const sink = new CallbackSink();
  const callback = await sink.listen();
  const contestants: Contestant[] = [await bare(folder), await ours(folder, callback)];
  for (const peer of installPeers(cache)) contestants.push(await contestant(peer, folder));
  const rounds = contestants.map(() => ({ rate: [], p50: [], p99: [], memory: [] }) as Rounds);
  await playRounds(contestants, rounds, sink, callback);
  showRounds(contestants, rounds);
}

/** Ours is ahead of all in rate and start and of two in memory, and its callbacks are not behind those of WireMock. */
function showRounds(contestants: readonly Contestant[], rounds: readonly Rounds[]): void {
  const mocks = contestants.flatMap(({ name, server }, i) =>
    name === OURS_NAME || name === BARE_NAME ? [] : [{ name, start: server.startedInMs, ...rounds[i]! }],
  );
  const wiremock = mocks.find(({ name }) => name === 'WireMock')!;
  const memories = mocks.map(({ memory }) => median(memory)).sort((one, other) => one - other);
  for (const [i, { name, server }] of contestants.entries()) {
    const { rate, p50, p99, memory } = rounds[i]!;
    const only = <B>(budget: B) => (name === OURS_NAME ? { budget } : {});
    show(
      {
        what: `${name}: start`,
        value: server.startedInMs,
        unit: 'ms',
        ...only({ atMost: Math.min(...mocks.map(({ start }) => start)) }),
      },
      {
        what: `${name}: throughput`,
        ...medianOf(rate),
        unit: 'requests/s',
        ...only({ atLeast: Math.max(...mocks.map(each => median(each.rate))) }),
      },
      {
        what: `${name}: p50 at ${PER_SECOND}/s`,
        ...medianOf(p50),
        unit: 'ms',
        ...only({ atMost: median(wiremock.p50) }),
      },
      {
        what: `${name}: p99 at ${PER_SECOND}/s`,
        ...medianOf(p99),
        unit: 'ms',
        ...only({ atMost: median(wiremock.p99) }),
      },
      { what: `${name}: memory after load`, ...medianOf(memory), unit: 'MB', ...only({ atMost: memories.at(-2)! }) },
    );
  }
}

async function playRounds(
  contestants: readonly Contestant[],
  rounds: readonly Rounds[],
  sink: CallbackSink,
  callback: string,
): Promise<void> {
  for (const each of contestants) await rateOf(each, sink, callback);
  for (let n = 0; n < ROUNDS; n++) {
    const [first, ...others] = contestants.map((each, i) => ({ each, own: rounds[i]! }));
    const turn = [first!, ...inTurn(others, n)];
    for (const { each, own } of turn) {
      own.rate.push(await rateOf(each, sink, callback));
      own.memory.push(memoryMb(each.server.pid));
    }
    for (const { each, own } of turn) {
      const latencies = await latenciesOf(each, sink, callback);
      own.p50.push(median(latencies));
      own.p99.push(quantile(latencies, 0.99));
    }
    progress(n + 1, ROUNDS, 'rounds');
  }
}

/**
 * A program suffers from what the one before it has left to do. Of an even number, each one follows each other one once in
 * as many rounds as there are programs (a Williams design). Each one is first once, too, and last once.
 */
const inTurn = <T>(all: readonly T[], round: number): T[] =>
  all.map((_, i) => {
    const place = i % 2 === 0 ? all.length - i / 2 : (i + 1) / 2;
    return all[(place + round) % all.length]!;
  });

async function bare(folder: string): Promise<Contestant> {
  const server = await start(BASELINE, { DATABASE: join(folder, 'bare.sqlite') });
  return mock(BARE_NAME, server);
}

async function ours(folder: string, callback: string): Promise<Contestant> {
  const env = { DATABASE_PATH: join(folder, 'robot.sqlite'), VEGA_VERIFICATION_CALLBACK_API_PATH: callback };
  const server = await start(OURS, env);
  await untilReady(server.url);
  const body = await verificationRequest(server.url);
  const idOf = (answer: string) => (JSON.parse(answer) as { verificationUuid: string }).verificationUuid;
  return { name: OURS_NAME, server, bodyFor: () => body, idOf };
}

async function untilReady(url: string): Promise<void> {
  while (!(await fetch(`${url}/readyz`)).ok) await new Promise(resolve => setTimeout(resolve, 20));
}

async function contestant(peer: Peer, folder: string): Promise<Contestant> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const own = join(folder, peer.name);
  mkdirSync(own);
  const { program, args } = peer.prepare(own, port);
  return mock(peer.name, await startProgram(program, args, { url, path: '/healthcheck', port, env: {} }));
}

/** Calls the address in the body of the request. */
function mock(name: string, server: Measured): Contestant {
  const request = JSON.parse(verificationBody('17104899575711300402', '0x5811001506550d8356a215be229c15b6ef371a9b'));
  const bodyFor = (callbackUrl: string) => JSON.stringify({ callbackUrl, ...request });
  return { name, server, bodyFor, idOf: (_answer, sentId) => sentId };
}

async function rateOf({ server, bodyFor }: Contestant, sink: CallbackSink, callback: string): Promise<number> {
  const before = sink.received;
  const startedAt = performance.now();
  await postMany(`${server.url}/v1/verifications`, bodyFor(`${callback}?id=load`), AMOUNT, CONNECTIONS);
  await sink.has(before + AMOUNT);
  return (AMOUNT * 1000) / (sink.lastAt - startedAt);
}

let lastId = 0;

/** The first second is left out: connections are made in it. */
async function latenciesOf(
  { server, bodyFor, idOf }: Contestant,
  sink: CallbackSink,
  callback: string,
): Promise<number[]> {
  const pool = new Pool(server.url, { connections: CONNECTIONS });
  const took = await atRate(PER_SECOND * SECONDS, PER_SECOND, async () => {
    const id = `sent-${++lastId}`;
    const sentAt = performance.now();
    const answer = await pool.request({
      path: '/v1/verifications',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: bodyFor(`${callback}?id=${id}`),
    });
    return (await sink.heardOf(idOf(await answer.body.text(), id))) - sentAt;
  });
  await pool.close();
  return took.slice(PER_SECOND);
}
