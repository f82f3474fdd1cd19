import { join } from 'node:path';
import { start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { cpuOf, memoryMb, spent } from './usage.ts';

/** The engine collects the garbage of the start within 20 s. */
const WARM_UP_MS = 30_000;
const MEASURED_MS = 60_000;

/** Both embedded ledgers run, nobody asks anything. */
export async function benchRest(folder: string): Promise<void> {
  section(`At rest, over ${MEASURED_MS / 1000} seconds`);
  // As in the container: an earlier start has kept the compiled functions.
  await (await start(OURS, { DATABASE_PATH: join(folder, 'first.sqlite') }, '/readyz')).stop();
  const server = await start(OURS, { DATABASE_PATH: join(folder, 'robot.sqlite') }, '/readyz');
  await new Promise(resolve => setTimeout(resolve, WARM_UP_MS));
  const before = cpuOf(server.pid);
  await new Promise(resolve => setTimeout(resolve, MEASURED_MS));
  const { main, threads, children } = spent(before, cpuOf(server.pid));
  const percent = (micros: number) => micros / 1000 / MEASURED_MS / 0.01;
  show(
    { what: 'main thread', value: percent(main), unit: '% of a core' },
    { what: 'other threads', value: percent(threads), unit: '% of a core' },
    { what: 'other processes', value: percent(children), unit: '% of a core' },
    { what: 'all processes', value: percent(main + threads + children), unit: '% of a core', budget: { atMost: 0.5 } },
    { what: 'memory at rest, all processes', value: memoryMb(server.pid), unit: 'MB', budget: { atMost: 130 } },
  );
}
