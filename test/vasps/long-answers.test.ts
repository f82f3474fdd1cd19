import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fairTurns } from '../../src/http/server.ts';
import { recordedCalls } from '../../src/vasps/http-client.ts';

/** B6: a VASP that answers at length is read when it is its turn, so that others do not wait for it. */

const answers: Record<string, string> = { '/long': JSON.stringify('a'.repeat(60_000)), '/short': '"a"' };
const server = createServer((request, response) => void response.end(answers[request.url!]));
let url = '';
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

test('a long answer waits for a turn of its VASP, a short one does not, and neither counts as late', async () => {
  let spentMs = 0;
  const inTurn = fairTurns(() => spentMs);
  const order: string[] = [];
  const durations: number[] = [];
  const calls = recordedCalls(
    { header: 'Authorization' },
    {
      now: () => 0,
      turnOf: vaspId => new Promise(resolve => inTurn(vaspId, resolve)),
      onExchange: ({ url, durationMs }) => {
        order.push(new URL(url).pathname);
        durations.push(durationMs);
      },
    },
  );
  const send = (path: string) =>
    calls.send({
      vaspId: 'greedy',
      operation: 'verifyUser',
      method: 'POST',
      url: url + path,
      verificationUuid: null,
      body: '{}',
      timeoutMs: 10_000,
    });
  // The VASP has cost much, and others ask.
  let isOver = false;
  const others = () => {
    order.push('another');
    spentMs += 1;
    if (!isOver) inTurn('another', others);
  };
  inTurn('greedy', () => {
    spentMs += 10_000;
  });
  inTurn('another', others);
  const long = send('/long');
  const short = send('/short');
  await short;
  await long;
  isOver = true;
  await calls.close();
  const before = (path: string) => order.slice(0, order.indexOf(path)).filter(each => each === 'another').length;
  expect(before('/long')).toBeGreaterThan(before('/short'));
  expect(before('/long')).toBeGreaterThan(9_000);
  expect(durations.every(ms => ms < 5_000)).toBe(true);
});
