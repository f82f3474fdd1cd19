import type { Answers } from '../../client/client.ts';
import { tally } from '../../kernel/rate-limit.ts';
import { Sequence, SequenceLine } from '../components/sequence.tsx';
import { Badge, durationText, relative, TextWithTime } from '../components/values.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { timerText } from '../texts/of-records.ts';
import {
  type Entry,
  type EntryContext,
  EntryDetails,
  Headline,
  hasFailed,
  isCall,
  isTimeOut,
  isUnanswered,
} from './timeline-entry.tsx';

type Timeline = Answers['timeline'];
type Lane = Entry['lane'];

const LANES: readonly Lane[] = ['tested-vasp', 'enclave', 'robot', 'chain'];
type LaneNames = Record<Lane, string>;
/** A longer pause is drawn. */
const GAP_MS = 1000;

interface SequenceDiagram {
  timeline: Timeline;
  names: LaneNames;
  /** Epoch ms. */
  now: number;
  /** Without states, timers and rules. */
  onlyMessages: boolean;
  context: EntryContext;
}

/** The timeline as a sequence diagram: time runs down, with one lane for each party. */
export const SequenceDiagram = ({
  timeline: { timeline, pending },
  names,
  now,
  onlyMessages,
  context,
}: SequenceDiagram) => {
  const texts = useTexts();
  const { diagram, time } = texts;
  const lines = drawnLines(timeline, onlyMessages);
  const ids = idsOf(timeline);
  const lanes = LANES.map(lane => names[lane]);
  return (
    <Sequence lanes={lanes} short={LANES.map(lane => diagram[lane])}>
      {lines.map((line, position) => (
        <>
          <Gap ms={gapBefore(lines, position)} />
          <Step id={`${ids[line.index]}-${line.kind}`} of={line} lanes={lanes} context={context} />
        </>
      ))}
      {pending.map(({ kind, dueAt, why, lane }) => (
        <SequenceLine id={`pending-${kind}`} {...{ lanes, ...between(lane, lane) }} at={dueAt} style="note pending">
          <Badge of="PENDING" /> {relative(Date.parse(dueAt) - now, time)}{' '}
          <small>
            <TextWithTime
              at={dueAt}
              text={time => fill(diagram.dueAt, { time, why: timerText({ kind, why }, texts) })}
            />
          </small>
        </SequenceLine>
      ))}
    </Sequence>
  );
};

const between = (from: Lane, to: Lane) => ({ from: LANES.indexOf(from), to: LANES.indexOf(to) });

const gapBefore = (lines: readonly DrawnLine[], position: number): number =>
  position === 0 ? 0 : Date.parse(lines[position]!.entry.at) - Date.parse(lines[position - 1]!.until);

const MAX_OF_CAUSE = 100;

/** Of each entry. They stay the same when others appear, so that open details stay open. */
export function idsOf(timeline: readonly Entry[]): string[] {
  const seen = tally();
  return timeline.map(({ at, what, event, cause }) => {
    const key = `${Date.parse(at)}-${what}-${event}-${cause.slice(0, MAX_OF_CAUSE)}`;
    const before = seen.of(key);
    seen.add(key, 1);
    return `step-${key.replace(/[^\w-]+/g, '_')}-${before}`;
  });
}

const Gap = ({ ms }: { ms: number }) =>
  ms < GAP_MS ? null : (
    <li class="gap">
      <span>{fill(useTexts().diagram.later, { duration: durationText(ms, useTexts().time) })}</span>
    </li>
  );

interface Step {
  id: string;
  of: DrawnLine;
  lanes: readonly string[];
  context: EntryContext;
}

const Step = ({ id, of: { entry, kind, from, to, times, until }, lanes, context }: Step) => {
  const { diagram } = useTexts();
  const isPlain = kind === 'question' || kind === 'missing';
  const style = [
    kind === 'note' ? 'note' : 'message',
    kind === 'missing' && 'missing',
    !isPlain && hasFailed(entry) && 'failed',
    entry.what === 'timer' && 'aside',
  ];
  return (
    <SequenceLine
      id={id}
      {...{ lanes, ...between(from, to) }}
      at={entry.at}
      style={style.filter(Boolean).join(' ')}
      details={!isPlain && entry.detail && <EntryDetails of={entry} id={id} context={context} />}
    >
      {kind === 'question' ? (
        <strong>{diagram.asks}</strong>
      ) : kind === 'missing' ? (
        <strong>✕ {diagram.noAnswer}</strong>
      ) : (
        <Headline of={entry} />
      )}
      {times > 1 ? (
        <>
          {' '}
          <Badge of={`× ${times}`} />{' '}
          <small>
            <TextWithTime at={until} text={time => fill(diagram.until, { time })} />
          </small>
        </>
      ) : null}
    </SequenceLine>
  );
};

interface DrawnLine {
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
function drawnLines(timeline: readonly Entry[], onlyMessages: boolean): DrawnLine[] {
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

export interface Folded {
  index: number;
  times: number;
  until: string;
}

/** A cycle that repeats itself, such as a timer with its inquiry, stands once with its number. */
export function folded(timeline: readonly Entry[]): Folded[] {
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

/** What is another in each call of a cycle. */
const OWN = ['durationMs', 'connectMs', 'exchangeId', 'dueAt', 'headers', 'responseHeaders'];

/** Entries with the same signature differ only in their time. */
const signatureOf = ({ what, event, from, to, cause, lane, between, detail }: Entry): string =>
  JSON.stringify([
    ...[what, event, from, to, cause, lane, between],
    Object.entries(detail ?? {}).filter(([member]) => !OWN.includes(member)),
  ]);
