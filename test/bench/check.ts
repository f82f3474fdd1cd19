import { join } from 'node:path';
import { client } from '../../src/client/client.ts';
import { start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';

const LOOK_EVERY_MS = 1000;

/** The complete plan in both symbols, against the reference VASP with its driver. */
export async function benchCheck(folder: string): Promise<void> {
  section('the complete plan of checks, ETH and XRP, on embedded ledgers');
  const env = { DATABASE_PATH: join(folder, 'robot.sqlite'), XRPL_CLOSE_INTERVAL: '100ms' };
  const server = await start(OURS, env, '/readyz');
  const api = client(server.url);
  await api.switchReferenceVasp(true);
  const { id } = await api.startRun({ unattended: true });
  // Whoever looks often slows the run down.
  while ((await api.runs()).runs[0]?.endedAt == null) await new Promise(resolve => setTimeout(resolve, LOOK_EVERY_MS));
  const { result, counts, evidence, startedAt, endedAt, memoryBytes = 0 } = await api.run(id);
  const seconds = (Date.parse(endedAt!) - Date.parse(startedAt)) / 1000;
  if (result !== 'PASSED') throw new Error(`the run ended with ${result}: ${JSON.stringify(counts)}`);
  show(
    { what: 'from start to verdict', value: seconds, unit: 's', budget: { atMost: 20 } },
    { what: 'conditions that passed', value: counts.passed, unit: 'conditions' },
    { what: 'exchanges in the report', value: evidence.exchanges, unit: 'exchanges' },
    { what: 'their bodies', value: evidence.bytes / 2 ** 10, unit: 'KB' },
    { what: 'most memory at the end of a module', value: memoryBytes / 2 ** 20, unit: 'MB' },
  );
}
