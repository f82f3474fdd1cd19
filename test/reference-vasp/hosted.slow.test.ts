import { expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

const world = await forFile(createHostedWorld());

test.each([
  ['joins a hosted sandbox, and passes there', {}],
  ['asks again what is above its limit of calls', { requestsPerSecond: 20, burst: 2 }],
])(
  'with the key of a VASP it %s',
  async (_, quotas) => {
    const { apiKey, vaspId, ...registered } = await world.register();
    // Each key has a limit of its own.
    const { body: key } = await registered.api.call<{ apiKey: string }>('POST', '/sandbox/v1/keys', { name: 'test' });
    const api = client(world.url, { apiKey: key.apiKey });
    const vasp = await joinSandbox({ url: world.url, apiKey });
    await world.operator.changeTenant(vaspId, { quotas });
    try {
      const { id } = await api.startRun({
        plan: 'withdrawal',
        symbols: [...ASSET_SYMBOLS],
        modules: ['W4.1'],
        customers: vasp.customers,
        driver: { url: vasp.endpoints.driver, token: vasp.token },
        unattended: true,
        // Refused calls are made again, later and later.
        wait: '100s',
      });
      // The first looks come faster than the limit of the second VASP: a refused one is no answer.
      const read = () => api.call<{ endedAt?: string | null }>('GET', `/sandbox/v1/runs/${id}`);
      await until(async () => typeof (await read()).body.endedAt === 'string', 500);
      const { modules } = await api.run(id);
      expect(modules.map(({ id: module, symbol, result }) => [module, symbol, result])).toEqual([
        ['W4.1', 'ETH', 'PASSED'],
        ['W4.1', 'XRP', 'PASSED'],
      ]);
    } finally {
      await vasp.stop();
    }
  },
  120_000,
);
