import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TESTER } from '../../src/devnet/access.ts';
import { type HeadBlock, knownHead } from '../../src/devnet/ethereum/known-head.ts';
import { type EthereumNode, startEthereumNode } from '../../src/devnet/ethereum.ts';
import { jsonRpc, RpcRefusal, RpcUnreachable } from '../../src/kernel/json-rpc.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { CHAIN_ID, SOMEBODY } from '../support/chains/ethereum-nodes.ts';
import { until } from '../support/until.ts';

/** D-18: the newest block is known without a call, and never older than what a payer can have seen. */
describe('the newest block of the embedded Ethereum node', () => {
  let node: EthereumNode;
  const start = (blockTimeSeconds = 0) =>
    startEthereumNode({ statePath: undefined, chainId: CHAIN_ID, blockTimeSeconds, log: silentLog });
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const answer = JSON.parse(await node.gateway.answer(body, TESTER));
    if (answer.error) throw new Error(answer.error.message);
    return answer.result;
  };
  const pay = async () => {
    const [from] = await ask<string[]>('eth_accounts');
    return ask<string>('eth_sendTransaction', { from, to: SOMEBODY, value: '0x1' });
  };
  const heightOf = async (hash: string) => {
    const receipt = await ask<{ blockNumber: string } | null>('eth_getTransactionReceipt', hash);
    return receipt ? Number(receipt.blockNumber) : undefined;
  };
  const newest = async (): Promise<HeadBlock> => {
    const block = await ask<{ number: string; hash: string; timestamp: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    );
    return { height: Number(block.number), hash: block.hash, at: Number(block.timestamp) * 1000 };
  };

  describe('without a block time', () => {
    beforeEach(async () => {
      node = await start();
    });
    afterEach(() => node.close());

    it('200 payments, each seen in its block: the head is never before it', async () => {
      for (let n = 0; n < 200; n++) {
        const hash = await pay();
        // Some readings learn the head while the block is made.
        if (n % 3 > 0) await Promise.all([node.head(), node.head()]);
        await until(async () => (await heightOf(hash)) !== undefined, 1);
        const height = await heightOf(hash);
        expect((await node.head()).height).toBe(height);
        if (n % 3 > 1) await Promise.all([node.head(), node.head()]);
        expect((await node.head()).height).toBe(height);
      }
    });

    it.each<[string, () => Promise<unknown>]>([
      ['mined blocks', () => ask('anvil_mine', '0x3')],
      ['a reorganisation', () => node.knobs.reorg(1)],
      ['a payment of the faucet', () => node.fund(SOMEBODY, 1n)],
      ['a start over', () => node.knobs.startOver()],
      ['a node that died', () => died()],
    ])('it follows %s', async (_what, change) => {
      await pay();
      await until(async () => (await newest()).height === 1);
      for (let n = 0; n < 5; n++) await node.head();
      const before = await node.head();
      await change();
      const after = await newest();
      expect(after.hash).not.toBe(before.hash);
      expect(await node.head()).toEqual(after);
    });
    async function died(): Promise<void> {
      const restarted = new Promise<void>(resolve => node.onRestart(resolve));
      process.kill(node.pid, 'SIGKILL');
      await restarted;
      await ask('anvil_mine', '0x1');
    }

    it('on a held chain a waiting payment gets into a block, and the head follows', async () => {
      await node.knobs.hold(true);
      const hash = await pay();
      for (let n = 0; n < 5; n++) expect((await node.head()).height).toBe(0);
      await node.knobs.hold(false);
      await until(async () => (await heightOf(hash)) !== undefined, 1);
      expect((await node.head()).height).toBeGreaterThan(0);
    });
  });

  it('with a block time it follows the blocks that the node makes alone', async () => {
    node = await start(1);
    for (let n = 0; n < 5; n++) await node.head();
    const { height } = await node.head();
    await until(async () => (await newest()).height > height, 5);
    expect((await node.head()).height).toBeGreaterThan(height);
    await node.close();
  });
});

describe('calls for the newest block', () => {
  const counting = () => {
    const methods: string[] = [];
    const answers: Record<string, unknown> = {
      eth_getBlockByNumber: { number: '0x7', hash: '0xab', timestamp: '0x2' },
      txpool_status: { pending: '0x0', queued: '0x0' },
    };
    const call = async <T>(method: string): Promise<T> => {
      methods.push(method);
      return answers[method] as T;
    };
    return { methods, answers, call };
  };
  const settled = () => new Promise(resolve => setImmediate(resolve));

  it('none when nothing has changed; again after a call that may change it', async () => {
    const { methods, call } = counting();
    const { head, pass } = knownHead(call, false);
    await pass('eth_sendRawTransaction', async () => {});
    for (let n = 0; n < 3; n++) await head().then(settled);
    methods.length = 0;
    await pass('eth_getTransactionReceipt', async () => {});
    expect(await head()).toEqual({ height: 7, hash: '0xab', at: 2_000 });
    expect(methods).toEqual([]);
    const refused = pass('eth_sendRawTransaction', () => Promise.reject(new RpcRefusal(-32_000, 'nonce')));
    await expect(refused).rejects.toThrow('nonce');
    await head();
    expect(methods).toEqual(['eth_getBlockByNumber']);
  });

  it('one each time while a call runs, while a transaction waits, and after a call without an answer', async () => {
    const { methods, answers, call } = counting();
    const { head, pass, forget } = knownHead(call, false);
    const isAskedEachTime = async () => {
      for (let n = 0; n < 4; n++) {
        methods.length = 0;
        await head().then(settled);
        expect(methods).toContain('eth_getBlockByNumber');
      }
    };
    let end = () => {};
    const running = pass('evm_mine', () => new Promise<void>(resolve => (end = resolve)));
    await isAskedEachTime();
    end();
    await running;
    answers.txpool_status = { pending: '0x1', queued: '0x0' };
    await isAskedEachTime();
    answers.txpool_status = { pending: '0x0', queued: '0x0' };
    const lost = pass('evm_mine', () => Promise.reject(new RpcUnreachable('evm_mine: timeout')));
    await expect(lost).rejects.toThrow('timeout');
    await isAskedEachTime();
    forget();
    for (let n = 0; n < 3; n++) await head().then(settled);
    methods.length = 0;
    await head();
    expect(methods).toEqual([]);
  });

  it('one each time of a node that makes blocks alone', async () => {
    const { methods, call } = counting();
    const { head } = knownHead(call, true);
    for (let n = 0; n < 4; n++) await head().then(settled);
    expect(methods.filter(method => method === 'eth_getBlockByNumber')).toHaveLength(4);
  });
});

it('jsonRpc passes each call', async () => {
  const methods: string[] = [];
  const rpc = jsonRpc('http://127.0.0.1:9', 100, {
    pass(method, call) {
      methods.push(method);
      return call();
    },
  });
  await expect(rpc.call('eth_chainId')).rejects.toThrow(RpcUnreachable);
  expect(methods).toEqual(['eth_chainId']);
  await rpc.close();
});
