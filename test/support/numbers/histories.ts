import fc from 'fast-check';
import { expect } from 'vitest';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { openDb } from '../../../src/db/open.ts';
import { walletWorld } from './wallet-world.ts';

const STEPS_OF_ONE = 60;
const SUBMISSIONS = ['accepted', 'lost', 'arrived', 'busy', 'malformed', 'fee-too-low'] as const;

interface Step {
  name: string;
  take(world: ReturnType<typeof walletWorld>): unknown;
}
const step = (name: string, take: Step['take']): Step => ({ name, take });

const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.nat(7).map(n => step(`order ${n}`, world => world.order(n))) },
  {
    weight: 4,
    arbitrary: fc.tuple(fc.nat(12), fc.nat(7)).map(([calls, n]) =>
      step(`order ${n} in a run, at call ${calls}`, world => {
        world.ledger.meanwhile(calls, () => world.order(n));
        return world.run();
      }),
    ),
  },
  { weight: 10, arbitrary: fc.constant(step('run', world => world.run())) },
  { weight: 4, arbitrary: fc.nat(14).map(n => step(`killed after ${n} calls`, world => world.run(n))) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(...SUBMISSIONS)
      .map(answer => step(`next: ${answer}`, ({ ledger }) => ledger.answerNext(answer))),
  },
  { weight: 8, arbitrary: fc.nat(3).map(n => step(`mine ${n}`, ({ ledger }) => ledger.mine(n))) },
  {
    weight: 2,
    arbitrary: fc.boolean().map(areLost => step(`reorganise ${areLost}`, world => world.reorganise(areLost))),
  },
  { weight: 6, arbitrary: fc.constant(step('read', world => world.read())) },
  { weight: 1, arbitrary: fc.constant(step('evict', ({ ledger }) => ledger.evict())) },
  { weight: 1, arbitrary: fc.constant(step('foreign use', world => world.useByAnother())) },
  { weight: 2, arbitrary: fc.constant(step('copy', world => world.copy())) },
  { weight: 1, arbitrary: fc.nat(5).map(n => step(`restore ${n}`, world => world.restore(n))) },
  { weight: 1, arbitrary: fc.constant(step('accept', world => world.accept())) },
  {
    weight: 1,
    arbitrary: fc.nat(12).map(n => step(`start over in a run, at call ${n}`, world => world.startOverInRun(n))),
  },
  { weight: 3, arbitrary: fc.nat(60_000).map(ms => step(`wait ${ms} ms`, world => world.wait(ms))) },
);
const history = fc.array(anyStep, { minLength: STEPS_OF_ONE, maxLength: STEPS_OF_ONE, size: 'max' });

/**
 * Random histories of one wallet with so many steps in all. After each one no number has a hole, what the ledger has paid is
 * what the database says, and nothing waits. A failure prints its seed, its path and its steps.
 */
export async function numbersStayWhole(symbol: AssetSymbol, steps: number, seed: number): Promise<void> {
  const db = openDb(':memory:');
  const property = fc.asyncProperty(history, async taken => {
    const world = walletWorld(db, symbol);
    try {
      for (const { take } of taken) await take(world);
      await world.end();
      const { onLedger, inDatabase } = world.books();
      expect(onLedger).toEqual(inDatabase);
      expect(world.nextNumber()).toBe(world.ledger.mined.length);
    } catch (cause) {
      throw new Error(taken.map(({ name }) => name).join(', '), { cause });
    }
  });
  try {
    await fc.assert(property, { seed, numRuns: Math.ceil(steps / STEPS_OF_ONE) });
  } finally {
    db.close();
  }
}
