import { once } from 'node:events';
import { loadConfig } from '../../app/config.ts';
import { type Client, client } from '../../client/client.ts';
import type { RunReport } from '../../contract/plans.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { play } from '../check/play.ts';
import type { Call } from '../command.ts';

/**
 * Runs the official tests in ETH and XRP against the reference VASP, in a sandbox in memory. `isJson`: the lines of the
 * run go to standard error, and the figures to standard output. Returns the exit code.
 */
export async function playDemo(isJson: boolean, print: Call['print']): Promise<number> {
  const startedAt = elapsedMs();
  const tell = isJson ? toStandardError : (text: string) => print(text, undefined);
  // A closed pipe (`demo | head`) does not stop the demo before it has cleaned up.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
  const interrupted = Promise.race([
    once(process, 'SIGINT').then(() => 130),
    once(process, 'SIGTERM').then(() => 143),
  ]);
  tell('The official tests run against the reference VASP.');
  const { serve } = await import('../../main.ts');
  const running = await serve(
    loadConfig({ PORT: '0', DATABASE_PATH: ':memory:', XRPL_CLOSE_INTERVAL: '100ms', LOG_LEVEL: 'error' }),
  );
  try {
    const played = running.ready().then(() => runAll(client(running.url), tell));
    played.catch(() => {});
    const outcome = await Promise.race([played, interrupted]);
    if (typeof outcome === 'number') {
      tell('Interrupted.');
      return outcome;
    }
    const seconds = ((elapsedMs() - startedAt) / 1000).toFixed(1);
    const { passed } = outcome.counts;
    const isGood = outcome.result === 'PASSED';
    tell(isGood ? `All ${passed} conditions passed in ${seconds} s.` : `The run ended as ${outcome.result}.`);
    if (isJson)
      print('', {
        result: outcome.result,
        counts: outcome.counts,
        tookMs: Math.round(elapsedMs() - startedAt),
      });
    return isGood ? 0 : 1;
  } finally {
    await running.stop();
  }
}

async function runAll(api: Client, tell: (text: string) => void): Promise<RunReport> {
  const { url } = await api.switchReferenceVasp(true);
  tell(`The sandbox is at ${api.url}, the reference VASP at ${url}.`);
  return play(api, { plan: 'complete', unattended: true, wait: '10s' }, { print: tell, progress: () => {} });
}

const toStandardError = (text: string): void => void process.stderr.write(`${text}\n`);
