import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Chain, ChainUnreachable } from '../../src/chains/port.ts';
import { type ChainStage, UNKNOWN_HASH } from '../support/chains/chain-stage.ts';
import type { ChainWorld } from '../support/chains/chain-world.ts';
import { startTcpProxy, type TcpProxy } from '../support/chains/tcp-proxy.ts';
import { until } from '../support/until.ts';

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

/** A call on a connection that was just cut is unreachable. */
const reconnected = (chain: Chain): Promise<void> =>
  until(() =>
    chain.connect().then(
      () => true,
      () => false,
    ),
  );

export function describeNetwork(
  stage: () => ChainStage,
  create: (networkId?: number) => Promise<Omit<ChainWorld, 'node'>>,
): void {
  describe('on a network that fails', () => {
    let at: ChainStage;
    beforeAll(() => {
      at = stage();
    });
    let proxy: TcpProxy;
    let other: Chain;
    beforeEach(async () => {
      proxy = await startTcpProxy(at.world.url);
      other = at.world.again({ url: proxy.url, timeoutMs: 1_000 });
    });
    afterEach(async () => {
      await other.close();
      await proxy.close();
    });

    it.each(['silent', 'down'] as const)('%s: every question is ChainUnreachable, soon', async state => {
      const cursor = await at.start();
      for (const wasConnected of [false, true]) {
        if (wasConnected) await reconnected(other);
        proxy.become(state);
        const questions = [
          other.connect(),
          other.head(),
          other.genesis(),
          other.incoming(cursor, at.accounts()),
          other.incoming(null, at.accounts()),
          other.stateOf(UNKNOWN_HASH[at.chain.symbol]),
          other.balanceOf(at.world.ours),
          other.numbers(at.world.ours),
          other.quoteFee(at.world.payment),
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
      expect(await other.head()).toEqual(await at.chain.head());
    });

    it('the listener is woken again after the connections were cut', async () => {
      await other.connect();
      const wakings: (() => void)[] = [];
      const woken = () => new Promise<void>(resolve => wakings.push(resolve));
      const stop = other.onHead(() => {
        for (const waking of wakings.splice(0)) waking();
      });
      let next = woken();
      await at.world.advance(1);
      await next;
      proxy.cut();
      next = woken();
      await at.world.advance(1);
      await next;
      stop();
    });

    it('another network behind the same address is refused as soon as it is reconnected', async () => {
      await other.connect();
      const impostor = await create(at.chain.networkId + 1);
      proxy.retarget(impostor.url);
      proxy.cut();
      const outcomes = await outcomesUntilRefused(other);
      expect(outcomes).not.toContain('answered');
      expect(outcomes.at(-1)).toBe('ChainRefused');
      proxy.retarget(at.world.url);
      proxy.cut();
      expect((await other.connect().then(() => other.head())).hash).toBe((await at.chain.head()).hash);
      await impostor.close();
    });
  });
}
