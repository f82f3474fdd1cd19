import { id, JsonRpcProvider, Wallet } from 'ethers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { controlsOf } from '../support/world/chain-controls.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

type Refusal = { code: string; message: string };

const world = await forFile(createWorld({ clock: movingClock }));
const { call, turn, expectRobotReads, expectRobotPays } = controlsOf(() => world);

describe('refusals', () => {
  test('an unknown chain control is 404 NOT-FOUND and names those that there are', async () => {
    for (const [symbol, controls] of [
      ['ETH', ['mine', 'reorg', 'drop', 'hold', 'fee-spike']],
      ['XRP', ['close', 'hold', 'drop', 'delay', 'reorder', 'load-factor', 'forget-history', 'start-over']],
    ] as const)
      for (const control of ['explode', 'toString', symbol === 'ETH' ? 'close' : 'mine']) {
        const { status, body } = await call<Refusal>(symbol, control, {});
        expect({ status, code: body.code }).toEqual({ status: 404, code: 'NOT-FOUND' });
        for (const known of controls) expect(body.message).toContain(known);
      }
  });

  test('an unknown symbol is refused as everywhere', async () => {
    expect(await call('BTC', 'mine', {})).toMatchObject({ status: 400, body: { code: 'UNKNOWN-SYMBOL' } });
  });

  test.each([
    ['ETH', 'mine', { blocks: 0 }, 'blocks'],
    ['ETH', 'mine', { blocks: '3' }, 'blocks'],
    ['ETH', 'reorg', { depth: 129 }, 'depth'],
    ['ETH', 'reorg', { depth: 1, moved: 'yes' }, 'moved'],
    ['ETH', 'drop', { txHash: '0x12' }, 'txHash'],
    ['ETH', 'hold', { on: 1 }, 'on'],
    ['ETH', 'fee-spike', { baseFee: '1.5' }, 'baseFee'],
    ['ETH', 'fee-spike', { baseFee: String(2n ** 64n) }, 'baseFee'],
    ['XRP', 'delay', { closes: 0 }, 'closes'],
    ['XRP', 'load-factor', { factor: 1.5 }, 'factor'],
    ['XRP', 'forget-history', { upTo: -1 }, 'upTo'],
  ])('%s/%s %j is BAD-REQUEST and names %s', async (symbol, control, body, named) => {
    const refused = await call<Refusal>(symbol, control, body);
    expect(refused).toMatchObject({ status: 400, body: { code: 'BAD-REQUEST' } });
    expect(refused.body.message).toContain(`\`${named}\``);
  });

  test('what the chain itself refuses is CHAIN-REFUSED, and the message says why', async () => {
    const refused = await call<Refusal>('ETH', 'drop', { txHash: `0x${'ab'.repeat(32)}` });
    expect(refused).toMatchObject({ status: 400, body: { code: 'CHAIN-REFUSED' } });
    expect(refused.body.message).toContain('`txHash` was refused by the chain: no transaction');
  });

  test.each([
    ['ETH', 'reorg', 'depth', 'MISSING-DEPTH'],
    ['ETH', 'drop', 'txHash', 'MISSING-TX-HASH'],
    ['XRP', 'hold', 'on', 'MISSING-ON'],
    ['XRP', 'delay', 'closes', 'MISSING-CLOSES'],
  ])('%s/%s without its parameter names it: %s', async (symbol, control, named, code) => {
    for (const body of [undefined, {}, { [named]: null }]) {
      const refused = await call<Refusal>(symbol, control, body);
      expect(refused).toMatchObject({ status: 400, body: { code } });
      expect(refused.body.message).toContain(`\`${named}\``);
    }
  });

  test('a body that is no JSON object is BAD-REQUEST, also where no body is needed', async () => {
    const { status } = await world.api.call('POST', '/sandbox/v1/chains/XRP/close', 'now!');
    expect(status).toBe(400);
  });

  test('a chain that is given by URL has no chain controls, the embedded one beside it has', async () => {
    const env = {
      XRPL_URL: `${world.url.replace(/^http/, 'ws')}/devnet/xrpl`,
      XRPL_NETWORK_ID: String(world.info.chains.find(({ symbol }) => symbol === 'XRP')?.id),
      XRPL_SEED: EXTERNAL.seed,
    };
    const other = await createWorld({ env });
    try {
      const refused = await call('XRP', 'close', {}, other);
      expect(refused).toMatchObject({ status: 409, body: { code: 'EMBEDDED-ONLY' } });
      await turn('ETH', 'mine', undefined, other);
    } finally {
      await other.close();
    }
  });
});

describe('ETH', () => {
  const rpc = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${world.url}/devnet/ethereum`, { method: 'POST', headers, body });
    return ((await answer.json()) as { result: T }).result;
  };
  const receiptOf = (hash: string) =>
    rpc<{ blockHash: string; blockNumber: string } | null>('eth_getTransactionReceipt', hash);
  const block = (which: string) =>
    rpc<{ hash: string; baseFeePerGas: string; number: string }>('eth_getBlockByNumber', which, false);

  test('mine: so many blocks more; one without a body', async () => {
    const before = Number((await block('latest')).number);
    expect((await turn('ETH', 'mine', { blocks: 7 })).head?.height).toBe(before + 7);
    expect((await turn('ETH', 'mine')).head).toEqual({ height: before + 8, hash: (await block('latest')).hash });
    await expectRobotReads('ETH');
  });

  test('hold: transactions wait for a block until it is let go', async () => {
    await turn('ETH', 'hold', { on: true });
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    expect(await receiptOf(txHash)).toBeNull();
    await turn('ETH', 'hold', { on: false });
    expect(await receiptOf(txHash)).not.toBeNull();
    await expectRobotPays('ETH');
  });

  test('drop: a transaction that waits is forgotten, and never mined', async () => {
    await turn('ETH', 'hold', { on: true });
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    await turn('ETH', 'drop', { txHash });
    await turn('ETH', 'hold', { on: false });
    await turn('ETH', 'mine', { blocks: 2 });
    expect(await rpc('eth_getTransactionByHash', txHash)).toBeNull();
    expect(await rpc('eth_getBalance', to, 'latest')).toBe('0x0');
    await expectRobotReads('ETH');
  });

  test('reorg: the last blocks are others, and what stood in them is gone', async () => {
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    const before = await block('latest');
    const { head } = await turn('ETH', 'reorg', { depth: 2 });
    expect(head?.height).toBe(Number(before.number));
    expect(head?.hash).not.toBe(before.hash);
    expect(await receiptOf(txHash)).toBeNull();
    await expectRobotReads('ETH');
  });

  test('reorg with moved: the same transactions stand in other blocks', async () => {
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1');
    const before = (await receiptOf(txHash))!;
    await turn('ETH', 'reorg', { depth: 2, moved: true });
    const after = (await receiptOf(txHash))!;
    expect(after.blockHash).not.toBe(before.blockHash);
    expect(await rpc('eth_getBalance', to, 'latest')).toBe(`0x${(10n ** 18n).toString(16)}`);
    await expectRobotPays('ETH');
  });

  test('the faucet writes the event of a token, and no ETH moves', async () => {
    const to = freshAddress('ETH');
    const { txHash } = await world.api.faucet('ETH', to, '1', { token: true });
    const { status, logs } = (await receiptOf(txHash)) as unknown as { status: string; logs: { data: string }[] };
    expect([status, logs.map(({ data }) => BigInt(data))]).toEqual(['0x1', [10n ** 18n]]);
    expect(await rpc('eth_getBalance', to, 'latest')).toBe('0x0');
    await expect(world.api.faucet('XRP', freshAddress('XRP'), '30', { token: true })).rejects.toMatchObject({
      status: 400,
    });
  });

  test('the faucet pays several accounts in one transaction of a contract', async () => {
    const accounts = [1, 2, 3].map(() => freshAddress('ETH'));
    const [to = '', ...others] = accounts;
    const more = others.map(address => ({ address, amount: '0.5' }));
    const { txHash } = await world.api.faucet('ETH', to, '1', { others: more });
    expect((await receiptOf(txHash))?.blockHash).toMatch(/^0x/);
    const balances = await Promise.all(accounts.map(each => rpc<string>('eth_getBalance', each, 'latest')));
    expect(balances.map(each => BigInt(each) / 10n ** 17n)).toEqual([10n, 5n, 5n]);
  });

  test.each([
    ['XRP', '20', { others: [{ address: freshAddress('XRP'), amount: '20' }] }, /pays one account/],
    ['ETH', '1', { others: [{ address: '0x1', amount: '1' }] }, /`others\[0\].address` should be an address/],
    ['ETH', '0.5', { delivered: '0.25000000000000000001' }, /only the XRP Ledger has partial payments/],
    ['XRP', '20', { delivered: '0.1234567' }, /`delivered` should have at most 6 decimals/],
    ['XRP', '20', { delivered: '20' }, /`delivered` should be less than `amount`/],
  ] as const)('the faucet of %s refuses %s with %j', async (symbol, amount, options, message) => {
    const order = { ...options } as Parameters<typeof world.api.faucet>[3];
    await expect(world.api.faucet(symbol, freshAddress(symbol), amount, order)).rejects.toThrow(message);
  });

  test('fee-spike: the next block has this base fee, and the robot pays it', async () => {
    const baseFee = 90_000_000_000n;
    await turn('ETH', 'fee-spike', { baseFee: String(baseFee) });
    await turn('ETH', 'mine');
    expect(BigInt((await block('latest')).baseFeePerGas)).toBe(baseFee);
    await expectRobotPays('ETH');
    await turn('ETH', 'mine', { blocks: 60 });
    expect(BigInt((await block('latest')).baseFeePerGas)).toBeLessThan(baseFee / 10n);
  });
});

test('D-35: the faucet pays a contract that needs more gas in another block, or says that it cannot', async () => {
  const provider = new JsonRpcProvider(`${world.url}/devnet/ethereum`, undefined, {
    pollingInterval: 20,
    cacheTimeout: -1,
  });
  onTestFinished(() => provider.destroy());
  const owner = new Wallet(id('an owner of contracts'), provider);
  await world.api.faucet('ETH', owner.address, '1');
  // `SSTORE(0, NUMBER)`, and `REVERT(0, 0)`
  const [takes, refuses] = ['0x6443600055006000526005601bf3', '0x6460006000fd6000526005601bf3'];
  const deployed = async (data: string) => {
    const sent = await owner.sendTransaction({ data });
    return (await sent.wait())!.contractAddress!;
  };
  const to = await deployed(takes);
  for (const total of ['1', '2', '3', '4']) {
    await world.api.faucet('ETH', to, '1');
    expect(String(await provider.getBalance(to))).toBe(`${total}${'0'.repeat(18)}`);
  }
  await expect(world.api.faucet('ETH', await deployed(refuses), '1')).rejects.toMatchObject({ status: 400 });
});
