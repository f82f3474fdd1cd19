import { afterAll, beforeAll } from 'vitest';
import type { Chain, TransferOrder } from '../../../src/chains/port.ts';
import { type XrplWorld, xrplWorld } from './chain-world.ts';

/** A ledger of the tests of a file, with money at our account and at that of the recipient. */
export interface XrplSender {
  readonly world: XrplWorld;
  readonly chain: Chain;
  /** A payment of 7 drops to the recipient, but for the changes. */
  sign(changes?: Partial<TransferOrder>, by?: Chain): ReturnType<Chain['sign']>;
  /** The balance of the recipient. */
  paid(): Promise<bigint>;
  close(): void;
}

export function useXrplSender(): XrplSender {
  let world: XrplWorld;
  beforeAll(async () => {
    world = await xrplWorld();
    await world.pay(world.ours, world.riches);
    await world.pay(world.theirs, 20_000_000n);
  });
  afterAll(() => world.close());
  return {
    get world() {
      return world;
    },
    get chain() {
      return world.chain;
    },
    async sign(changes = {}, by = world.chain) {
      const sequence = changes.sequence ?? (await world.chain.numbers(world.ours)).next;
      const fee = changes.fee ?? (await world.chain.quoteFee(world.payment));
      return by.sign({ from: 0, to: { account: world.theirs }, amount: 7n, sequence, fee, ...changes });
    },
    paid: async () => (await world.chain.balanceOf(world.theirs)).total,
    close: () => void world.node.controls.close(),
  };
}
