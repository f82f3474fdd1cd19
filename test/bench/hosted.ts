import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { benchFairness, bodyFor } from './fairness.ts';
import { fillVasps, HOSTED, idOf, keyOf, VASPS } from './hosted-vasps.ts';
import { type Measured, start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { medianOf } from './samples.ts';
import { memoryMb } from './usage.ts';

const VERIFICATIONS = Number(process.env.BENCH_VERIFICATIONS ?? 1_000_000);
const STARTS = 3;

/** Hosted mode: one VASP at its limit beside 100 others. */
export const benchFair = (): Promise<void> => withVasps(benchFairness);

/** Hosted mode: fairness, then 10,000 VASPs with a million verifications. */
export const benchHosted = (): Promise<void> =>
  withVasps(async env => {
    await benchFairness(env);
    await benchScale(env);
  });

export const benchStart = (): Promise<void> => withVasps(benchScale);

async function withVasps(bench: (env: Record<string, string>) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-bench-'));
  const env = { DATABASE_PATH: join(folder, 'robot.sqlite') };
  try {
    await (await start(OURS, { ...HOSTED, ...env }, '/readyz')).stop();
    fillVasps(env.DATABASE_PATH);
    await (await start(OURS, { ...HOSTED, ...env }, '/readyz')).stop();
    await bench(env);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function benchScale(env: Record<string, string>): Promise<void> {
  section(`${VASPS} VASPs, ${VERIFICATIONS} verifications`);
  await makeVerification(env);
  fillVerifications(env.DATABASE_PATH!);
  await (await start(OURS, { ...HOSTED, ...env }, '/readyz')).stop();
  const [starts, memory]: number[][] = [[], []];
  for (let run = 0; run < STARTS; run++) {
    const server = await start(OURS, { ...HOSTED, ...env }, '/readyz');
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

async function makeVerification(env: Record<string, string>): Promise<void> {
  const server = await start(OURS, { ...HOSTED, ...env }, '/readyz');
  await fetch(`${server.url}/v1/verifications`, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(1)}`, 'content-type': 'application/json' },
    body: await bodyFor(server),
  });
  await server.stop();
}

/** Copies of one that the program has made. */
function fillVerifications(path: string): void {
  const db = new Sqlite(path);
  db.pragma('synchronous = OFF');
  const columns = (db.pragma('table_info(enclave_verifications)') as { name: string }[])
    .map(({ name }) => name)
    .filter(name => name !== 'id');
  const row = db.prepare("SELECT * FROM enclave_verifications WHERE status = 'VERIFIED' LIMIT 1").get() as Record<
    string,
    unknown
  >;
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
