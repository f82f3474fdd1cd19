import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { fillVasps, HOSTED, keyOf } from './hosted-vasps.ts';
import { type Measured, start } from './process.ts';
import { GREEDY, OURS } from './programs.ts';
import { section, show } from './report.ts';
import { median, medianOf, quantile } from './samples.ts';
import { verificationBody } from './verification-request.ts';

const OTHERS = 100;
const SECONDS = 10;
const ROUNDS = 4;
const GREEDY_CONNECTIONS = [50, 150];
const GREEDY_STARTS_MS = 3_000;
const PATH = '/v1/verifications';

type Send = (vasp: number) => Promise<number>;
type Answers = Partial<Record<number, number>>;

/** Hosted mode: one VASP far over its limit, in a process of its own, beside 100 others. The halves alternate. */
export async function benchFairness(folder: string): Promise<void> {
  const env = { DATABASE_PATH: join(folder, 'robot.sqlite') };
  await (await start(OURS, { ...HOSTED, ...env }, '/readyz')).stop();
  fillVasps(env.DATABASE_PATH);
  await (await start(OURS, { ...HOSTED, ...env }, '/readyz')).stop();
  for (const connections of GREEDY_CONNECTIONS) await benchBeside(connections, env);
}

async function benchBeside(connections: number, env: Record<string, string>): Promise<void> {
  section(
    `Fairness: ${OTHERS} VASPs send one verification per second, one has ${connections} connections at its limit`,
  );
  const server = await start(OURS, { ...HOSTED, ...env }, '/readyz');
  const pool = new Pool(server.url, { connections: OTHERS });
  const body = await bodyFor(server);
  const send = sender(pool, body);
  await pace(send, 3);
  const [alone, beside, ratios]: number[][] = [[], [], []];
  const answers: Answers[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const before = quantile(await pace(send), 0.99);
    const end = startGreedy(server, body, connections);
    // Its start and its burst are over.
    await delay(GREEDY_STARTS_MS);
    const after = quantile(await pace(send), 0.99);
    answers.push(await end());
    alone!.push(before);
    beside!.push(after);
    ratios!.push(after / before);
  }
  const perSecond = (status: number) =>
    medianOf(answers.map(each => (each[status] ?? 0) / (SECONDS + GREEDY_STARTS_MS / 1_000)));
  show(
    { what: 'p99 without it', ...medianOf(alone!), unit: 'ms' },
    { what: 'p99 beside one at its limit', ...medianOf(beside!), unit: 'ms' },
    {
      what: 'ratio of the medians',
      value: median(beside!) / median(alone!),
      spread: medianOf(ratios!).spread,
      unit: '×',
      budget: { atMost: 2 },
    },
    { what: 'accepted of the one at its limit', ...perSecond(200), unit: '/s' },
    { what: 'refused of the one at its limit (429)', ...perSecond(429), unit: '/s' },
  );
  await pool.close();
  await server.stop();
}

/** The returned function ends it and answers how often it got which status. */
function startGreedy({ url }: Measured, body: string, connections: number): () => Promise<Answers> {
  const child = spawn(process.execPath, [...GREEDY, url, PATH, String(connections)], {
    env: { PATH: process.env.PATH, BENCH_KEY: keyOf(0), BENCH_BODY: body },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  return async () => {
    child.kill('SIGTERM');
    await once(child, 'close');
    return JSON.parse(output) as Answers;
  };
}

const headersOf = (vasp: number) => ({ authorization: `Bearer ${keyOf(vasp)}`, 'content-type': 'application/json' });

async function bodyFor({ url }: Measured): Promise<string> {
  const info = (await (await fetch(`${url}/sandbox/v1/info`, { headers: headersOf(1) })).json()) as {
    robot: { vaspId: string };
    users: { id: string; accounts: { ETH: string } }[];
  };
  const { accounts } = info.users.find(user => user.id === 'taylor-robbins')!;
  return verificationBody(info.robot.vaspId, accounts.ETH);
}

/** Answers the status. */
const sender =
  (pool: Pool, body: string): Send =>
  async vasp => {
    const answer = await pool.request({ path: PATH, method: 'POST', headers: headersOf(vasp), body });
    await answer.body.dump();
    return answer.statusCode;
  };

/** Every other VASP sends once a second. Answers the durations in ms. Throws unless every answer is 200. */
async function pace(send: Send, seconds = SECONDS): Promise<number[]> {
  const durations: number[] = [];
  const runs = Array.from({ length: OTHERS }, async (_, at) => {
    await delay((at * 1_000) / OTHERS);
    for (let second = 0; second < seconds; second++) {
      const since = performance.now();
      const status = await send(at + 1);
      if (status !== 200) throw new Error(`VASP ${at + 1} got ${status}`);
      durations.push(performance.now() - since);
      await delay(Math.max(0, 1_000 - (performance.now() - since)));
    }
  });
  await Promise.all(runs);
  return durations;
}
