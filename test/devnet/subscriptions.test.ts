import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { until } from '../support/until.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** Each block is sent once for every subscription, so that their number has a limit. */

const MOST = 50;

describe.skipIf(BY_URL)('eth_subscribe', () => {
  let world: World;
  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(() => world.close());

  async function connected() {
    const socket = new WebSocket(`${world.url.replace(/^http/, 'ws')}/devnet/ethereum`);
    await once(socket, 'open');
    let id = 0;
    const ask = (method: string, ...params: unknown[]) => {
      const own = ++id;
      return new Promise<{ result?: string; error?: { message: string } }>(resolve => {
        socket.on('message', data => {
          const message = JSON.parse(String(data));
          if (message.id === own) resolve(message);
        });
        socket.send(JSON.stringify({ jsonrpc: '2.0', id: own, method, params }));
      });
    };
    return { socket, ask, subscribe: () => ask('eth_subscribe', 'newHeads') };
  }

  test('a VASP has at most 50 subscriptions, on all its connections together', async () => {
    const [first, second] = [await connected(), await connected()];
    first.socket.setMaxListeners(100);
    second.socket.setMaxListeners(100);
    const answers = [];
    for (let n = 0; n < 30; n++) answers.push(await first.subscribe(), await second.subscribe());
    const refused = answers.filter(({ error }) => error !== undefined);
    expect(refused).toHaveLength(60 - MOST);
    expect(refused[0]!.error!.message).toBe('A VASP has at most 50 subscriptions.');

    expect(await first.ask('eth_unsubscribe', answers[0]!.result)).toMatchObject({ result: true });
    // What is refused takes no room.
    expect(await second.ask('eth_subscribe', 'nonsense')).toHaveProperty('error');
    expect(await second.subscribe()).toHaveProperty('result');
    expect(await second.subscribe()).toHaveProperty('error');

    first.socket.close();
    await until(async () => (await second.subscribe()).error === undefined);
    second.socket.close();
  });

  test('a block comes after the answer that names its subscription, also in a batch', async () => {
    const { socket } = await connected();
    const seen: object[] = [];
    socket.on('message', data => seen.push(JSON.parse(String(data))));
    const call = (id: number, method: string, ...params: unknown[]) => ({ jsonrpc: '2.0', id, method, params });
    const balance = (id: number) => call(id, 'eth_getBalance', `0x${'0d'.repeat(20)}`, 'latest');
    const later = Array.from({ length: 50 }, (_, i) => balance(i + 3));
    socket.send(JSON.stringify([call(1, 'eth_subscribe', 'newHeads'), call(2, 'evm_mine'), ...later]));
    await until(() => seen.length >= 2);
    const [answers, block] = seen as [[{ result: string }], object];
    expect(block).toMatchObject({ params: { subscription: answers[0].result } });
    socket.close();
  });
});
