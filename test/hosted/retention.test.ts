import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../support/until.ts';
import { createHostedWorld, type HostedWorld } from '../support/world/hosted-world.ts';

/** RETENTION in hosted mode, by the clock of the machine. The first sweep comes 5 s after a start. */

let world: HostedWorld;
beforeAll(async () => {
  world = await createHostedWorld({ RETENTION: '30d' });
});
afterAll(() => world.close());

test('a run of checks that ended long ago goes with its evidence, and a young one stays', async () => {
  const { api } = await world.register();
  const read = (id: string) => api.call<{ endedAt?: string }>('GET', `/sandbox/v1/runs/${id}`);
  const ended = async () => {
    const { id } = await api.startRun({ plan: 'security', modules: ['S4'], unattended: true } as never);
    await until(async () => Boolean((await read(id)).body.endedAt));
    return id;
  };
  const old = await ended();
  world.machine.at += 31 * 86_400_000;
  const young = await ended();
  await until(async () => (await read(old)).status === 404);
  expect((await read(young)).status).toBe(200);
});
