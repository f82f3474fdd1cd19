import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { median } from './samples.ts';
import { memoryMb } from './usage.ts';

const PENDING = 100_000;
const RUNS = 5;

/** The same program on the same folder, with nothing pending and with very much. */
export async function benchTimers(folder: string): Promise<void> {
  section(`${PENDING} pending timers`);
  const env = { DATABASE_PATH: join(folder, 'robot.sqlite') };
  await (await start(OURS, env, '/readyz')).stop();
  const without = await sample(env);
  fill(env.DATABASE_PATH);
  const withMany = await sample(env);
  show(
    { what: 'start → /healthcheck without', value: without.startMs, unit: 'ms' },
    { what: 'start → /healthcheck with', value: withMany.startMs, unit: 'ms' },
    { what: 'ratio', value: withMany.startMs / without.startMs, unit: '×', budget: { atMost: 1.2 } },
    { what: 'more memory', value: withMany.memoryMb - without.memoryMb, unit: 'MB', budget: { atMost: 20 } },
    { what: 'clock/advance 1 s (one tick) without', value: without.tickMs, unit: 'ms' },
    { what: 'clock/advance 1 s (one tick) with', value: withMany.tickMs, unit: 'ms' },
    { what: 'ratio', value: withMany.tickMs / without.tickMs, unit: '×' },
  );
}

async function sample(env: Record<string, string>) {
  const starts: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    const server = await start(OURS, env);
    starts.push(server.startedInMs);
    await server.stop();
  }
  const server = await start(OURS, env, '/readyz');
  const ticks: number[] = [];
  for (let run = 0; run < 200; run++) {
    const startedAt = performance.now();
    const answer = await fetch(`${server.url}/sandbox/v1/clock/advance`, {
      method: 'POST',
      body: JSON.stringify({ duration: '1s' }),
    });
    await answer.arrayBuffer();
    ticks.push(performance.now() - startedAt);
  }
  const sampled = { startMs: median(starts), memoryMb: memoryMb(server.pid), tickMs: median(ticks) };
  await server.stop();
  return sampled;
}

function fill(path: string): void {
  const db = new Sqlite(path);
  const insert = db.prepare(
    `INSERT INTO runtime_timers (kind, key, owner, lane, due_at, payload, why, generation)
     VALUES ('robot.deposit.inquire', ?, '15952089931162058999', ?, ?, '{"verificationUuid":"none"}', 'bench', 0)`,
  );
  const dueAt = Date.now() + 30 * 86_400_000;
  db.transaction(() => {
    for (let i = 0; i < PENDING; i++) insert.run(`bench-${i}`, `bench-${i}`, dueAt + i);
  })();
  db.close();
}
