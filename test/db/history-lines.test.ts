import { describe, expect, it } from 'vitest';
import { HISTORY_MACHINES, type HistoryLine } from '../../src/db/history-lines.ts';
import { packedPhrase, unpack } from '../../src/db/packed-text.ts';
import { history } from '../../src/db/schema/runtime.ts';

const column = history.lines;
const store = (lines: HistoryLine[]) => column.mapToDriverValue(lines) as string;
const read = (stored: string) => column.mapFromDriverValue(stored);

const HARD = 'a "],["cause" \\ \u0001\u001d\n한국어 😀';
const LINES: HistoryLine[] = [
  ['verification', null, null, null, 'begin', 'OPEN', 1, 'user verification requested', null],
  ['timer', 'robot.deposit.inquire', '7', null, 'scheduled', null, 1, HARD, { dueAt: '2026-01-01' }],
  ['timer', 'enclave.verification.ask', '7', null, 'scheduled', null, 2, HARD, { dueAt: '2026-01-01' }],
  ['timer', 'robot.deposit.inquire', null, null, 'scheduled', null, 2, HARD, null],
  ['callback', '1', '7', 'PENDING', 'delivered', 'DELIVERED', 2, 'answered with 200', { status: 200 }],
  ['callback', '2', '7', 'PENDING', 'delivered', 'DELIVERED', 1, 'answered with 200', { status: 200 }],
  ['callback', '2', '8', 'PENDING', 'delivered', 'DELIVERED', 1, HARD, HARD],
  ['verification', null, '7', 'OPEN', 'verified', 'VERIFIED', 3, HARD, [null, HARD]],
  ['transfer', HARD, HARD, HARD, HARD, HARD, 3, HARD, { [HARD]: HARD }],
];

describe('lines of the history', () => {
  it('are read as they were stored', () => {
    for (const lines of [[], LINES, [...LINES].reverse(), LINES]) expect(read(store(lines))).toEqual(lines);
    for (const line of LINES) expect(read(store([line]))).toEqual([line]);
  });

  it('are read as they were stored when more lines differ than are kept', () => {
    const events = Array.from({ length: 2_500 }, (_, i) => `event-${i % 1_250}`);
    const lines = events.map(
      (event, i): HistoryLine => ['callback', `${i}`, `${i % 2}`, 'A', event, 'B', i + 1, 'why', null],
    );
    expect(read(store(lines))).toEqual(lines);
  });

  it('keep apart what differs in one member', () => {
    const line: readonly unknown[] = ['callback', '1', '7', 'A', 'event', 'B', 1, 'why', null];
    const others = [null, 'C'].flatMap(other => [1, 2, 3, 5].map(place => line.with(place, other)));
    const timers = others.map(other => other.with(0, 'timer'));
    const lines = [line, ...others, ...timers] as HistoryLine[];
    for (const all of [lines, lines]) expect(read(store(all))).toEqual(all);
  });

  it('hold the steps of the judge, however often and long they are', () => {
    for (const length of [1, 50, 5_000]) {
      const steps = Array.from({ length }, (_, i) => ({ rule: `rule ${i}`, outcome: 'passed' }));
      const line: HistoryLine = ['judge', null, null, null, 'judged', 'VERIFIED', 1, 'OK', { steps }];
      expect([store([line]), store([line])].map(read)).toEqual([[line], [line]]);
    }
  });

  it('are JSON, and hold a time once', () => {
    const times = (JSON.parse(unpack(store(LINES))) as HistoryLine[]).map(line => line[6]);
    expect(times).toEqual([1, 0, 2, 0, 0, 1, 0, 3, 0]);
  });

  it('show the machine of each line to a query', () => {
    for (const machine of HISTORY_MACHINES) {
      const stored = store([LINES[0]!, [machine, HARD, null, null, 'begin', null, 1, HARD, null]]);
      expect(stored.split(packedPhrase(`["${machine}",`))).toHaveLength(machine === 'verification' ? 3 : 2);
    }
  });

  it('are half as long at most', () => {
    const lines = [LINES[0]!, LINES[4]!];
    expect(store(lines).length).toBeLessThan(JSON.stringify(lines).length / 2);
  });
});
