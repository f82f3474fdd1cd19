import { join } from 'node:path';
import { start } from './process.ts';
import { BASELINE, OURS } from './programs.ts';
import { section, show } from './report.ts';
import { median, medianOf } from './samples.ts';

const RUNS = 10;

/** Process start to the first answer, in turn: ours, the bare baseline, ours, … */
export async function benchStartUp(folder: string): Promise<void> {
  section('Start-up (medians of 10, in turn)');
  const database = join(folder, 'robot.sqlite');
  const once = async (args: string[], env: Record<string, string>, path: string) => {
    const server = await start(args, env, path);
    await server.stop();
    return server.startedInMs;
  };
  const [bare, ours, ready, fresh]: number[][] = [[], [], [], []];
  await once(OURS, { DATABASE_PATH: database }, '/readyz');
  for (let run = 0; run < RUNS; run++) {
    bare!.push(await once(BASELINE, { DATABASE: join(folder, 'bare.sqlite') }, '/healthcheck'));
    ours!.push(await once(OURS, { DATABASE_PATH: database }, '/healthcheck'));
    ready!.push(await once(OURS, { DATABASE_PATH: database }, '/readyz'));
    fresh!.push(await once(OURS, { DATABASE_PATH: join(folder, `fresh-${run}`, 'robot.sqlite') }, '/readyz'));
  }
  show(
    { what: 'bare Hono + better-sqlite3 → /healthcheck', ...medianOf(bare!), unit: 'ms' },
    { what: 'ours → /healthcheck', ...medianOf(ours!), unit: 'ms' },
    { what: 'ratio', value: median(ours!) / median(bare!), unit: '×', budget: { atMost: 1.7 } },
    { what: 'ours → /readyz, both ledgers, with their state', ...medianOf(ready!), unit: 'ms' },
    { what: 'ratio', value: median(ready!) / median(bare!), unit: '×', budget: { atMost: 3 } },
    { what: 'ours → /readyz, both ledgers, fresh folder', ...medianOf(fresh!), unit: 'ms' },
    { what: 'ratio', value: median(fresh!) / median(bare!), unit: '×', budget: { atMost: 3 } },
  );
}
