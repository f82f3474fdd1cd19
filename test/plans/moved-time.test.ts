import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { moduleOf } from '../../src/plans/catalogue.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import type { LoggedExchange } from '../../src/plans/evidence.ts';
import { advance } from '../../src/plans/target.ts';
import type { Move, RunWorld } from '../../src/plans/world.ts';

/** A run moves the time of a VASP that follows the clock of the sandbox. The VASP notices it a little later. */

const MOVED_AT = 1_000_000;
const MOVE: Move = { from: MOVED_AT - 3_000, to: MOVED_AT };

interface Moved {
  /** Undefined: the process has ended since. */
  moves: Move[] | undefined;
  follows: boolean;
}

/** The result of D8.rate for inquiries about one verification at these times. */
async function rateOf(times: readonly number[], { moves, follows }: Moved): Promise<string> {
  const conditions = ['own-only', 'known-only', 'kept', 'rate'].map(word => ({ id: `D8.${word}`, result: 'SKIPPED' }));
  const report = { id: 'D8', conditions, exchanges: [] } as unknown as ModuleReport;
  const all = times.map((at, index) => ({
    id: index + 1,
    at,
    operation: 'inquire-transaction',
    direction: 'IN',
    status: 200,
    verificationUuid: 'one',
    request: null,
    response: '{}',
    stallMs: null,
  }));
  const world = {
    timeoutMs: {},
    settings: {},
    symbolOf: new Map(),
    exchanges: {
      newest: () => 0,
      after: (_: string, { after }: { after: number }) =>
        all.filter(({ id }) => id > after) as unknown as LoggedExchange[],
    },
    longestStallWithin: () => 0,
    clockJumpMs: () => 0,
    followsSandboxClock: follows,
    watch: { creditsSince: undefined, held: new Set(), moves, ends: new Set() },
  } as unknown as RunWorld;
  const ctx = new ModuleContext({ world, report, position: 0, since: 0, runSince: 0, onChange: () => {} });
  await moduleOf('D8')!.late!(ctx, {});
  return report.conditions.at(-1)!.result;
}

const OFTEN = [MOVED_AT + 100, MOVED_AT + 350, MOVED_AT + 410];

test('D8.rate: three inquiries within half a second fail where no time was moved', async () => {
  expect(await rateOf(OFTEN, { moves: [], follows: false })).toBe('FAILED');
  expect(await rateOf(OFTEN, { moves: [], follows: true })).toBe('FAILED');
  const others = OFTEN.map(at => at + 60_000);
  expect(await rateOf(others, { moves: [MOVE], follows: true })).toBe('FAILED');
});

test('D8.rate: a VASP that notices moved time half a second later is not blamed', async () => {
  expect(await rateOf(OFTEN, { moves: [MOVE], follows: true })).toBe('PASSED');
  const before = [MOVED_AT - 11_000, MOVED_AT - 10_700, ...OFTEN];
  expect(await rateOf(before, { moves: [MOVE], follows: true })).toBe('PASSED');
});

test('D8.rate: a run that was interrupted does not know when it has moved the time, and judges nothing', async () => {
  expect(await rateOf(OFTEN, { moves: undefined, follows: true })).toBe('SKIPPED');
  expect(await rateOf(OFTEN, { moves: undefined, follows: false })).toBe('FAILED');
});

test('D8.rate: while time is moved, the VASP may ask by its new time before the sandbox has noted it', async () => {
  const during = [MOVED_AT - 3_200, MOVED_AT - 60, MOVED_AT - 50];
  expect(await rateOf(during, { moves: [], follows: true })).toBe('FAILED');
  expect(await rateOf(during, { moves: [MOVE], follows: true })).toBe('PASSED');
});

test('each move of a run is noted, from the last moment before it to the first one after it', async () => {
  let now = MOVED_AT;
  const world = {
    api: {
      advance: async () => {
        now += 2_000;
      },
    },
    watch: { moves: [] as Move[] },
    sandboxNow: () => now,
  };
  await advance(world as unknown as RunWorld, '2s');
  expect(world.watch.moves).toEqual([{ from: MOVED_AT, to: MOVED_AT + 2_000 }]);
});
