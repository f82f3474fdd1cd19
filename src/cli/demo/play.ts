import { loadConfig } from '../../app/config/config.ts';
import { type Client, client } from '../../client/client.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { play } from '../check/play.ts';
import type { Call, ExitCode } from '../command.ts';
import { type Interrupted, whenInterrupted } from '../stop.ts';

export interface Telling {
  /** The lines of the run go to standard error, and the figures to standard output. */
  isJson: boolean;
  print: Call['print'];
  progress: Call['progress'];
}

const toStandardError = (text: string): void => void process.stderr.write(`${text}\n`);
export const teller = ({ isJson, print }: Pick<Telling, 'isJson' | 'print'>) =>
  isJson ? toStandardError : (text: string) => print(text, undefined);

/** Runs the official tests against the reference VASP in a sandbox in memory. Returns the exit code. */
export async function playDemo(telling: Telling): Promise<ExitCode> {
  const tell = teller(telling);
  // A closed pipe (`demo | head`) does not stop the demo before it has cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  tell('The official tests run against the reference VASP.');
  const interrupted = new Promise<Interrupted>(whenInterrupted);
  const { serve } = await import('../../main.ts');
  const running = await serve(
    loadConfig({ PORT: '0', DATABASE_PATH: ':memory:', XRPL_CLOSE_INTERVAL: '100ms', LOG_LEVEL: 'error' }),
  );
  try {
    const played = running.ready().then(() => runTests(client(running.url), telling));
    played.catch(() => {});
    const code = await Promise.race([played, interrupted]);
    if (code > 1) tell('Interrupted.');
    return code;
  } finally {
    await running.stop();
  }
}

/** Runs the official tests in ETH and XRP against the reference VASP of this sandbox. Returns the exit code. */
export async function runTests(api: Client, telling: Telling & { modules?: string[] }): Promise<ExitCode> {
  const tell = teller(telling);
  const startedAt = elapsedMs();
  const { url } = await api.switchReferenceVasp(true);
  tell(`The sandbox is at ${api.url}, the reference VASP at ${url}.`);
  const { modules } = telling;
  const order = { plan: 'complete', unattended: true, wait: '10s', ...(modules && { modules }) } as const;
  const { report, interrupted } = await play(api, order, { print: tell, progress: telling.progress });
  const { result, counts } = report;
  const tookMs = Math.round(elapsedMs() - startedAt);
  const isGood = result === 'PASSED';
  const seconds = (tookMs / 1000).toFixed(1);
  tell(isGood ? `All ${counts.passed} conditions passed in ${seconds} s.` : `The run ended as ${result}.`);
  if (telling.isJson) telling.print('', { result, counts, tookMs });
  return interrupted ?? (isGood ? 0 : 1);
}
