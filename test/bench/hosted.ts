import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { type Measured, start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { medianOf, quantile } from './samples.ts';
import { memoryMb } from './usage.ts';
import { verificationBody } from './verification-request.ts';

const HOSTED = {
  MODE: 'hosted',
  OPERATOR_KEY: 'operator-key-of-the-bench-0123456789',
  PUBLIC_URL: 'https://sandbox.example',
  DATA_KEY: '0f'.repeat(32),
};
const OTHERS = 100;
const SECONDS = 20;
const GREEDY_AT_ONCE = 50;
const VASPS = 10_000;
const VERIFICATIONS = Number(process.env.BENCH_VERIFICATIONS ?? 1_000_000);
const STARTS = 3;

/** Hosted mode: one VASP at its limit beside 100 others, then 10,000 VASPs with a million verifications. */
export async function benchHosted(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-bench-'));
  const env = { ...HOSTED, DATABASE_PATH: join(folder, 'robot.sqlite') };
  try {
    await (await start(OURS, env, '/readyz')).stop();
    fillVasps(env.DATABASE_PATH);
    await (await start(OURS, env, '/readyz')).stop();
    await benchFairness(env);
    await benchScale(env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const keyOf = (vasp: number): string => `rv_main_bench-${vasp}`;
const idOf = (vasp: number): string => String(1_000_000 + vasp);

async function benchFairness(env: Record<string, string>): Promise<void> {
  section(`Fairness: ${OTHERS} VASPs send one verification per second`);
  const server = await start(OURS, env, '/readyz');
  try {
    const send = await sender(server);
    const alone = await pace(send);
    const stop = new AbortController();
    const answers = new Map<number, number>();
    const greedy = Array.from({ length: GREEDY_AT_ONCE }, async () => {
      while (!stop.signal.aborted) {
        const status = await send(0);
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    });
    const beside = await pace(send);
    stop.abort();
    await Promise.all(greedy);
    const [before, after] = [quantile(alone, 0.99), quantile(beside, 0.99)];
    show(
      { what: 'p99 without it', value: before, unit: 'ms' },
      { what: 'p99 beside one at its limit', value: after, unit: 'ms' },
      { what: 'ratio', value: after / before, unit: '×', budget: { atMost: 2 } },
      { what: 'accepted of the one at its limit', value: (answers.get(200) ?? 0) / SECONDS, unit: '/s' },
      { what: 'refused of the one at its limit (429)', value: (answers.get(429) ?? 0) / SECONDS, unit: '/s' },
    );
  } finally {
    await server.stop();
  }
}

/** Answers the status. */
async function sender({ url }: Measured): Promise<(vasp: number) => Promise<number>> {
  const headersOf = (vasp: number) => ({
    authorization: `Bearer ${keyOf(vasp)}`,
    'content-type': 'application/json',
  });
  const info = (await (await fetch(`${url}/sandbox/v1/info`, { headers: headersOf(1) })).json()) as {
    robot: { vaspId: string };
    users: { id: string; accounts: { ETH: string } }[];
  };
  const { accounts } = info.users.find(user => user.id === 'taylor-robbins')!;
  const body = verificationBody(info.robot.vaspId, accounts.ETH);
  return async vasp => {
    const answer = await fetch(`${url}/v1/verifications`, { method: 'POST', headers: headersOf(vasp), body });
    await answer.arrayBuffer();
    return answer.status;
  };
}

/** Every other VASP sends once a second. Answers the durations of the accepted requests, in ms. */
async function pace(send: (vasp: number) => Promise<number>): Promise<number[]> {
  const durations: number[] = [];
  const runs = Array.from({ length: OTHERS }, async (_, at) => {
    await delay((at * 1_000) / OTHERS);
    for (let second = 0; second < SECONDS; second++) {
      const since = performance.now();
      if ((await send(at + 1)) === 200) durations.push(performance.now() - since);
      await delay(Math.max(0, 1_000 - (performance.now() - since)));
    }
  });
  await Promise.all(runs);
  return durations;
}

async function benchScale(env: Record<string, string>): Promise<void> {
  section(`${VASPS} VASPs, ${VERIFICATIONS} verifications`);
  fillVerifications(env.DATABASE_PATH!);
  await (await start(OURS, env, '/readyz')).stop();
  const [starts, memory]: number[][] = [[], []];
  for (let run = 0; run < STARTS; run++) {
    const server = await start(OURS, env, '/readyz');
    starts!.push(server.startedInMs);
    // The first sweep of the retention begins after 5 s.
    await delay(8_000);
    memory!.push(memoryMb(server.pid));
    if (run === STARTS - 1) await showLists(server);
    await server.stop();
  }
  show(
    { what: 'start → /readyz', ...medianOf(starts!), unit: 'ms', budget: { atMost: 1_000 } },
    { what: 'memory', ...medianOf(memory!), unit: 'MB', budget: { atMost: 300 } },
  );
}

async function showLists({ url }: Measured): Promise<void> {
  const durations: number[] = [];
  for (let vasp = 1; vasp <= 200; vasp++) {
    const since = performance.now();
    const headers = { authorization: `Bearer ${keyOf(vasp)}` };
    await (await fetch(`${url}/v1/verifications?rpp=20`, { headers })).arrayBuffer();
    durations.push(performance.now() - since);
  }
  show({ what: 'a first page of 20, one after the other', ...medianOf(durations), unit: 'ms' });
}

function fillVasps(path: string): void {
  const db = new Sqlite(path);
  const now = Date.now();
  const tenant = db.prepare("INSERT INTO tenants_vasps (vasp_id, registered_at, quotas) VALUES (?, ?, '{}')");
  const key = db.prepare(
    "INSERT INTO tenants_keys (id, vasp_id, name, scope, hash, created_at) VALUES (?, ?, 'bench', 'full', ?, ?)",
  );
  const vasp = db.prepare(
    `INSERT INTO enclave_vasps (vasp_id, name, endpoints, authorization_header, is_active, health, created_at, updated_at)
     VALUES (?, ?, '{}', 'Authorization', 1, 'UP', ?, ?)`,
  );
  db.transaction(() => {
    for (let at = 0; at < VASPS; at++) {
      const id = idOf(at);
      tenant.run(id, now);
      vasp.run(id, `VASP ${at}`, now, now);
      key.run(`key-${at}`, id, createHash('sha256').update(keyOf(at)).digest('hex'), now);
    }
  })();
  db.close();
}

/** Copies of one that the program has made. */
function fillVerifications(path: string): void {
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  const columns = (db.pragma('table_info(enclave_verifications)') as { name: string }[])
    .map(({ name }) => name)
    .filter(name => name !== 'id');
  const row = db
    .prepare("SELECT * FROM enclave_verifications WHERE status = 'VERIFIED' LIMIT 1")
    .get() as Record<string, unknown>;
  const insert = db.prepare(
    `INSERT INTO enclave_verifications (${columns}) VALUES (${columns.map(name => `@${name}`)})`,
  );
  const days = 25 * 86_400_000;
  db.transaction(() => {
    for (let at = 0; at < VERIFICATIONS; at++)
      insert.run({
        ...row,
        uuid: `bench-${String(at).padStart(30, '0')}`,
        originating_vasp_id: idOf(at % VASPS),
        created_at: Date.now() - Math.floor((days * (VERIFICATIONS - at)) / VERIFICATIONS),
      });
  })();
  db.close();
}
