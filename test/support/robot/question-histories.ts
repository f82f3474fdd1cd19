import fc from 'fast-check';
import { expect } from 'vitest';
import type { TransactionLookup } from '../../../src/chains/port.ts';
import { write } from '../../../src/db/transaction.ts';
import { nameTransaction } from '../../../src/robot/deposit/inquire.ts';
import { orderInquiry, orderLookUp } from '../../../src/robot/expectation/schedule.ts';
import { expectingRobot, INQUIRY } from './expecting-robot.ts';

const MINUTE_MS = 60_000;
const HASH = `0x${'ab'.repeat(32)}`;
const VASP = 'a';
const STEPS_OF_A_HISTORY = 40;

type Act =
  | { act: 'payment' | 'block' }
  | { act: 'wait'; minutes: number }
  | { act: 'status'; status: 'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED' }
  | { act: 'found'; state: 'unknown' | 'pending' };

const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Act>({ act: 'payment' }) },
  { weight: 4, arbitrary: fc.nat(12).map(minutes => ({ act: 'wait', minutes }) as const) },
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('PENDING', 'PENDING', 'PENDING', 'PROCESSING', 'CONFIRMED', 'CANCELED')
      .map(status => ({ act: 'status', status }) as const),
  },
  { weight: 2, arbitrary: fc.constant<Act>({ act: 'block' }) },
  { weight: 2, arbitrary: fc.constantFrom('unknown', 'pending').map(state => ({ act: 'found', state }) as const) },
);

/** What was asked and not answered yet. */
class Open<T> {
  #answer: ((answer: T) => void) | undefined;
  readonly ask = (): Promise<T> =>
    new Promise(resolve => {
      this.#answer = resolve;
    });
  get isOpen(): boolean {
    return this.#answer !== undefined;
  }
  answer(value: T): void {
    this.#answer?.(value);
    this.#answer = undefined;
  }
}

/**
 * Random histories of the two timers of an expectation. The model: `dueBy` is the latest time of the next status query,
 * `until` the end of the window. Every payment, wait, block and answer comes in any order, answers after a time, too.
 */
export async function playQuestions(steps: number, seed?: number): Promise<void> {
  const query = new Open<'PENDING' | 'PROCESSING' | 'CONFIRMED' | 'CANCELED'>();
  const lookUp = new Open<TransactionLookup>();
  const robot = expectingRobot({ status: query.ask, lookup: lookUp.ask });
  const { db, deps, machine, timers } = robot;
  const settled = async () => {
    for (let turns = 0; turns < 3; turns++) await new Promise(setImmediate);
  };
  const asks = () => robot.timer('robot.deposit.inquire', 'asked');
  const looks = () => robot.timer('robot.report.look-up', 'named');

  const play = async (acts: readonly Act[]) => {
    robot.open('asked', VASP, '1');
    robot.open('named', 'b', '2');
    write(db, tx => {
      deps.timers.cancel(tx, 'robot.deposit.inquire', 'named');
      const report = { txHash: HASH, vout: null, txHashSource: 'report' } as const;
      nameTransaction(deps, tx, robot.find('named'), report);
    });
    let until = machine.at + INQUIRY.waitMs + INQUIRY.windowMs;
    let isUnpaid = true;
    let askedUntil = until;
    /** A block came since the look-up began. */
    let isOverdue = false;
    await settled();
    for (const each of acts) {
      const before = asks()?.dueAt ?? Number.POSITIVE_INFINITY;
      const wasAsked = query.isOpen;
      if (each.act === 'payment' && robot.find('asked').lastInquiry !== 'CANCELED') {
        write(db, tx => orderInquiry(deps, tx, robot.find('asked')));
        until = machine.at + INQUIRY.waitMs + INQUIRY.windowMs;
        if (!isUnpaid) expect(asks()!.dueAt).toBeLessThanOrEqual(before);
        expect(asks()!.dueAt).toBeLessThanOrEqual(machine.at + INQUIRY.waitMs);
        isUnpaid = false;
      }
      if (each.act === 'block') {
        write(db, tx => orderLookUp(deps, tx, robot.find('named')));
        isOverdue = lookUp.isOpen;
      }
      if (each.act === 'wait')
        machine.at = Math.max(
          machine.at,
          Math.min(machine.at + each.minutes * MINUTE_MS, wasAsked ? Infinity : before),
        );
      void timers.runDue(VASP);
      void timers.runDue('b');
      await settled();
      if (query.isOpen && !wasAsked) {
        askedUntil = until;
        isUnpaid = false;
      }
      if (each.act === 'status' && query.isOpen) {
        query.answer(each.status);
        await settled();
        const isLast = each.status === 'CANCELED' || (each.status === 'CONFIRMED' && until === askedUntil);
        if (isLast) until = machine.at;
        if (query.isOpen) askedUntil = until;
        else if (isLast) expect(asks()).toBeUndefined();
        else if (machine.at + INQUIRY.intervalMs <= until) {
          expect(asks()!.dueAt).toBeGreaterThan(machine.at);
          expect(asks()!.dueAt).toBeLessThanOrEqual(machine.at + INQUIRY.intervalMs);
        }
      }
      if (each.act === 'found' && lookUp.isOpen) {
        lookUp.answer({ state: { status: each.state }, transfers: [] });
        await settled();
        expect(lookUp.isOpen).toBe(isOverdue);
        isOverdue = false;
      }
      if (!query.isOpen && asks() === undefined) expect(until - machine.at).toBeLessThan(INQUIRY.intervalMs);
      if (!lookUp.isOpen) expect(looks()!.dueAt).toBeGreaterThan(machine.at);
    }
  };
  /** Also after a failure nothing of it is left for the next one. */
  const history = async (acts: readonly Act[]) => {
    try {
      await play(acts);
    } finally {
      robot.clear();
      while (query.isOpen || lookUp.isOpen) {
        query.answer('CANCELED');
        lookUp.answer({ state: { status: 'unknown' }, transfers: [] });
        await settled();
      }
    }
  };
  const acts = fc.array(act, { minLength: STEPS_OF_A_HISTORY, maxLength: STEPS_OF_A_HISTORY });
  const numRuns = Math.ceil(steps / STEPS_OF_A_HISTORY);
  try {
    await fc.assert(fc.asyncProperty(acts, history), { numRuns, ...(seed === undefined ? {} : { seed }) });
  } finally {
    await robot.close();
  }
}
