import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { serveFrames } from '../../src/devnet/frames.ts';
import { earlyServer, fairTurns } from '../../src/http/server.ts';
import { elapsedMs } from '../../src/kernel/clock.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { countQueueDelay, longestWaitSince, selfDelay, watchQueueDelay } from '../../src/kernel/stall.ts';
import { coveredSince } from '../../src/kernel/text.ts';
import { atOnce } from '../../src/kernel/turns.ts';
import { until } from '../support/until.ts';

function watch(caller: string) {
  onTestFinished(watchQueueDelay(caller));
  return selfDelay(caller);
}

/** The part of a wait that counts, by a watch that began before it. Whole milliseconds, rounded up. */
const countedSince = (began: number) => Math.max(0, Math.ceil(elapsedMs() - began - 100));

test('waits that overlap count once, each without its first tenth of a second', async () => {
  const ms = watch('a');
  const began = elapsedMs();
  const endOne = countQueueDelay('a');
  await delay(50);
  const endOther = countQueueDelay('a');
  await delay(250);
  endOne();
  expect(ms()).toBeGreaterThan(190);
  expect(ms()).toBeLessThanOrEqual(countedSince(began));
  await delay(100);
  endOther();
  const counted = countedSince(began);
  await delay(200);
  expect(ms()).toBeGreaterThan(290);
  expect(ms()).toBeLessThanOrEqual(counted);
});

test('nobody is kept waiting by what is quick, by the waits of others, or before the watch', async () => {
  const early = countQueueDelay('a');
  const ms = watch('a');
  const ofOther = countQueueDelay('b');
  let counted = 0;
  for (let n = 0; n < 4; n++) {
    const began = elapsedMs();
    const end = countQueueDelay('a');
    await delay(20);
    end();
    counted += countedSince(began);
  }
  const unwatched = selfDelay('b');
  await delay(200);
  ofOther();
  early();
  expect(ms()).toBeLessThanOrEqual(counted);
  expect(unwatched()).toBe(0);
});

test('a wait of a caller whom nobody knows may be that of anybody', async () => {
  const [ofA, ofB] = [watch('a'), watch('b')];
  const end = countQueueDelay('');
  await delay(300);
  end();
  expect(ofA()).toBeGreaterThan(190);
  expect(Math.abs(ofA() - ofB())).toBeLessThanOrEqual(1);
});

test('a connection waits until those before it are accepted, one in each round of the event loop', async () => {
  const { server } = earlyServer();
  server.on('connection', () => {
    for (const end = elapsedMs() + 5; elapsedMs() < end; );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  onTestFinished(watchQueueDelay('a'));
  const since = elapsedMs();
  const connectAll = (count: number) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const socket = connect(port, '127.0.0.1');
        onTestFinished(() => void socket.destroy());
        await once(socket, 'connect');
      }),
    );
  await connectAll(1);
  await delay(50);
  const ofOne = longestWaitSince('a', since);
  await connectAll(200);
  await until(() => longestWaitSince('a', since) > ofOne + 300);
});

test.each([
  [[], 0],
  [[[0, 50]], 0],
  [[[50, 150]], 50],
  [
    [
      [100, 200],
      [150, 300],
      [160, 170],
    ],
    200,
  ],
  [
    [
      [400, 500],
      [100, 200],
      [200, 250],
    ],
    250,
  ],
] as [number[][], number][])('the time since 100 that %j cover is %i', (spans, ms) => {
  expect(
    coveredSince(
      100,
      spans.map(([from = 0, to = 0]) => ({ from, to })),
    ),
  ).toBe(ms);
});

const SERVED_MS = 60;
const FRAMES = 6;

test('a frame waits behind all frames of its connection, although each of them is served soon', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const ms = watch('a');
  const since = elapsedMs();
  let served = 0;
  server.on('connection', client =>
    serveFrames(
      client,
      { maxRunning: 1, turns: atOnce, owner: 'a' },
      () => delay(SERVED_MS).then(() => void served++),
      silentLog,
    ),
  );
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as { port: number }).port}`);
  client.on('open', () => {
    for (let n = 0; n < FRAMES; n++) client.send('{}');
  });
  await until(() => served === FRAMES);
  client.terminate();
  const longest = (FRAMES - 1) * SERVED_MS;
  expect(longestWaitSince('a', since)).toBeGreaterThanOrEqual(longest - FRAMES);
  expect(ms()).toBeGreaterThanOrEqual(longest - 100 - FRAMES);
});

test('a request that waits for its turn is kept waiting', async () => {
  const inTurn = fairTurns();
  const [ofQuick, ofNobody] = [watch('quick'), watch('nobody')];
  await new Promise<void>(resolve => {
    inTurn('slow', () => {
      const end = elapsedMs() + 250;
      while (elapsedMs() < end);
    });
    inTurn('quick', resolve);
  });
  expect(ofQuick()).toBeGreaterThanOrEqual(140);
  expect(ofNobody()).toBe(0);
});
