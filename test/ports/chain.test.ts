import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Chain,
  ChainRefused,
  ChainReset,
  ChainUnreachable,
  type Cursor,
  type IncomingTransfer,
  type TransferOrder,
} from '../../src/chains/port.ts';
import { type ChainWorld, ethereumWorld, xrplWorld } from '../support/chains/chain-world.ts';
import { startTcpProxy, type TcpProxy } from '../support/chains/tcp-proxy.ts';
import { xrplProcessWorld } from '../support/chains/xrpl-process-world.ts';

/** Every implementation of `Chain` owes these, on a real node. */
const IMPLEMENTATIONS: { name: string; create: (networkId?: number) => Promise<Omit<ChainWorld, 'node'>> }[] =
  [
    { name: 'Ethereum', create: chainId => ethereumWorld(chainId ? { chainId } : {}) },
    { name: 'XRP Ledger', create: networkId => xrplWorld(networkId ? { networkId } : {}) },
    {
      name: 'XRP Ledger as a process of its own',
      create: networkId => xrplProcessWorld(networkId ? { networkId } : {}),
    },
  ];

const UNKNOWN_HASH = { ETH: `0x${'ab'.repeat(32)}`, XRP: 'AB'.repeat(32) };

/** Calls under way when a connection is cut fail as unreachable; none may be answered by the other network. */
async function outcomesUntilRefused(chain: Chain): Promise<string[]> {
  const outcomes: string[] = [];
  while (outcomes.length < 100 && outcomes.at(-1) !== 'ChainRefused')
    outcomes.push(
      await chain.head().then(
        () => 'answered',
        (error: Error) => error.name,
      ),
    );
  return outcomes;
}

describe.each(IMPLEMENTATIONS)('$name: Chain', ({ create }) => {
  let world: Omit<ChainWorld, 'node'>;
  let chain: Chain;
  const accounts = () => new Set([world.ours]);
  const readAll = async (from: Cursor) => {
    const transfers: IncomingTransfer[] = [];
    for (let cursor = from, steps = 1; ; steps++) {
      const page = await chain.incoming(cursor, accounts());
      transfers.push(...page.transfers);
      cursor = page.cursor;
      if (page.caughtUp) return { transfers, cursor, steps };
    }
  };
  const start = async () => (await chain.incoming(null, accounts())).cursor;
  /** Polls like the robot does: a node may know a block before it knows everything about it. */
  const included = async (hash: string) => {
    for (;;) {
      const state = await chain.stateOf(hash);
      if (state.status === 'final' || state.status === 'included') return state;
    }
  };

  beforeAll(async () => {
    world = await create();
    chain = world.chain;
    await chain.connect();
  });
  afterAll(() => world.close());

  it('the head moves on with every block, the genesis stays', async () => {
    const [before, genesis] = [await chain.head(), await chain.genesis()];
    await world.advance(3);
    const after = await chain.head();
    expect(after.height).toBe(before.height + 3);
    expect(after.hash).not.toBe(before.hash);
    expect(after.at).toBeGreaterThanOrEqual(before.at);
    expect(await chain.genesis()).toBe(genesis);
  });

  it('reading without a cursor starts at the head: what was paid before is not reported', async () => {
    await included(await world.pay(world.ours, 20_000_000n));
    const page = await chain.incoming(null, accounts());
    expect(page).toMatchObject({
      transfers: [],
      caughtUp: true,
      cursor: { height: (await chain.head()).height },
    });
  });

  it('a payment is reported once, with sender, recipient, exact amount and block', async () => {
    const cursor = await start();
    const hash = await world.pay(world.ours, 20_000_001n);
    const state = await included(hash);
    const { transfers, cursor: next } = await readAll(cursor);
    expect(transfers).toEqual([
      {
        txHash: hash,
        index: 0,
        from: expect.any(String),
        to: { account: world.ours },
        amount: 20_000_001n,
        height: state.height,
        blockHash: state.blockHash,
        at: expect.any(Number),
        final: true,
      },
    ]);
    expect(chain.parseAddress(transfers[0]!.from)).toEqual({ account: transfers[0]!.from });
    expect((await readAll(next)).transfers).toEqual([]);
  });

  it('a payment to somebody else is not reported', async () => {
    const cursor = await start();
    await included(await world.pay(world.theirs, 20_000_000n));
    expect((await readAll(cursor)).transfers).toEqual([]);
  });

  it('a long way to the head is read in bounded steps without a gap', async () => {
    const cursor = await start();
    const hashes: string[] = [];
    for (let i = 0; i < 3; i++) {
      await world.advance(150);
      hashes.push(await world.pay(world.ours, 20_000_000n + BigInt(i)));
      await included(hashes[i]!);
    }
    const { transfers, cursor: next } = await readAll(cursor);
    expect(transfers.map(transfer => transfer.txHash)).toEqual(hashes);
    expect(next.height).toBe((await chain.head()).height);
  });

  it('the state of a transaction goes from pending to final', async () => {
    await world.hold(true);
    const hash = await world.pay(world.theirs, 20_000_000n);
    expect(await chain.stateOf(hash)).toEqual({ status: 'pending' });
    expect(await chain.lookup(hash)).toMatchObject({ state: { status: 'pending' }, transfers: [] });
    await world.hold(false);
    expect(await included(hash)).toMatchObject({ status: 'final', succeeded: true });
  });

  it('D-24: a look-up shows what a transaction paid, whoever was paid', async () => {
    const hash = await world.pay(world.theirs, 20_000_003n);
    const state = await included(hash);
    const to = { account: world.theirs };
    expect(await chain.lookup(hash)).toEqual({
      state,
      at: expect.any(Number),
      isComplete: true,
      transfers: [{ index: 0, from: expect.any(String), to, amount: 20_000_003n }],
    });
  });

  it.each([`0x${'ab'.repeat(32)}`, 'AB'.repeat(32), '0x12', 'no hash', ''])(
    'the state of the unknown hash %j is unknown',
    async hash => {
      expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
      expect(await chain.lookup(hash)).toMatchObject({ state: { status: 'unknown' }, transfers: [] });
    },
  );

  it('a new block wakes the listener, until it stops listening', async () => {
    let woken = 0;
    const stops: (() => void)[] = [];
    await new Promise<void>(resolve => {
      stops.push(
        chain.onHead(() => {
          woken += 1;
          resolve();
        }),
      );
      void world.advance(1);
    });
    stops[0]!();
    const before = woken;
    const other = new Promise<void>(resolve => stops.push(chain.onHead(resolve)));
    await world.advance(1);
    await other;
    stops[1]!();
    expect(woken).toBe(before);
  });

  it('a node of another network is refused', async () => {
    const other = world.again({ networkId: chain.networkId + 1 });
    await expect(other.connect()).rejects.toThrow(ChainRefused);
    await expect(other.head()).rejects.toThrow(ChainRefused);
  });

  describe('sending', () => {
    const AMOUNT = 3_000_000n;
    const prepare = async (changes: Partial<TransferOrder> = {}) => {
      const fee = changes.fee ?? (await chain.quoteFee(world.theirs));
      const sequence = changes.sequence ?? (await chain.nextSequence(world.ours));
      const order = { from: 0, to: { account: world.theirs }, amount: AMOUNT, sequence, fee, ...changes };
      return { ...(await chain.sign(order)), order };
    };
    /** Held chains get their block here. */
    const finalise = async (hash: string) => {
      await world.advance(1);
      return included(hash);
    };
    beforeAll(async () => {
      await included(await world.pay(world.ours, world.riches));
      await included(await world.pay(world.theirs, 20_000_000n));
    });

    it('a transfer arrives: exact amount, one sequence number used, fee within its cost', async () => {
      const [before, theirs, sequence] = [
        await chain.balanceOf(world.ours),
        await chain.balanceOf(world.theirs),
        await chain.nextSequence(world.ours),
      ];
      const { bytes, hash, order } = await prepare();
      expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
      expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
      expect(await finalise(hash)).toMatchObject({ status: 'final', succeeded: true });
      const after = await chain.balanceOf(world.ours);
      const cost = before.total - after.total - AMOUNT;
      expect(cost).toBeGreaterThan(0n);
      expect(cost).toBeLessThanOrEqual(chain.costOf(order.fee));
      expect((await chain.balanceOf(world.theirs)).total).toBe(theirs.total + AMOUNT);
      expect(await chain.nextSequence(world.ours)).toBe(sequence + 1);
      expect(await chain.finalizedSequence(world.ours)).toBe(sequence + 1);
    });

    it('the same order signed twice is the same transaction, and says so before it is sent', async () => {
      const { order, bytes, hash } = await prepare();
      expect(await chain.sign(order)).toMatchObject({ bytes, hash });
      await chain.broadcast(bytes);
      expect(await finalise(hash)).toMatchObject({ succeeded: true });
    });

    it('the same bytes again, waiting or final, are already known and pay nothing more', async () => {
      await world.hold(true);
      const { bytes, hash } = await prepare();
      expect(await chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
      expect(await chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      await world.hold(false);
      expect(await finalise(hash)).toMatchObject({ succeeded: true });
      const theirs = await chain.balanceOf(world.theirs);
      expect(await chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      await world.advance(1);
      expect(await chain.balanceOf(world.theirs)).toEqual(theirs);
    });

    it('a sequence number that was used is already known, whatever it would pay now', async () => {
      const sequence = (await chain.finalizedSequence(world.ours)) - 1;
      const { bytes, hash } = await prepare({ sequence, amount: AMOUNT + 1n });
      expect(await chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      expect(await chain.stateOf(hash)).toEqual({ status: 'unknown' });
    });

    it('what waits counts for the next sequence, not for the finalized one', async () => {
      await world.hold(true);
      const sequence = await chain.nextSequence(world.ours);
      const { bytes, hash } = await prepare();
      await chain.broadcast(bytes);
      expect(await chain.nextSequence(world.ours)).toBe(sequence + 1);
      expect(await chain.finalizedSequence(world.ours)).toBe(sequence);
      await world.hold(false);
      await finalise(hash);
    });

    it('transactions sent out of order are all paid once the gap is filled', async () => {
      const sequence = await chain.nextSequence(world.ours);
      const [first, second] = [await prepare({ sequence }), await prepare({ sequence: sequence + 1 })];
      expect(await chain.broadcast(second.bytes)).toMatchObject({ status: 'accepted' });
      expect(await chain.broadcast(first.bytes)).toMatchObject({ status: 'accepted' });
      for (const { hash } of [first, second]) expect(await finalise(hash)).toMatchObject({ succeeded: true });
    });

    it('bytes that are no transaction are rejected for good', async () => {
      const { bytes } = await prepare();
      expect(await chain.broadcast(bytes.slice(0, -20))).toMatchObject({
        status: 'rejected',
        final: true,
        reason: 'malformed',
      });
    });

    it('more than the account has is rejected or fails, and pays nothing', async () => {
      const theirs = await chain.balanceOf(world.theirs);
      const { bytes } = await prepare({ amount: (await chain.balanceOf(world.ours)).total * 2n });
      const answer = await chain.broadcast(bytes);
      if (answer.status === 'rejected') expect(answer).toMatchObject({ reason: 'funds', final: false });
      else expect(answer.code).toBe('tecUNFUNDED_PAYMENT');
      await world.advance(1);
      expect(await chain.balanceOf(world.theirs)).toEqual(theirs);
    });

    it('an account that does not exist has nothing and begins', async () => {
      expect(await chain.balanceOf(world.nobody)).toEqual({ total: 0n, spendable: 0n });
      expect(await chain.finalizedSequence(world.nobody)).toBe(0);
    });

    it('a bid replaces another one only with at least an eighth more in every part', async () => {
      const before = await chain.quoteFee(world.theirs);
      const after = await chain.quoteFee(world.theirs, before);
      for (const [part, value] of Object.entries(after))
        if (part !== 'gasLimit')
          expect(BigInt(value) * 8n).toBeGreaterThanOrEqual(BigInt(before[part]!) * 9n);
    });

    it('broadcast to a node that cannot be reached, or is silent, is unclear', async () => {
      const { bytes } = await prepare();
      const proxy = await startTcpProxy(world.url);
      const other = world.again({ url: proxy.url, timeoutMs: 500 });
      for (const state of ['down', 'silent'] as const) {
        proxy.become(state);
        expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
      }
      await other.close();
      await proxy.close();
    });

    it('broadcast to another network sends nothing', async () => {
      const { bytes } = await prepare();
      const other = world.again({ networkId: chain.networkId + 1 });
      await expect(other.broadcast(bytes)).rejects.toThrow(ChainRefused);
    });
  });

  describe('on a network that fails', () => {
    let proxy: TcpProxy;
    let other: Chain;
    beforeEach(async () => {
      proxy = await startTcpProxy(world.url);
      other = world.again({ url: proxy.url, timeoutMs: 1_000 });
    });
    afterEach(async () => {
      await other.close();
      await proxy.close();
    });

    it.each(['silent', 'down'] as const)('%s: every question is ChainUnreachable, soon', async state => {
      const cursor = await start();
      for (const wasConnected of [false, true]) {
        if (wasConnected) await other.connect();
        proxy.become(state);
        const questions = [
          other.connect(),
          other.head(),
          other.genesis(),
          other.incoming(cursor, accounts()),
          other.incoming(null, accounts()),
          other.stateOf(UNKNOWN_HASH[chain.symbol]),
          other.balanceOf(world.ours),
          other.nextSequence(world.ours),
          other.finalizedSequence(world.ours),
          other.quoteFee(world.theirs),
        ];
        for (const answer of await Promise.allSettled(questions))
          expect(answer).toMatchObject({ status: 'rejected', reason: expect.any(ChainUnreachable) });
        proxy.become('up');
        proxy.cut();
      }
    });

    it('cut connections: the next question after the network is back is answered', async () => {
      await other.connect();
      proxy.become('down');
      await expect(other.head()).rejects.toThrow(ChainUnreachable);
      proxy.become('up');
      expect(await other.head()).toEqual(await chain.head());
    });

    it('the listener is woken again after the connections were cut', async () => {
      await other.connect();
      const wakings: (() => void)[] = [];
      const woken = () => new Promise<void>(resolve => wakings.push(resolve));
      const stop = other.onHead(() => {
        for (const waking of wakings.splice(0)) waking();
      });
      let next = woken();
      await world.advance(1);
      await next;
      proxy.cut();
      next = woken();
      await world.advance(1);
      await next;
      stop();
    });

    it('another network behind the same address is refused as soon as it is reconnected', async () => {
      await other.connect();
      const impostor = await create(chain.networkId + 1);
      proxy.retarget(impostor.url);
      proxy.cut();
      const outcomes = await outcomesUntilRefused(other);
      expect(outcomes).not.toContain('answered');
      expect(outcomes.at(-1)).toBe('ChainRefused');
      proxy.retarget(world.url);
      proxy.cut();
      expect((await other.connect().then(() => other.head())).hash).toBe((await chain.head()).hash);
      await impostor.close();
    });
  });

  it('a cursor of another chain is a reset', async () => {
    const { height } = await chain.head();
    const foreign = { height, hash: `0x${'cd'.repeat(32)}`, genesis: `0x${'ef'.repeat(32)}` };
    await expect(chain.incoming(foreign, accounts())).rejects.toThrow(ChainReset);
  });

  it('a cursor far beyond the head is a reset', async () => {
    const cursor = await start();
    const beyond = { ...cursor, height: cursor.height + 100_000 };
    await expect(chain.incoming(beyond, accounts())).rejects.toThrow(ChainReset);
  });
});
