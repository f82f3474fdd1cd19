import { beforeAll, describe, expect, it } from 'vitest';
import { ChainRefused, type TransferOrder } from '../../src/chains/port.ts';
import type { ChainStage } from '../support/chains/chain-stage.ts';
import { startTcpProxy } from '../support/chains/tcp-proxy.ts';

export function describeSending(stage: () => ChainStage): void {
  describe('sending', () => {
    let at: ChainStage;
    const AMOUNT = 3_000_000n;
    const prepare = async (changes: Partial<TransferOrder> = {}) => {
      const fee = changes.fee ?? (await at.chain.quoteFee(at.world.payment));
      const sequence = changes.sequence ?? (await at.chain.numbers(at.world.ours)).next;
      const order = { from: 0, to: { account: at.world.theirs }, amount: AMOUNT, sequence, fee, ...changes };
      return { ...(await at.chain.sign(order)), order };
    };
    /** Held chains get their block here. */
    const finalise = async (hash: string) => {
      await at.world.advance(1);
      return at.included(hash);
    };
    beforeAll(async () => {
      at = stage();
      await at.included(await at.world.pay(at.world.ours, at.world.riches));
      await at.included(await at.world.pay(at.world.theirs, 20_000_000n));
    });

    it('a transfer arrives: exact amount, one sequence number used, fee within its cost', async () => {
      const [before, theirs, sequence] = [
        await at.chain.balanceOf(at.world.ours),
        await at.chain.balanceOf(at.world.theirs),
        (await at.chain.numbers(at.world.ours)).next,
      ];
      const { bytes, hash, order } = await prepare();
      expect(await at.chain.stateOf(hash)).toEqual({ status: 'unknown' });
      expect(await at.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
      expect(await finalise(hash)).toMatchObject({ status: 'final', succeeded: true });
      const after = await at.chain.balanceOf(at.world.ours);
      const cost = before.total - after.total - AMOUNT;
      expect(cost).toBeGreaterThan(0n);
      expect(cost).toBeLessThanOrEqual(at.chain.costOf(order.fee));
      expect((await at.chain.balanceOf(at.world.theirs)).total).toBe(theirs.total + AMOUNT);
      expect((await at.chain.numbers(at.world.ours)).next).toBe(sequence + 1);
      expect((await at.chain.numbers(at.world.ours)).finalized).toBe(sequence + 1);
    });

    it('the same order signed twice is the same transaction, and says so before it is sent', async () => {
      const { order, bytes, hash } = await prepare();
      expect(await at.chain.sign(order)).toMatchObject({ bytes, hash });
      await at.chain.broadcast(bytes);
      expect(await finalise(hash)).toMatchObject({ succeeded: true });
    });

    it('the same bytes again, waiting or final, are already known and pay nothing more', async () => {
      await at.world.hold(true);
      const { bytes, hash } = await prepare();
      expect(await at.chain.broadcast(bytes)).toMatchObject({ status: 'accepted' });
      expect(await at.chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      await at.world.hold(false);
      expect(await finalise(hash)).toMatchObject({ succeeded: true });
      const theirs = await at.chain.balanceOf(at.world.theirs);
      expect(await at.chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      await at.world.advance(1);
      expect(await at.chain.balanceOf(at.world.theirs)).toEqual(theirs);
    });

    it('a sequence number that was used is already known, whatever it would pay now', async () => {
      const sequence = (await at.chain.numbers(at.world.ours)).finalized - 1;
      const { bytes, hash } = await prepare({ sequence, amount: AMOUNT + 1n });
      expect(await at.chain.broadcast(bytes)).toMatchObject({ status: 'already-known' });
      expect(await at.chain.stateOf(hash)).toEqual({ status: 'unknown' });
    });

    it('what waits counts for the next sequence, not for the finalized one', async () => {
      await at.world.hold(true);
      const sequence = (await at.chain.numbers(at.world.ours)).next;
      const { bytes, hash } = await prepare();
      await at.chain.broadcast(bytes);
      expect((await at.chain.numbers(at.world.ours)).next).toBe(sequence + 1);
      expect((await at.chain.numbers(at.world.ours)).finalized).toBe(sequence);
      await at.world.hold(false);
      await finalise(hash);
    });

    it('transactions sent out of order are all paid once the gap is filled', async () => {
      const sequence = (await at.chain.numbers(at.world.ours)).next;
      const [first, second] = [await prepare({ sequence }), await prepare({ sequence: sequence + 1 })];
      expect(await at.chain.broadcast(second.bytes)).toMatchObject({ status: 'accepted' });
      expect(await at.chain.broadcast(first.bytes)).toMatchObject({ status: 'accepted' });
      for (const { hash } of [first, second]) expect(await finalise(hash)).toMatchObject({ succeeded: true });
    });

    it('bytes that are no transaction are rejected for good', async () => {
      const { bytes } = await prepare();
      expect(await at.chain.broadcast(bytes.slice(0, -20))).toMatchObject({
        status: 'rejected',
        final: true,
        reason: 'malformed',
      });
    });

    it('more than the account has is rejected or fails, and pays nothing', async () => {
      const theirs = await at.chain.balanceOf(at.world.theirs);
      const { bytes } = await prepare({ amount: (await at.chain.balanceOf(at.world.ours)).total * 2n });
      const answer = await at.chain.broadcast(bytes);
      if (answer.status === 'rejected') expect(answer).toMatchObject({ reason: 'funds', final: false });
      else expect(answer.code).toBe('tecUNFUNDED_PAYMENT');
      await at.world.advance(1);
      expect(await at.chain.balanceOf(at.world.theirs)).toEqual(theirs);
    });

    it('an account that does not exist has nothing and begins', async () => {
      expect(await at.chain.balanceOf(at.world.nobody)).toEqual({ total: 0n, spendable: 0n });
      expect((await at.chain.numbers(at.world.nobody)).finalized).toBe(0);
    });

    it('a bid replaces another one only with at least an eighth more in every part', async () => {
      const before = await at.chain.quoteFee(at.world.payment);
      const after = await at.chain.quoteFee(at.world.payment, before);
      for (const [part, value] of Object.entries(after))
        if (part !== 'gasLimit') expect(BigInt(value) * 8n).toBeGreaterThanOrEqual(BigInt(before[part]!) * 9n);
    });

    it('broadcast to a node that cannot be reached, or is silent, is unclear', async () => {
      const { bytes } = await prepare();
      const proxy = await startTcpProxy(at.world.url);
      const other = at.world.again({ url: proxy.url, timeoutMs: 500 });
      for (const state of ['down', 'silent'] as const) {
        proxy.become(state);
        expect(await other.broadcast(bytes)).toMatchObject({ status: 'unclear' });
      }
      await other.close();
      await proxy.close();
    });

    it('broadcast to another network sends nothing', async () => {
      const { bytes } = await prepare();
      const other = at.world.again({ networkId: at.chain.networkId + 1 });
      await expect(other.broadcast(bytes)).rejects.toThrow(ChainRefused);
    });
  });
}
