import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movingClock } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { registerVasp } from '../support/vasp/other-vasp.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** A node by URL with a limit of calls, of which reports of one VASP want far more. */

const verdictOf = async ({ api }: Pick<World, 'api'>, search: string) =>
  (await api.verifications({ search })).verifications[0]?.report?.verdict;

const VERIFICATIONS = 15;
const REPORTS = 10;

describe.skipIf(BY_URL)('ETH_RPC_BUDGET', () => {
  let world: World;
  beforeAll(async () => {
    const proxied = await startProxiedEthereum();
    world = await createWorld({
      clock: movingClock,
      chains: {
        ETH: { url: proxied.node.url, fund: proxied.node.fund },
        XRP: { url: '', fund: async () => {} },
        env: { ...proxied.env, CHAIN_POLL_INTERVAL: '1s', ETH_RPC_BUDGET: '300' },
        close: proxied.close,
      },
    });
  });
  afterAll(() => world.close());

  test('many reports of unknown hashes by one VASP: the chain is read, and /readyz is 200 throughout', async () => {
    const uuids: string[] = [];
    for (let n = 0; n < VERIFICATIONS; n++) uuids.push((await verified(world)).uuid);
    const look = async () => {
      const { status, body } = await world.api.call('GET', '/readyz');
      expect([status, body]).toEqual([200, { status: 'READY' }]);
    };
    for (let n = 0; n < VERIFICATIONS * REPORTS; n++) {
      await world.api.reportTransaction(uuids[n % VERIFICATIONS]!, `0x${String(n).padStart(64, '0')}`);
      await look();
    }
    const end = performance.now() + 4_000;
    await until(async () => {
      await look();
      return performance.now() > end;
    });
    // The limit was reached, and not for the other VASP.
    const judged = await Promise.all(uuids.map(uuid => verdictOf(world, uuid)));
    expect(judged).toContain(undefined);
    const other = await registerVasp(world, '4711');
    const { uuid } = await verified({ ...world, api: other.api, vasp: other.vasp });
    await other.api.reportTransaction(uuid, `0x${'f'.repeat(64)}`);
    await until(async () => (await verdictOf(other, uuid)) === 'AWAITED');
    await other.vasp.close();
  });
});
