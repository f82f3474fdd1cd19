import { randomBytes } from 'node:crypto';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ethereumWallet } from '../../src/chains/ethereum/wallet.ts';
import { ethereumChain, parseEthereumAddress } from '../../src/chains/ethereum.ts';
import { type Chain, ChainRefused, ChainReset, ChainUnreachable, type Cursor } from '../../src/chains/port.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';
import { type RpcProxy, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { forFile } from '../support/world/for-file.ts';

const ours = () => new Set([world.ours]);
const start = async () => (await chain.incoming(null, ours())).cursor;
const hashesOf = (page: { transfers: { txHash: string }[] }) => page.transfers.map(each => each.txHash);

const world = await forFile(ethereumWorld());
const chain = world.chain;
const rpc = await forFile(jsonRpc(world.url, 30_000));

describe('D-08: Ethereum addresses', () => {
  const checksummed = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
  it.each([checksummed, checksummed.toLowerCase(), `0x${checksummed.slice(2).toUpperCase()}`])(
    '%s is an address, in lower case',
    text => {
      expect(parseEthereumAddress(text)).toEqual({ account: checksummed.toLowerCase() });
    },
  );
  it.each([
    '0xF39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
    checksummed.slice(2),
    `0X${checksummed.slice(2)}`,
    checksummed.slice(0, -1),
    `${checksummed}0`,
    ` ${checksummed}`,
    `${checksummed}:1`,
    'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS',
    'vitalik.eth',
    '0x',
    '',
  ])('%j is none', text => {
    expect(parseEthereumAddress(text)).toBeUndefined();
  });

  it("the robot's accounts are those of m/44'/60'/0'/0/index", async () => {
    const mnemonic = 'test test test test test test test test test test test junk';
    const other = ethereumChain({ ...ethereumConfig(world.url), mnemonic });
    expect([0, 1, 9].map(other.ownAccount)).toEqual([
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
      '0xa0ee7a142d267c1f36714e4a8f75612f20a79720',
    ]);
    await other.close();
  });

  it('the accounts of any mnemonic are those of the library', () => {
    for (const words of [12, 15, 18, 21, 24]) {
      const { phrase } = Mnemonic.fromEntropy(randomBytes((words * 4) / 3));
      const own = ethereumWallet(phrase, 31_337);
      for (const index of [0, 1, 1_000, 2 ** 31 - 1]) {
        const { address } = HDNodeWallet.fromPhrase(phrase, '', `m/44'/60'/0'/0/${index}`);
        expect(own.address(index), `${phrase} ${index}`).toBe(address.toLowerCase());
      }
    }
  });
});

describe('Ethereum: what counts as a payment', () => {
  it('a transaction that failed is none, although it stands in a block with a value', async () => {
    const [sender] = await rpc.call<string[]>('eth_accounts');
    const contract = `0x${'c0'.repeat(20)}`;
    await rpc.call('anvil_setCode', contract, '0x60006000fd');
    const cursor = (await chain.incoming(null, new Set([contract]))).cursor;
    const failed = await rpc.call<string>('eth_sendTransaction', {
      from: sender,
      to: contract,
      value: '0x5',
      gas: '0x186a0',
    });
    await world.node.fund(world.theirs, 1n);
    expect(await chain.stateOf(failed)).toMatchObject({ status: 'final', succeeded: false });
    expect((await chain.incoming(cursor, new Set([contract]))).transfers).toEqual([]);
  });

  it('a transaction without value is none', async () => {
    const cursor = await start();
    await world.pay(world.ours, 0n);
    expect((await chain.incoming(cursor, ours())).transfers).toEqual([]);
  });

  it('several payments in one block to several accounts are told apart by their transactions', async () => {
    const accounts = [0, 1, 2].map(chain.ownAccount);
    const { cursor } = await chain.incoming(null, new Set(accounts));
    await world.hold(true);
    const hashes: string[] = [];
    for (const account of accounts) hashes.push(await world.pay(account, 5n));
    await world.hold(false);
    const page = await chain.incoming(cursor, new Set(accounts));
    expect(page.transfers.map(each => [each.txHash, each.to.account])).toEqual(
      hashes.map((hash, i) => [hash, accounts[i]]),
    );
    expect(new Set(page.transfers.map(each => each.blockHash)).size).toBe(1);
  });
});

describe('Ethereum: finality', () => {
  it('by number: a payment is final when so many blocks contain or follow it', async () => {
    const deep = ethereumChain({ ...ethereumConfig(world.url), confirmations: 3 });
    const cursor = await start();
    const hash = await world.pay(world.ours, 5n);
    expect((await deep.incoming(cursor, ours())).transfers).toMatchObject([{ txHash: hash, final: false }]);
    await world.advance(1);
    expect(await deep.stateOf(hash)).toMatchObject({ status: 'included' });
    await world.advance(1);
    expect(await deep.stateOf(hash)).toMatchObject({ status: 'final' });
    expect((await deep.incoming(cursor, ours())).transfers).toMatchObject([{ txHash: hash, final: true }]);
    await deep.close();
  });

  it.each(['safe', 'finalized'] as const)("by the node's word: %s", async confirmations => {
    const deep = ethereumChain({ ...ethereumConfig(world.url), confirmations });
    const cursor = await start();
    const hash = await world.pay(world.ours, 5n);
    expect(await deep.stateOf(hash)).toMatchObject({ status: 'included' });
    await world.advance(130);
    expect(await deep.stateOf(hash)).toMatchObject({ status: 'final' });
    expect((await deep.incoming(cursor, ours())).transfers).toMatchObject([{ txHash: hash, final: true }]);
    await deep.close();
  });
});

describe('Ethereum: reorganisations', () => {
  const read = async (from: Cursor) => chain.incoming(from, ours());

  it('a payment that was reorganised away is unknown, and what was paid instead is found', async () => {
    const before = await start();
    const lost = await world.pay(world.ours, 5n);
    const { cursor } = await read(before);
    await world.node.controls.reorg(1);
    const instead = await world.pay(world.ours, 6n);
    const page = await read(cursor);
    expect(hashesOf(page)).toContain(instead);
    expect(hashesOf(page)).not.toContain(lost);
    expect(await chain.stateOf(lost)).toEqual({ status: 'unknown' });
    expect(hashesOf(await read(page.cursor))).toEqual([]);
  });

  it('a payment that was moved is reported again, in its new block', async () => {
    const before = await start();
    const hash = await world.pay(world.ours, 5n);
    const first = await read(before);
    await world.advance(2);
    const { cursor } = await read(first.cursor);
    await world.node.controls.reorg(3, true);
    const moved = (await read(cursor)).transfers.find(each => each.txHash === hash);
    expect(moved?.blockHash).toBe(((await chain.stateOf(hash)) as { blockHash: string }).blockHash);
    expect(moved?.blockHash).not.toBe(first.transfers[0]?.blockHash);
  });

  it('a node that lost its last blocks is no reset: reading goes on, and nothing is missed', async () => {
    await world.advance(80);
    const before = await start();
    await world.pay(world.ours, 5n);
    const { cursor } = await read(before);
    await rpc.call('anvil_rollback', 3);
    const shorter = await read(cursor);
    expect(shorter.cursor.height).toBe(cursor.height - 3);
    const hash = await world.pay(world.ours, 6n);
    await world.advance(5);
    expect(hashesOf(await read(shorter.cursor))).toEqual([hash]);
    expect(hashesOf(await read(cursor))).toContain(hash);
  });

  it('a reorganisation deeper than the window is followed as far as the blocks are remembered', async () => {
    await world.advance(5);
    const before = await start();
    await world.advance(80);
    const hash = await world.pay(world.ours, 5n);
    const { cursor } = await read(before);
    await world.node.controls.reorg(75, true);
    const page = await read(cursor);
    expect(page.rereadFrom).toBe(cursor.height - 75);
    expect(hashesOf(page)).toEqual([hash]);
  });

  it('a reorganisation deeper than the window and than all remembered blocks is a reset', async () => {
    await world.advance(80);
    const before = await start();
    await world.advance(70);
    const { cursor } = await read(before);
    await world.node.controls.reorg(75, true);
    await expect(read(cursor)).rejects.toThrow(new ChainReset('a reorganisation replaced more than 70 blocks'));
  });

  it('a chain that is shorter by more than the window is a reset', async () => {
    await world.advance(80);
    const cursor = await start();
    await rpc.call('anvil_rollback', 65);
    await expect(read(cursor)).rejects.toThrow(ChainReset);
    const patient = ethereumChain({ ...ethereumConfig(world.url), reorgWindow: 70 });
    expect((await patient.incoming(cursor, ours())).cursor.height).toBe(cursor.height - 65);
    await patient.close();
  });

  it('another first block is a reset, even when the height fits', async () => {
    const cursor = await start();
    let other = await ethereumWorld();
    // The first blocks of two chains are equal when they were made in the same second.
    while ((await other.chain.genesis()) === cursor.genesis) {
      await other.close();
      other = await ethereumWorld();
    }
    await other.advance(cursor.height + 10);
    await expect(other.chain.incoming(cursor, ours())).rejects.toThrow(ChainReset);
    await other.close();
  });
});

describe('Ethereum: a bad node', () => {
  let proxy: RpcProxy;
  let other: Chain;
  beforeEach(async () => {
    proxy = await startRpcProxy(world.url);
    other = ethereumChain({ ...ethereumConfig(proxy.url), timeoutMs: 1_000 });
  });
  afterEach(async () => {
    await other.close();
    await proxy.close();
  });

  it('a block without its receipts yet is not skipped', async () => {
    const cursor = await start();
    const hash = await world.pay(world.ours, 5n);
    proxy.rule(({ method }) => (method === 'eth_getTransactionReceipt' ? { body: { result: null } } : undefined));
    await expect(other.incoming(cursor, ours())).rejects.toThrow(ChainUnreachable);
    proxy.rule(undefined);
    expect(hashesOf(await other.incoming(cursor, ours()))).toEqual([hash]);
  });

  it('blocks that do not follow each other are not taken', async () => {
    const cursor = await start();
    await world.advance(2);
    proxy.rule(async ({ method, params }, answered) => {
      if (method !== 'eth_getBlockByNumber' || params[1] !== true) return undefined;
      const { result } = await answered();
      return { body: { result: { ...(result as object), parentHash: `0x${'aa'.repeat(32)}` } } };
    });
    await expect(other.incoming(cursor, ours())).rejects.toThrow(ChainUnreachable);
  });

  it.each([
    ['HTTP 502 and a page', { status: 502, text: '<html>' }],
    ['HTTP 429 and a text', { status: 429, text: 'slow down' }],
    ['HTTP 429 in JSON', { status: 429, body: { error: { code: 429, message: 'too many' } } }],
    ['limit exceeded', { body: { error: { code: -32005, message: 'limit exceeded' } } }],
    ['HTTP 500 in JSON', { status: 500, body: { jsonrpc: '2.0' } }],
    ['an empty answer', { text: '' }],
    ['no object', { text: '[]' }],
    ['null', { text: 'null' }],
  ])('%s is ChainUnreachable', async (_, answer) => {
    proxy.rule(() => answer);
    await expect(other.head()).rejects.toThrow(ChainUnreachable);
  });

  it('the main network is refused, even where it is the configured one', async () => {
    const main = await ethereumWorld({ chainId: 1 });
    await expect(main.chain.connect()).rejects.toThrow(ChainRefused);
    await expect(main.chain.head()).rejects.toThrow(ChainRefused);
    await main.close();
  });
});
