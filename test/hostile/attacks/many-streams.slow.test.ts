import { once } from 'node:events';
import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import { afterAll, expect, test } from 'vitest';
import { servingReady } from '../../support/process/serving.ts';
import { until } from '../../support/until.ts';
import { forFile } from '../../support/world/for-file.ts';

/** As many streams and waiting reads as are allowed, all open at once, while verifications go on. */

const MOST = 1_000;
/** Of a health check in the middle. Stated for a slow machine under load: an event that blocks takes longer. */
const MAX_MS = 1_000;

const program = await forFile(servingReady({ XRPL_CLOSE_INTERVAL: '500ms' }));
const ending: (() => void)[] = [];
afterAll(() => {
  for (const end of ending) end();
});

interface Open {
  status: number;
  retryAfter: string | undefined;
  text(): string;
}
/** Resolves when the answer begins; a mailbox that waits has none yet, so it resolves when the request is sent. */
function open(path: string, isWaiting = false): Promise<Open> {
  return new Promise((resolve, reject) => {
    let text = '';
    const asked = request(`${program.url}${path}`, { agent: false }, answer => {
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.on('error', () => {});
      resolve({ status: answer.statusCode!, retryAfter: answer.headers['retry-after'], text: () => text });
    });
    asked.on('error', reject);
    ending.push(() => {
      asked.removeAllListeners('error').on('error', () => {});
      asked.destroy();
    });
    asked.end(() => {
      if (isWaiting) resolve({ status: 0, retryAfter: undefined, text: () => text });
    });
  });
}

/** In a thread of its own: this one reads all the streams. */
const HEALTH_CHECKS = `
  const { parentPort, workerData } = require('node:worker_threads');
  const times = [];
  let isOver = false;
  parentPort.once('message', () => { isOver = true; });
  (async () => {
    while (!isOver) {
      const before = performance.now();
      const { ok } = await fetch(workerData);
      times.push(ok ? performance.now() - before : Infinity);
    }
    parentPort.postMessage(times);
  })();`;

async function verify(): Promise<string> {
  const ready = await (await fetch(`${program.url}/sandbox/v1/requests/verify-user`)).json();
  const { path, body } = ready as { path: string; body: object };
  const answer = await fetch(program.url + path, { method: 'POST', body: JSON.stringify(body) });
  return ((await answer.json()) as { verificationUuid: string }).verificationUuid;
}

test(`${MOST} streams and ${MOST} mailbox reads: each gets every event, more get 429, the health check stays fast`, async () => {
  const quiet = await open('/sandbox/v1/events?kind=reset');
  const streams: Open[] = [];
  for (let n = 1; n < MOST; n++) streams.push(await open('/sandbox/v1/events?kind=verification'));
  for (let n = 0; n < MOST; n += 50)
    await Promise.all(Array.from({ length: 50 }, () => open('/sandbox/v1/mailbox?wait=60s', true)));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  for (const path of ['/sandbox/v1/events', '/sandbox/v1/mailbox?wait=5s']) {
    const refused = await open(path);
    expect([path, refused.status]).toEqual([path, 429]);
    expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  }

  const checking = new Worker(HEALTH_CHECKS, { eval: true, workerData: `${program.url}/healthcheck` });
  for (let n = 0; n < 10; n++) {
    const uuid = await verify();
    await until(() => streams.every(({ text }) => text().includes(`"${uuid}"`)));
  }
  checking.postMessage('end');
  const [times] = (await once(checking, 'message')) as [number[]];
  times.sort((a, b) => a - b);
  const [median = 0, p99 = 0] = [0.5, 0.99].map(share => times[Math.floor(times.length * share)]);
  console.log(
    `${times.length} health checks, median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${times.at(-1)!.toFixed(1)} ms`,
  );
  expect(times.length).toBeGreaterThan(0);
  expect(median).toBeLessThan(MAX_MS);
  // The first heartbeat comes at once, the second after 15 s, although no event passes the filter.
  await until(() => quiet.text().split(':\n\n').length > 2);
});
