import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ethereumNode, ethereumNodes } from '../../src/chains/ethereum/node.ts';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { type Chain, ChainUnreachable } from '../../src/chains/port.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ETHEREUM_CHAIN_ID, ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';
import { type RpcRule, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

/** READ_BACKLOG=300 measures a long one. */
const BACKLOG = Number(process.env.READ_BACKLOG ?? 48);
const PAYMENTS = 12;
const WITHIN_MS = 190_000;
const TIMEOUT_MS = 5_000;

const paid: string[] = [];
const ours = () => new Set([world.ours]);

const world = await forFile(ethereumWorld());
const rpc = await forFile(jsonRpc(world.url, 30_000));
const start = (await world.chain.incoming(null, ours())).cursor;
for (let n = 0; n < PAYMENTS; n++) {
  await world.advance(BACKLOG / PAYMENTS - 1);
  paid.push(await world.pay(world.ours, BigInt(n + 1)));
}

/** As the robot reads: again at once, or after the wait that a failure names. */
async function readAll(chain: Chain): Promise<{ hashes: string[]; heights: number[] }> {
  const hashes: string[] = [];
  const heights: number[] = [];
  const end = performance.now() + WITHIN_MS;
  for (let cursor = start; performance.now() < end; ) {
    try {
      const page = await chain.incoming(cursor, ours());
      hashes.push(...page.transfers.map(({ txHash }) => txHash));
      cursor = page.cursor;
      heights.push(cursor.height);
      if (cursor.height >= start.height + BACKLOG) return { hashes, heights };
    } catch (error) {
      if (!(error instanceof ChainUnreachable)) throw error;
      await delay(error.retryAfterMs ?? 1_000);
    }
  }
  throw new Error(`not read within ${WITHIN_MS} ms: up to ${heights.at(-1)}`);
}

const REFUSED = { status: 429, body: { jsonrpc: '2.0', error: { code: -32005, message: 'limit exceeded' } } };

/** At most `perSecond` calls in any second; the others are refused. */
function limited(perSecond: number): RpcRule {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = times.filter(time => now - time < 1_000);
    if (times.length >= perSecond) return REFUSED;
    times.push(now);
    return undefined;
  };
}

/** True for `one` in `of` calls, by a seeded generator. */
const share = (one: number, of: number) => {
  let state = 20_261_122;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648 < one / of;
  };
};

const refusing = (one: number, of: number): RpcRule => {
  const hit = share(one, of);
  return () => (hit() ? REFUSED : undefined);
};

const slow: RpcRule = async () => {
  await delay(TIMEOUT_MS / 5);
  return undefined;
};

/** One answer in three knows the chain only up to 20 blocks before its head. */
const stale = (): RpcRule => {
  const hit = share(1, 3);
  return async ({ method, params }, answered) => {
    if (method !== 'eth_getBlockByNumber' || !hit()) return undefined;
    const head = start.height + BACKLOG - 20;
    if (params[0] === 'latest') {
      const at = [`0x${head.toString(16)}`, params[1]];
      return { body: { result: await rpc.call('eth_getBlockByNumber', ...at) } };
    }
    return Number(params[0]) > head ? { body: { result: null } } : { body: await answered() };
  };
};

const changedBlocks = (change: (block: object) => unknown): RpcRule => {
  const hit = share(1, 4);
  return async ({ method, params }, answered) => {
    if (method !== 'eth_getBlockByNumber' || params[0] === 'latest' || !hit()) return undefined;
    const { result } = await answered();
    return { body: { result: result && change(result) } };
  };
};

describe(`a backlog of ${BACKLOG} blocks is read completely, every payment once, from a node that`, () => {
  it.concurrent.each<[string, () => RpcRule]>([
    ['answers 5 calls per second', () => limited(5)],
    ['answers 25 calls per second', () => limited(25)],
    ['refuses 5 % of the calls', () => refusing(1, 20)],
    ['refuses 30 % of the calls', () => refusing(3, 10)],
    ['takes a fifth of the time limit for every answer', () => slow],
    ['lags behind in one of three answers', stale],
    ['lacks every fourth block at first', () => changedBlocks(() => null)],
    [
      'answers every fourth block without its transactions',
      () => changedBlocks(block => ({ ...block, transactions: [] })),
    ],
  ])(
    '%s',
    async (name, rule) => {
      const proxy = await startRpcProxy(world.url);
      proxy.rule(rule());
      const chain = ethereumChain({ ...ethereumConfig(proxy.url), timeoutMs: TIMEOUT_MS });
      const began = performance.now();
      const { hashes, heights } = await readAll(chain);
      const calls = [...chain.calls.values()].reduce((sum, count) => sum + count, 0);
      console.log(`${name}: ${((performance.now() - began) / 1_000).toFixed(1)} s, ${calls} calls`);
      expect(hashes).toEqual(paid);
      expect([...heights].sort((one, other) => one - other)).toEqual(heights);
      await chain.close();
      await proxy.close();
    },
    WITHIN_MS + 10_000,
  );
});

it('the wait that a node asks for is kept', async () => {
  const proxy = await startRpcProxy(world.url);
  const chain = ethereumChain(ethereumConfig(proxy.url));
  proxy.rule(() => ({ ...REFUSED, headers: { 'retry-after': '70' } }));
  const failure = await chain.incoming(start, ours()).catch((error: ChainUnreachable) => error);
  expect(failure).toMatchObject({ retryAfterMs: 70_000 });
  proxy.rule(undefined);
  const early = await chain.incoming(start, ours()).catch((error: ChainUnreachable) => error);
  expect((early as ChainUnreachable).retryAfterMs).toBeGreaterThan(35_000);
  await chain.close();
  await proxy.close();
});

it('a refused receipt is asked for again before further blocks are fetched', async () => {
  const proxy = await startRpcProxy(world.url);
  const chain = ethereumChain(ethereumConfig(proxy.url));
  const methods: string[] = [];
  proxy.rule(({ method }) => {
    methods.push(method);
    return method === 'eth_getTransactionReceipt' ? REFUSED : undefined;
  });
  const { cursor } = await chain.incoming(start, ours());
  // Each refusal halves the number of receipts that are asked for at once, down to one.
  await until(async () => {
    methods.length = 0;
    await expect(chain.incoming(cursor, ours())).rejects.toThrow();
    expect(methods.filter(method => method !== 'eth_getTransactionReceipt')).toEqual([]);
    return methods.length === 1;
  });
  expect(methods).toEqual(['eth_getTransactionReceipt']);
  await chain.close();
  await proxy.close();
});

describe('of several addresses', () => {
  it('the next one is used while one fails, and one answer comes from one node', async () => {
    const proxy = await startRpcProxy(world.url);
    const chain = ethereumChain({ ...ethereumConfig(''), urls: [proxy.url, world.url] });
    await chain.connect();
    proxy.rule(() => ({ status: 502, text: 'bad gateway' }));
    expect((await readAll(chain)).hashes).toEqual(paid);
    await chain.close();
    await proxy.close();
  });

  it('one whose next block is overdue is left as soon as another has two more', async () => {
    const proxy = await startRpcProxy(world.url);
    const at = (url: string) => ({ node: ethereumNode(url, ETHEREUM_CHAIN_ID, 10_000, async () => {}) });
    const [first, second] = [at(proxy.url), at(world.url)];
    const nodes = ethereumNodes([first, second]);
    const head = start.height + BACKLOG;
    const used = () => nodes.decide(async node => node);
    await nodes.compareHeads(first, head - 2, false);
    expect(await used()).toBe(first);
    await nodes.compareHeads(first, head - 1, true);
    expect(await used()).toBe(first);
    await nodes.compareHeads(first, head - 2, true);
    expect(await used()).toBe(second);
    await nodes.close();
    await proxy.close();
  });

  it('one that lags behind the others is left', async () => {
    const proxy = await startRpcProxy(world.url);
    const chain = ethereumChain({ ...ethereumConfig(''), urls: [proxy.url, world.url] });
    const stuck = await rpc.call('eth_getBlockByNumber', `0x${start.height.toString(16)}`, true);
    proxy.rule(({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' ? { body: { result: stuck } } : undefined,
    );
    expect((await readAll(chain)).hashes).toEqual(paid);
    await chain.close();
    await proxy.close();
  });
});
