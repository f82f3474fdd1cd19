import { join } from 'node:path';
import { CallbackSink } from './callback-sink.ts';
import { postMany } from './load.ts';
import { start } from './process.ts';
import { OURS } from './programs.ts';
import { section, show } from './report.ts';
import { verificationRequest } from './verification-request.ts';

const OPEN = 10_000;
const CONNECTIONS = 32;

/** Verifications without a report: the robot asks for each transaction 12 times in the hour. */
export async function benchAdvance(folder: string): Promise<void> {
  section(`clock/advance of one hour with ${OPEN} verifications that wait for a report`);
  const sink = new CallbackSink();
  const peer = await sink.listen();
  const server = await start(
    OURS,
    {
      DATABASE_PATH: join(folder, 'robot.sqlite'),
      VEGA_VERIFICATION_CALLBACK_API_PATH: peer,
      VEGA_VERIFICATION_TRANSACTION_API_PATH: peer,
    },
    '/readyz',
  );
  await postMany(`${server.url}/v1/verifications`, await verificationRequest(server.url), OPEN, CONNECTIONS);
  await sink.has(OPEN);
  const startedAt = performance.now();
  const answer = await fetch(`${server.url}/sandbox/v1/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ duration: '61m' }),
  });
  const text = await answer.text();
  const seconds = (performance.now() - startedAt) / 1000;
  const { counts, fired } = JSON.parse(text) as { counts?: Record<string, number>; fired: unknown[] };
  const timers = counts ? Object.values(counts).reduce((sum, count) => sum + count, 0) : fired.length;
  show(
    { what: 'one hour', value: seconds, unit: 's' },
    { what: 'timers', value: timers / seconds, unit: 'timers/s', budget: { atLeast: 2_000 } },
    { what: 'answer', value: text.length / 2 ** 20, unit: 'MB' },
  );
}
