import { describe, expect, it } from 'vitest';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';
import { startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { forFile } from '../support/world/for-file.ts';

/** Nodes by URL that answer otherwise than the embedded one. */

const ours = () => new Set([world.ours]);
const start = async () => (await world.chain.incoming(null, ours())).cursor;

const world = await forFile(ethereumWorld());
const rpc = await forFile(jsonRpc(world.url, 30_000));

it('nothing is final while the node has no final block, whatever it answers then', async () => {
  const proxy = await startRpcProxy(world.url);
  const error = { code: -32000, message: 'finalized block not found' };
  proxy.rule(({ params }) => (params[0] === 'finalized' ? { body: { jsonrpc: '2.0', id: 1, error } } : undefined));
  const deep = ethereumChain({ ...ethereumConfig(proxy.url), confirmations: 'finalized' });
  const cursor = await start();
  const hash = await world.pay(world.ours, 5n);
  expect((await deep.incoming(cursor, ours())).transfers).toMatchObject([{ txHash: hash, final: false }]);
  expect(await deep.stateOf(hash)).toMatchObject({ status: 'included' });
  await deep.close();
  await proxy.close();
});

it('of a node that does not show waiting transactions by their numbers only the first missing number is known', async () => {
  const proxy = await startRpcProxy(world.url);
  proxy.rule(({ method }) =>
    method === 'eth_getTransactionBySenderAndNonce'
      ? { body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } } }
      : undefined,
  );
  const from = (await rpc.call<string[]>('eth_accounts')).at(-1)!;
  const hash = await rpc.call<string>('eth_sendTransaction', { from, to: from, nonce: '0x3' });
  const other = ethereumChain(ethereumConfig(proxy.url));
  expect(await other.lookup(hash)).toMatchObject({
    state: { status: 'pending' },
    missing: { numbers: [0], unknownFrom: 1 },
  });
  await other.close();
  await proxy.close();
});

describe('a node that states what is missing otherwise', () => {
  const MISSING = { blockAccessListHash: null, withdrawals: null, baseFeePerGas: null };
  type Json = Record<string, unknown>;
  const withNulls = (block: Json) => ({
    ...block,
    ...MISSING,
    transactions: (block.transactions as Json[]).map(transaction => ({ maxFeePerGas: null, ...transaction })),
  });
  const withoutNulls = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (_, member) => (member === null ? undefined : member));

  it.each<[string, (result: Json) => unknown]>([
    ['as null', result => (result.transactions ? withNulls(result) : result)],
    ['by leaving it out', ({ effectiveGasPrice: _, ...result }) => withoutNulls(result)],
  ])('%s', async (_, changed) => {
    const proxy = await startRpcProxy(world.url);
    proxy.rule(async ({ method }, answered) => {
      if (!/^eth_get(Block|Transaction)(ByNumber|ByHash|Receipt)$/.test(method)) return undefined;
      const answer = await answered();
      return { body: { ...answer, result: answer.result && changed(answer.result as Json) } };
    });
    const other = ethereumChain(ethereumConfig(proxy.url));
    const cursor = await start();
    const [from] = await rpc.call<string[]>('eth_accounts');
    const created = await rpc.call<string>('eth_sendTransaction', { from, data: '0x00', gasPrice: '0x77359400' });
    const hash = await world.pay(world.ours, 5n);
    expect((await other.incoming(cursor, ours())).transfers).toMatchObject([{ txHash: hash, amount: 5n }]);
    expect((await other.lookup(hash)).transfers).toMatchObject([{ amount: 5n }]);
    expect(await other.lookup(created)).toMatchObject({ state: { status: 'final' }, transfers: [] });
    expect((await other.outgoing(from!, 0, cursor.height)).payments).toContainEqual(
      expect.objectContaining({ hash: created, to: { account: '' } }),
    );
    await other.close();
    await proxy.close();
  });
});
