import { type Entry, isCall, isTimeOut, isUnanswered } from './timeline-entry.tsx';

type Lane = Entry['lane'];

export interface DrawnLine {
  entry: Entry;
  /** Position of the entry in the timeline. */
  index: number;
  kind: 'message' | 'note' | 'question' | 'missing';
  from: Lane;
  to: Lane;
  /** Equal lines that are folded into this one. */
  times: number;
  /** Time of the last of them. */
  until: string;
}

const LONGEST_CYCLE = 6;
const LATE_MS = 1000;

/** The lines of the diagram: questions and missing answers are drawn, and equal cycles are folded. */
export function drawnLines(timeline: readonly Entry[], onlyMessages: boolean): DrawnLine[] {
  const lines = folded(timeline).flatMap(({ index, times, until }) =>
    linesOf(timeline, index).map(line => ({ ...line, times, until })),
  );
  return onlyMessages ? lines.filter(({ kind }) => kind !== 'note') : lines;
}

function linesOf(timeline: readonly Entry[], index: number): Omit<DrawnLine, 'times' | 'until'>[] {
  const entry = timeline[index]!;
  const { lane, between, what } = entry;
  const { from, to } = between ?? { from: lane, to: lane };
  const at = { entry, index };
  if (what === 'judge') {
    const question = { ...at, kind: 'question' as const, from: to, to: from };
    return answerCame(timeline, index)
      ? [question, { ...at, kind: 'message', from, to }]
      : [question, { ...at, kind: 'note', from, to: from }];
  }
  if (isTimeOut(entry) && judgedBefore(timeline, index))
    return [
      { ...at, kind: 'missing', from: 'robot', to: 'enclave' },
      { ...at, kind: 'note', from, to },
    ];
  if (isCall(entry) && isUnanswered(entry))
    return [
      { ...at, kind: 'message', from, to },
      { ...at, kind: 'missing', from: to, to: from },
    ];
  return [{ ...at, kind: from === to ? 'note' : 'message', from, to }];
}

const judgedBefore = (timeline: readonly Entry[], index: number): boolean =>
  timeline.slice(0, index).some(({ what }) => what === 'judge');

/** True: the answer of the robot reached the enclave, which then completed the verification. */
function answerCame(timeline: readonly Entry[], index: number): boolean {
  const judged = timeline[index]!;
  const end = timeline.slice(index).find(({ what, event }) => what === 'verification' && END_EVENTS.includes(event));
  return end !== undefined && !isTimeOut(end) && Date.parse(end.at) - Date.parse(judged.at) < LATE_MS;
}
const END_EVENTS = ['verified', 'denied', 'unknown', 'failed'];

interface Folded {
  index: number;
  times: number;
  until: string;
}

/** A cycle that repeats itself, such as a timer with its inquiry, stands once with its number. */
function folded(timeline: readonly Entry[]): Folded[] {
  const signatures = timeline.map(signatureOf);
  const found: Folded[] = [];
  for (let index = 0; index < timeline.length; ) {
    const { length, times } = cycleAt(signatures, index);
    for (let offset = 0; offset < length; offset++)
      found.push({ index: index + offset, times, until: timeline[index + offset + (times - 1) * length]!.at });
    index += length * times;
  }
  return found;
}

function cycleAt(signatures: readonly string[], start: number): { length: number; times: number } {
  let best = { length: 1, times: 1 };
  for (let length = 1; length <= LONGEST_CYCLE; length++) {
    const isSame = (offset: number) =>
      signatures[start + offset] !== undefined && signatures[start + offset] === signatures[start + (offset % length)];
    let offset = length;
    while (isSame(offset)) offset++;
    const times = Math.floor(offset / length);
    if (times > 1 && times * length > best.times * best.length) best = { length, times };
  }
  return best;
}

/** Entries with the same signature differ only in their time. */
function signatureOf({ what, event, from, to, cause, lane, between, detail }: Entry): string {
  const {
    durationMs: _,
    connectMs: ______,
    exchangeId: __,
    dueAt: ___,
    headers: ____,
    responseHeaders: _____,
    ...same
  } = (detail ?? {}) as Record<string, unknown>;
  return JSON.stringify([what, event, from, to, cause, lane, between, same]);
}
