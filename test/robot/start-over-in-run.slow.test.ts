import { afterAll, beforeAll, expect, test } from 'vitest';
import { movingClock, received, verifiedForRobot, withdrawn } from '../support/requests/from-robot.ts';
import { gate } from '../support/timers/test-timers.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

let world: World;
let proxied: Awaited<ReturnType<typeof startProxiedEthereum>>;
beforeAll(async () => {
  proxied = await startProxiedEthereum();
  const { node } = proxied;
  world = await createWorld({
    file: true,
    clock: movingClock,
    chains: {
      ETH: { url: node.url, fund: node.fund },
      XRP: { url: '', fund: async () => {} },
      env: { ...proxied.env, CHAIN_TIMEOUT: '30s', CHAIN_RETRY_INTERVAL: '50ms' },
      close: proxied.close,
    },
  });
});
afterAll(() => world?.close());

const missing = async () => (await world.api.call<{ missing?: string[] }>('GET', '/readyz')).body.missing ?? [];

/** The answer to the next question for the next number of the account comes after `open`, as it was before. `asked` resolves when it has come. */
function holdNumbers(account: string) {
  const asked = gate();
  const answered = gate();
  proxied.proxy.rule(async ({ method, params }, answer) => {
    if (method !== 'eth_getTransactionCount' || params[0] !== account.toLowerCase() || params[1] !== 'pending')
      return undefined;
    const body = await answer();
    proxied.proxy.rule(undefined);
    asked.open();
    await answered.opened;
    return { body };
  });
  return { asked: asked.opened, open: answered.open };
}

test.skipIf(BY_URL)('D-33: an answer of the old chain holds no wallet on the new one', async () => {
  await received(world, { symbol: 'ETH', amount: '5' });
  await withdrawn(world, { symbol: 'ETH', amount: '2' });
  const { uuid, from } = await verifiedForRobot(world, { symbol: 'ETH', amount: '1' });
  const { asked, open } = holdNumbers(from);
  await world.api.robotWithdraw(uuid);
  await asked;
  await proxied.node.controls.startOver();
  const isStopped = async () => (await missing()).some(why => why.includes('CHAIN-RESTARTED'));
  await until(isStopped);
  const resumed = world.api.resumeChain('ETH');
  // Time in which a resume that does not wait would end.
  for (let call = 0; call < 100; call++) await Promise.race([resumed, world.api.info()]);
  open();
  expect(await resumed).toMatchObject({ resumed: true, canceledTransfers: 1, held: [] });

  await world.restart();
  await until(async () => (await missing()).length === 0);
  await received(world, { symbol: 'ETH', amount: '5' });
  await withdrawn(world, { symbol: 'ETH', amount: '2' });
});
