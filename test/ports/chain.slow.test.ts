import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ChainRefused, ChainReset } from '../../src/chains/port.ts';
import { ChainStage } from '../support/chains/chain-stage.ts';
import { type ChainWorld, ethereumWorld, xrplWorld } from '../support/chains/chain-world.ts';
import { xrplProcessWorld } from '../support/chains/xrpl-process-world.ts';
import { describeNetwork } from './chain-network.ts';
import { describeSending } from './chain-sending.ts';

/** Every implementation of `Chain` owes these, on a real node. */
const IMPLEMENTATIONS: { name: string; create: (networkId?: number) => Promise<Omit<ChainWorld, 'node'>> }[] = [
  { name: 'Ethereum', create: chainId => ethereumWorld(chainId ? { chainId } : {}) },
  { name: 'XRP Ledger', create: networkId => xrplWorld(networkId ? { networkId } : {}) },
  { name: 'XRP Ledger as a process of its own', create: networkId => xrplProcessWorld(networkId ? { networkId } : {}) },
];

describe.each(IMPLEMENTATIONS)('$name: Chain', ({ create }) => {
  let at: ChainStage;
  beforeAll(async () => {
    at = new ChainStage(await create());
    await at.chain.connect();
  });
  afterAll(() => at.world.close());

  it('the head moves on with every block, the genesis stays', async () => {
    const [before, genesis] = [await at.chain.head(), await at.chain.genesis()];
    await at.world.advance(3);
    const after = await at.chain.head();
    expect(after.height).toBe(before.height + 3);
    expect(after.hash).not.toBe(before.hash);
    expect(after.at).toBeGreaterThanOrEqual(before.at);
    expect(await at.chain.genesis()).toBe(genesis);
  });

  it('reading without a cursor starts at the head: what was paid before is not reported', async () => {
    await at.included(await at.world.pay(at.world.ours, 20_000_000n));
    const page = await at.chain.incoming(null, at.accounts());
    expect(page).toMatchObject({ transfers: [], caughtUp: true, cursor: { height: (await at.chain.head()).height } });
  });

  it('a payment is reported once, with sender, recipient, exact amount and block', async () => {
    const cursor = await at.start();
    const hash = await at.world.pay(at.world.ours, 20_000_001n);
    const state = await at.included(hash);
    const { transfers, cursor: next } = await at.readAll(cursor);
    expect(transfers).toEqual([
      {
        txHash: hash,
        index: 0,
        from: expect.any(String),
        to: { account: at.world.ours },
        amount: 20_000_001n,
        height: state.height,
        blockHash: state.blockHash,
        at: expect.any(Number),
        final: true,
      },
    ]);
    expect(at.chain.parseAddress(transfers[0]!.from)).toEqual({ account: transfers[0]!.from });
    expect((await at.readAll(next)).transfers).toEqual([]);
  });

  it('a payment to somebody else is not reported', async () => {
    const cursor = await at.start();
    await at.included(await at.world.pay(at.world.theirs, 20_000_000n));
    expect((await at.readAll(cursor)).transfers).toEqual([]);
  });

  it('a long way to the head is read in bounded steps without a gap', async () => {
    const cursor = await at.start();
    const hashes: string[] = [];
    for (let i = 0; i < 3; i++) {
      await at.world.advance(150);
      hashes.push(await at.world.pay(at.world.ours, 20_000_000n + BigInt(i)));
      await at.included(hashes[i]!);
    }
    const { transfers, cursor: next } = await at.readAll(cursor);
    expect(transfers.map(transfer => transfer.txHash)).toEqual(hashes);
    expect(next.height).toBe((await at.chain.head()).height);
  });

  it('the state of a transaction goes from pending to final', async () => {
    await at.world.hold(true);
    const hash = await at.world.pay(at.world.theirs, 20_000_000n);
    expect(await at.chain.stateOf(hash)).toEqual({ status: 'pending' });
    expect(await at.chain.lookup(hash)).toMatchObject({ state: { status: 'pending' }, transfers: [] });
    await at.world.hold(false);
    expect(await at.included(hash)).toMatchObject({ status: 'final', succeeded: true });
  });

  it('D-24: a look-up shows what a transaction paid, whoever was paid', async () => {
    const hash = await at.world.pay(at.world.theirs, 20_000_003n);
    const state = await at.included(hash);
    const to = { account: at.world.theirs };
    const found = await at.chain.lookup(hash);
    const from = found.transfers[0]?.from;
    expect(found).toEqual({
      state,
      at: expect.any(Number),
      transfers: [{ index: 0, from: expect.any(String), to, amount: 20_000_003n }],
      // D-36: only a nonce can be used by another transaction.
      ...(at.chain.symbol === 'ETH' ? { sender: { account: from, sequence: expect.any(Number) } } : {}),
    });
  });

  it.each([`0x${'ab'.repeat(32)}`, 'AB'.repeat(32), '0x12', 'no hash', ''])(
    'the state of the unknown hash %j is unknown',
    async hash => {
      expect(await at.chain.stateOf(hash)).toEqual({ status: 'unknown' });
      expect(await at.chain.lookup(hash)).toMatchObject({ state: { status: 'unknown' }, transfers: [] });
    },
  );

  it('a new block wakes the listener, until it stops listening', async () => {
    let woken = 0;
    const stops: (() => void)[] = [];
    await new Promise<void>(resolve => {
      stops.push(
        at.chain.onHead(() => {
          woken += 1;
          resolve();
        }),
      );
      void at.world.advance(1);
    });
    stops[0]!();
    const before = woken;
    const other = new Promise<void>(resolve => stops.push(at.chain.onHead(resolve)));
    await at.world.advance(1);
    await other;
    stops[1]!();
    expect(woken).toBe(before);
  });

  it('a node of another network is refused', async () => {
    const other = at.world.again({ networkId: at.chain.networkId + 1 });
    await expect(other.connect()).rejects.toThrow(ChainRefused);
    await expect(other.head()).rejects.toThrow(ChainRefused);
  });

  describeSending(() => at);
  describeNetwork(() => at, create);

  it('a cursor of another chain is a reset', async () => {
    const { height } = await at.chain.head();
    const foreign = { height, hash: `0x${'cd'.repeat(32)}`, genesis: `0x${'ef'.repeat(32)}` };
    await expect(at.chain.incoming(foreign, at.accounts())).rejects.toThrow(ChainReset);
  });

  it('a cursor far beyond the head is a reset', async () => {
    const cursor = await at.start();
    const beyond = { ...cursor, height: cursor.height + 100_000 };
    await expect(at.chain.incoming(beyond, at.accounts())).rejects.toThrow(ChainReset);
  });
});
