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
});
