import type { Chain, Cursor, IncomingTransfer } from '../../../src/chains/port.ts';
import type { ChainWorld } from './chain-world.ts';

export const UNKNOWN_HASH = { ETH: `0x${'ab'.repeat(32)}`, XRP: 'AB'.repeat(32) };

/** An adapter on a real node. */
export class ChainStage {
  readonly world: Omit<ChainWorld, 'node'>;
  constructor(world: Omit<ChainWorld, 'node'>) {
    this.world = world;
  }

  get chain(): Chain {
    return this.world.chain;
  }
  accounts(): Set<string> {
    return new Set([this.world.ours]);
  }
  async start(): Promise<Cursor> {
    return (await this.chain.incoming(null, this.accounts())).cursor;
  }
  async readAll(from: Cursor) {
    const transfers: IncomingTransfer[] = [];
    for (let cursor = from, steps = 1; ; steps++) {
      const page = await this.chain.incoming(cursor, this.accounts());
      transfers.push(...page.transfers);
      cursor = page.cursor;
      if (page.caughtUp) return { transfers, cursor, steps };
    }
  }
  /** Polls like the robot does: a node may know a block before it knows everything about it. */
  async included(hash: string) {
    for (;;) {
      const state = await this.chain.stateOf(hash);
      if (state.status === 'final' || state.status === 'included') return state;
    }
  }
}
