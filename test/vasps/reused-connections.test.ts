import { lookup } from 'node:dns';
import { describe, expect, test } from 'vitest';
import { type CallGuard, noGuard } from '../../src/vasps/call-guard.ts';
import { UUID } from '../support/contract/samples.ts';
import { answerOf } from '../support/vasp/raw-server.ts';
import { RIGHT, rawVasp, send, TEXT } from '../support/vasp/raw-vasp.ts';

/** VASPs close kept-alive connections when they like, also when the next call is already under way. */

const { server, exchanges, within, ask, problemOf } = await rawVasp();
/** The most at once to one VASP. */
const CONNECTIONS = 64;
const SLOW_MS = 50;

describe('the time of the connection is told apart from that of the answer', () => {
  const times = () => exchanges.map(({ connectMs, durationMs }) => ({ connectMs, durationMs }));
  const WAIT_MS = 200;

  test('a name that is looked up slowly, an answer that comes slowly, then the open connection', async () => {
    const slow: CallGuard['lookup'] = (name, options, done) =>
      void setTimeout(() => lookup(name, options, done as never), WAIT_MS);
    within(5_000, server.url.replace('127.0.0.1', 'localhost'), { ...noGuard, lookup: slow });
    server.behave(socket => void setTimeout(() => socket.write(answerOf(TEXT)), WAIT_MS));
    await ask();
    await ask();
    const [first, second] = times();
    expect(first!.connectMs).toBeGreaterThanOrEqual(WAIT_MS - 2);
    expect(first!.durationMs - first!.connectMs!).toBeGreaterThanOrEqual(WAIT_MS - 2);
    expect(second!.connectMs).toBeUndefined();
  });

  test('a connection that was never made took the whole time', async () => {
    within(WAIT_MS, server.url.replace('http:', 'https:'));
    await ask().catch(() => {});
    const [{ connectMs, durationMs }] = times() as [{ connectMs: number; durationMs: number }];
    expect(durationMs).toBeGreaterThanOrEqual(WAIT_MS);
    expect(connectMs).toBe(durationMs);
  });
});

describe('D-38: connections', () => {
  test('a call that dies on a reused connection is sent once more on a fresh one, and both are shown', async () => {
    server.behave((socket, { index }) => (index === 0 ? socket.write(answerOf(TEXT)) : socket.destroy()));
    for (let call = 0; call < 12; call++) expect(await ask()).toEqual(RIGHT);
    const repeated = exchanges.filter(({ isRepeated }) => isRepeated);
    expect(repeated.length).toBeGreaterThan(5);
    expect(repeated[0]).toMatchObject({
      status: null,
      error: 'The VASP closed the kept-alive connection before it answered. The call is sent once more on a fresh one.',
    });
    expect(exchanges.filter(({ status }) => status === 200)).toHaveLength(12);
    expect(new Set(server.requests.map(({ text }) => text.split('\r\n\r\n')[1])).size).toBe(1);
    expect(server.requests).toHaveLength(exchanges.length);
  });

  test('so is a call that has waited for that connection', async () => {
    server.behave((socket, { index }) =>
      index === 0 ? setTimeout(() => socket.write(answerOf(TEXT)), 20) : socket.destroy(),
    );
    const calls = Array.from({ length: 200 }, ask);
    expect(await Promise.all(calls)).toEqual(calls.map(() => RIGHT));
    expect(exchanges.filter(({ isRepeated }) => isRepeated).length).toBeGreaterThan(20);
  });

  test('a call that is sent once more never waits for a connection that has served others', async () => {
    const sent = new Map<string, number>();
    server.behave((socket, { index, text }) => {
      const [uuid] = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)!;
      const times = (sent.get(uuid) ?? 0) + 1;
      sent.set(uuid, times);
      const answer = answerOf(JSON.stringify({ ...RIGHT, verificationUuid: uuid }));
      if (index > 0) socket.destroy();
      else if (times === 1) socket.write(answer);
      else setTimeout(() => socket.write(answer), SLOW_MS);
    });
    const uuids = Array.from({ length: 6 * CONNECTIONS }, (_, n) => UUID.slice(0, -3) + String(100 + n));
    await Promise.all(uuids.map(uuid => ask(uuid)));
    expect(exchanges.filter(({ isRepeated }) => isRepeated).length).toBeGreaterThan(CONNECTIONS);
  });

  test('a reset counts as well as an end', async () => {
    server.behave((socket, { index }) => (index === 0 ? socket.write(answerOf(TEXT)) : socket.resetAndDestroy()));
    for (let call = 0; call < 4; call++) expect(await ask()).toEqual(RIGHT);
    expect(exchanges.some(({ isRepeated }) => isRepeated)).toBe(true);
  });

  test('keep-alive of 100 ms at the server: 60 calls with pauses, all are answered', async () => {
    server.behave(socket => {
      socket.write(answerOf(TEXT));
      setTimeout(() => socket.end(), 25);
    });
    for (let call = 0; call < 60; call++) {
      expect(await ask()).toEqual(RIGHT);
      await new Promise(resolve => setTimeout(resolve, 20 + (call % 10)));
    }
  });

  test('both attempts have one limit, so the time of the second one is that of both', async () => {
    const LIMIT_MS = 400;
    within(LIMIT_MS);
    await first();
    exchanges.length = 0;
    let died = false;
    server.behave(socket => {
      if (!died) setTimeout(() => socket.destroy(), LIMIT_MS / 2);
      died = true;
    });
    expect(await problemOf()).toBe(`timeout of ${LIMIT_MS}ms exceeded`);
    expect(exchanges.map(({ isRepeated }) => isRepeated)).toEqual([true, false]);
    expect(exchanges[1]!.durationMs).toBeGreaterThanOrEqual(LIMIT_MS - 2);
  });

  test('a second death is told: the call is sent twice and no third time', async () => {
    await first();
    server.behave(socket => socket.destroy());
    expect(await problemOf()).toMatch(/closed the connection without an answer \(ECONNRESET\)/);
    expect(server.requests).toHaveLength(3);
  });

  test('on a fresh connection nothing is sent again', async () => {
    server.behave(socket => socket.destroy());
    expect(await problemOf()).toMatch(/ECONNRESET/);
    expect(server.requests).toHaveLength(1);
  });

  test.each(['H', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 103 Early Hints\r\n\r\n'])(
    'after the first byte of an answer nothing is sent again: %j',
    async beginning => {
      await first();
      server.behave(socket => socket.end(beginning));
      await expect(ask()).rejects.toThrow();
      expect(server.requests).toHaveLength(2);
    },
  );

  test('a late answer on a reused connection is late, and nothing is sent again', async () => {
    within(200);
    await first();
    server.behave(() => {});
    await expect(ask()).rejects.toMatchObject({ name: 'NoAnswer', timeoutMs: 200 });
    expect(server.requests).toHaveLength(2);
  });

  async function first() {
    server.behave(send(answerOf(TEXT)));
    await ask();
  }
});
