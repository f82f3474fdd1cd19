import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

const proxied = await forFile(startProxiedEthereum());
const rpc = await forFile(jsonRpc(proxied.node.url, 30_000));
const world = await forFile(createWorld({ clock: movingClock, env: proxied.env }));

const missing = async () => (await world.api.call<{ missing?: string[] }>('GET', '/readyz')).body.missing ?? [];

test.skipIf(BY_URL)('D-18, D-33: the newest block of the old chain is none at VERIFIED on the new one', async () => {
  // More than a reorganisation replaces.
  await rpc.call('anvil_mine', '0x12c');
  await until(async () => ((await world.api.info()).chains[0]!.head ?? 0) >= 300);
  await proxied.node.controls.startOver();
  await until(async () => (await missing()).some(why => why.includes('CHAIN-RESTARTED')));
  // The node answers with its newest block, and not yet with what the reader asks for.
  proxied.proxy.rule(({ method, params }) =>
    method === 'eth_getBlockByNumber' && params[1] === true ? { status: 503, body: {} } : undefined,
  );
  await world.api.resumeChain('ETH');
  const { uuid, to, amount } = await verified(world);
  proxied.proxy.rule(undefined);
  const { hash } = await proxied.node.fund(to, BigInt(Math.round(Number(amount) * 1e6)) * 10n ** 12n);
  await until(async () => (await missing()).length === 0);
  await world.api.reportTransaction(uuid, hash);
  await until(async () => {
    await world.idle();
    return (await world.api.verifications({ search: uuid })).verifications[0]!.report !== null;
  });
  const [{ report } = {}] = (await world.api.verifications({ search: uuid })).verifications;
  expect(report).toMatchObject({ verdict: 'CREDITED' });
  expect(await depositOf(world, hash)).toMatchObject({ status: 'CREDITED' });
});
