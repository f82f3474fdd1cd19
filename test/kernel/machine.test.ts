import { describe, expect, test } from 'vitest';
import { callbackMachine } from '../../src/enclave/callbacks/machine.ts';
import { verificationMachine } from '../../src/enclave/verification/machine.ts';
import { type Machine, machine } from '../../src/kernel/machine.ts';
import { depositMachine } from '../../src/robot/deposit/machine.ts';
import { expectationMachine } from '../../src/robot/expectation/machine.ts';
import { transferMachine } from '../../src/robot/transfer/machine.ts';

const door = machine('door', 'SHUT', { SHUT: { open: 'OPEN', lock: 'LOCKED' }, OPEN: { shut: 'SHUT' }, LOCKED: {} });

describe('a lifecycle as data', () => {
  test('an arrow leads where the table says, and nowhere else', () => {
    expect(door.next('SHUT', 'open')).toBe('OPEN');
    expect(door.next('OPEN', 'shut')).toBe('SHUT');
    expect(door.next('OPEN', 'lock')).toBeUndefined();
    expect(door.next('LOCKED', 'open')).toBeUndefined();
  });

  test('what every object inherits is no arrow and no state', () => {
    for (const inherited of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
      expect(door.next('SHUT', inherited as 'open')).toBeUndefined();
      expect(door.next(inherited as 'SHUT', 'open')).toBeUndefined();
    }
  });

  test('a state without arrows is final', () => {
    expect(finalOf(door)).toEqual(['LOCKED']);
  });

  test('names that the table does not know do not compile', () => {
    // @ts-expect-error no such event
    door.next('SHUT', 'burn');
    // @ts-expect-error no such state
    door.next('AJAR', 'open');
    // @ts-expect-error an arrow into a state that is not there
    machine('m', 'A', { A: { go: 'B' } });
    // @ts-expect-error no such initial state
    machine('m', 'Z', { A: {} });
    expect(door.initial).toBe('SHUT');
  });
});

const finalOf = <S extends string>({ states, arrows }: Pick<Machine<S, string>, 'arrows' | 'states'>): S[] =>
  states.filter(state => Object.keys(arrows[state]).length === 0);

/** Walks every path, so that a state nobody can reach, or a typing slip in a table, is found. */
function reachable(of: { initial: string; states: readonly string[]; next(from: never, event: never): unknown }) {
  const seen = new Set<string>([of.initial]);
  const queue = [of.initial];
  for (let from = queue.pop(); from !== undefined; from = queue.pop())
    for (const to of arrowsOf(of, from)) if (!seen.has(to) && queue.push(to)) seen.add(to);
  return seen;
}

const EVENTS = [
  'verified',
  'denied',
  'unknown',
  'failed',
  'error-reported',
  'delivered',
  'gave-up',
  'lost',
  'no-endpoint',
  'replay',
  'final',
  'reorganised',
  'seen',
  'credited',
  'nobody-expects-it',
  'is-expected',
  'unexplained',
];
const arrowsOf = (of: { next(from: never, event: never): unknown }, from: string): string[] =>
  EVENTS.map(event => of.next(from as never, event as never)).filter(to => typeof to === 'string');

describe.each(
  [verificationMachine, callbackMachine, depositMachine, expectationMachine].map(of => [of.name, of] as const),
)('the machine %s', (_, of) => {
  test('reaches every one of its states', () => {
    expect([...reachable(of)].sort()).toEqual([...of.states].sort());
  });
});

test('REF-2.3, D-15: final stays final', () => {
  expect(finalOf(verificationMachine)).toEqual(['DENIED', 'UNKNOWN', 'ERROR']);
  // A reorganisation takes a credit back, and removes a payment.
  expect(finalOf(transferMachine)).toEqual([]);
  expect(finalOf(depositMachine)).toEqual([]);
  expect(finalOf(expectationMachine)).toEqual(['STOPPED']);
  expect(finalOf(callbackMachine)).toEqual([]);
});
