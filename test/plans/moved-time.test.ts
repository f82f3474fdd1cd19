import { expect, test } from 'vitest';
import { moduleOf } from '../../src/plans/catalogue.ts';
import { timersLeftMs } from '../../src/plans/play-run.ts';
import { timersBegin } from '../../src/plans/steps/inquiries.ts';
import { judgeTime } from '../../src/plans/steps/times.ts';
import { advance, isNearMove, noticedNow } from '../../src/plans/target.ts';
import type { Move, RunWorld } from '../../src/plans/world.ts';
import { exchangesOf, singleModule } from '../support/plans/single-module.ts';
import { until } from '../support/until.ts';

/** A run moves the time of a VASP that follows the clock of the sandbox. The VASP notices it a little later. */

const MOVED_AT = 1_000_000;
const MOVE: Move = { from: MOVED_AT - 3_000, to: MOVED_AT, noticedBy: MOVED_AT + 2_000 };

/** About one verification, at these times of the sandbox's clock. */
function inquiriesAt(times: readonly number[]) {
  const row = {
    direction: 'IN',
    operation: 'inquire-transaction',
    verificationUuid: 'one',
    status: 200,
    stallMs: null,
  };
  return times.map((at, index) => ({ ...row, id: index + 1, at, request: null, response: '{}' }));
}

/** D8.rate after such inquiries. */
async function rateAt(times: readonly number[], world: object) {
  const { ctx, conditions } = singleModule('D8', ['own-only', 'known-only', 'kept', 'rate'], {
    exchanges: exchangesOf(inquiriesAt(times)),
    ...world,
  });
  await moduleOf('D8')!.late!(ctx, {});
  return conditions.at(-1)!;
}

interface Moved {
  moves: Move[];
  follows: boolean;
  /** The process has ended since. */
  isResumed?: boolean;
}

const rateOf = async (times: readonly number[], { follows, ...watch }: Moved) =>
  (await rateAt(times, { followsSandboxClock: follows, watch })).result;

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
  expect(await rateOf(OFTEN, { moves: [], follows: true, isResumed: true })).toBe('SKIPPED');
  expect(await rateOf(OFTEN, { moves: [], follows: false, isResumed: true })).toBe('FAILED');
});

test('D8.rate: while time is moved, the VASP may ask by its new time before the sandbox has noted it', async () => {
  const during = [MOVED_AT - 3_200, MOVED_AT - 60, MOVED_AT - 50];
  expect(await rateOf(during, { moves: [], follows: true })).toBe('FAILED');
  expect(await rateOf(during, { moves: [MOVE], follows: true })).toBe('PASSED');
});

test('each move of a run is noted, from the last moment before it to the first one after it', async () => {
  let now = MOVED_AT;
  const end = new AbortController();
  const world = {
    api: {
      advance: async () => {
        now += 2_000;
      },
    },
    watch: { moves: [] as Move[] },
    sandboxNow: () => now,
    signal: end.signal,
  };
  await advance(world as unknown as RunWorld, '2s');
  const { moves } = world.watch;
  expect(moves).toEqual([{ from: MOVED_AT, to: MOVED_AT + 2_000 }]);
  // The sandbox stands still: the VASP cannot have noticed it.
  now += 60_000;
  expect(isNearMove(moves, now)).toBe(true);
  end.abort();
  await until(() => moves[0]!.noticedBy !== undefined);
  expect([isNearMove(moves, now), isNearMove(moves, now + 1)]).toEqual([true, false]);
});

test.each([
  [[0, 6_000, 12_000], 0, 4_000, 'PASSED', 'not more'],
  [[0, 6_000, 12_000], -8_000, 0, 'PASSED', 'not more'],
  [[0, 1_000, 2_000], 0, 0, 'FAILED', '3 within 2000 ms'],
  [[0, 1_000, 2_000], 0, 2_900, 'FAILED', '3 within 2000 ms'],
  [[0, 2_200, 2_428], 0, 3_700, 'PASSED', 'not more, beside up to 3700 ms in which the sandbox itself stood still'],
  [Array.from({ length: 12 }, (_, index) => 2_000 * index), 0, 2_000, 'FAILED', '7 within 12000 ms'],
  [
    [0, 6_000, 4_000],
    -8_000,
    0,
    'REVIEW',
    "3 within 4000 ms, and the clock of the sandbox's machine jumped by -8000 ms during the run",
  ],
])(
  'D8.rate: inquiries at %j with a jump of %i ms and a stall of %i ms: %s',
  async (times, jumpMs, stoodMs, result, got) => {
    expect(await rateAt(times, { clockJumpMs: () => jumpMs, longestStallWithin: () => stoodMs })).toMatchObject({
      result,
      got,
      expected: 'at most 2 within 5 s',
    });
  },
);

/** D5.no-inquiry, where the error report is answered at 0, after inquiries at these times. */
async function afterReport(times: readonly number[], moves: readonly Move[]) {
  const { ctx, conditions } = singleModule('D5', ['no-inquiry'], {
    exchanges: exchangesOf(inquiriesAt(times)),
    followsSandboxClock: true,
    watch: { creditsSince: undefined, held: new Set(), moves, ends: new Set() },
  });
  await moduleOf('D5')!.late!(ctx, { uuid: 'one', after: 0, crossMs: 2_000 });
  return conditions[0]!.result;
}

test.each([
  [[100, 350], [], 'PASSED'],
  [[100, 350, 600], [], 'FAILED'],
  [[2_100], [], 'FAILED'],
  // The other symbol moves the time by 6 s while the VASP reads the report.
  [[100, 350, 6_900], [{ from: 400, to: 6_400, noticedBy: 8_400 }], 'PASSED'],
  [[7_100], [{ from: 400, to: 6_400, noticedBy: 8_400 }], 'PASSED'],
  [[8_100], [{ from: 400, to: 6_400, noticedBy: 8_400 }], 'FAILED'],
])('D5: inquiries %j after the error report, with moves %j: %s', async (times, moves, result) => {
  expect(await afterReport(times, moves)).toBe(result);
});

const MINUTE_MS = 60_000;

test.each([
  [[], 0],
  [['W3.z'], 50],
  // What the robot pays at the end is expected for an hour, however long the run was.
  [['D19'], 20],
  [['W3.z', 'D19', 'R11'], 20],
])('at the end of a run of 30 minutes with %j the time is moved by %i minutes', (ids, minutes) => {
  const awaiting = ids.map(id => ({ module: moduleOf(id)!, beganAt: MOVED_AT }));
  expect(timersLeftMs(awaiting, MOVED_AT + 30 * MINUTE_MS)).toBe(minutes * MINUTE_MS);
});

test.each([
  // The VASP has had no time to notice it.
  [undefined, 'PASSED', MOVED_AT - 10 * MINUTE_MS],
  [MOVED_AT + 2_000, 'WARNING', MOVED_AT + 3_000],
])('3 s after a move that a VASP has noticed by %o the time before it is %s', (noticedBy, result, time) => {
  const move: Move = { from: MOVED_AT - 10 * MINUTE_MS, to: MOVED_AT, noticedBy };
  const world = { sandboxNow: () => MOVED_AT + 3_000, watch: { moves: [move] } };
  const { ctx, conditions } = singleModule('D1.a', ['milliseconds', 'moment'], world, { severity: 'WARNING' });
  judgeTime(ctx, { value: new Date(move.from).toISOString(), from: [] });
  expect(conditions.map(each => each.result)).toEqual(['PASSED', result]);
  // The prices of the robot are of this time: a VASP may refuse those of the future.
  expect(noticedNow(ctx.world)).toBe(time);
});

test.each([
  // Each move of D14 is as long as the time since then, so those of its starts would grow to more than the hour of D-17.
  [10 * MINUTE_MS, MOVED_AT],
  [6_000, MOVED_AT - 6_000],
])('the timers of a VASP begin after a move of %i ms that it has not noticed at %i', async (ms, begunAt) => {
  const move: Move = { from: MOVED_AT - ms, to: MOVED_AT, noticedBy: undefined };
  const { ctx } = singleModule('D14', [], {
    followsSandboxClock: true,
    waitMs: 60_000,
    sandboxNow: () => MOVED_AT,
    watch: { moves: [move] },
    moveLedgerOn: async () => {},
    nextCommit: async () => {
      move.noticedBy = MOVED_AT - 1;
    },
  });
  expect(await timersBegin(ctx)).toBe(begunAt);
});
