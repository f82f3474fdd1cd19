import type { Child } from 'hono/jsx';
import type { Answers } from '../../client/client.ts';
import { tally } from '../../kernel/rate-limit.ts';
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
  return (
    <div class="sequence">
      <div class="lanes" aria-hidden="true">
        {LANES.map(lane => (
          <span>
            <span class="long">{names[lane]}</span>
            {/* For the narrow lanes of a phone. */}
            <span class="short">{diagram[lane]}</span>
          </span>
        ))}
      </div>
      <ol>
        {lines.map((line, position) => (
          <>
            <Gap ms={gapBefore(lines, position)} />
            <Step id={`${ids[line.index]}-${line.kind}`} of={line} names={names} context={context} />
          </>
        ))}
        {pending.map(({ kind, dueAt, why, lane }) => (
          <Line id={`pending-${kind}`} on={lane} to={lane} names={names} at={dueAt} style="note pending">
            <Badge of="PENDING" /> {relative(Date.parse(dueAt) - now, time)}{' '}
            <small>
              <TextWithTime
                at={dueAt}
                text={time => fill(diagram.dueAt, { time, why: timerText({ kind, why }, texts) })}
              />
            </small>
          </Line>
        ))}
      </ol>
    </div>
  );
};

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
  names: LaneNames;
  context: EntryContext;
}

const Step = ({ id, of: { entry, kind, from, to, times, until }, names, context }: Step) => {
  const { diagram } = useTexts();
  const isPlain = kind === 'question' || kind === 'missing';
  return (
    <Line
      id={id}
      on={from}
      to={to}
      names={names}
      at={entry.at}
      style={`${kind === 'note' ? 'note' : 'message'} ${kind === 'missing' ? 'missing' : ''} ${!isPlain && hasFailed(entry) ? 'failed' : ''} ${entry.what === 'timer' ? 'aside' : ''}`}
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
          <Badge of={`× ${times}`} tone="plain" />{' '}
          <small>
            <TextWithTime at={until} text={time => fill(diagram.until, { time })} />
          </small>
        </>
      ) : null}
    </Line>
  );
};

interface Line {
  id: string;
  on: Lane;
  to: Lane;
  names: LaneNames;
  at: string;
  style: string;
  details?: Child;
  children?: Child;
}

function Line({ id, on, to, names, at, style: lineStyle, details, children }: Line) {
  const [from, until] = [LANES.indexOf(on), LANES.indexOf(to)];
  const direction = from < until ? 'right' : from > until ? 'left' : '';
  const span = { first: Math.min(from, until), lanes: Math.abs(from - until) + 1 };
  const line = (
    <>
      <time datetime={at} title={`${at} (UTC)`} data-utc="clock">
        {at.slice(11, -1)}
      </time>
      <span class="drawn" aria-hidden="true" />
      <span class="text">
        <span class="parties">{direction === '' ? names[on] : `${names[on]} → ${names[to]}`}</span> {children}
      </span>
    </>
  );
  const style = `--first:${span.first};--lanes:${span.lanes}`;
  return (
    <li class={`${lineStyle} ${direction}`}>
      {details ? (
        <details id={id}>
          <summary class="line" style={style}>
            {line}
          </summary>
          <div class="opened">{details}</div>
        </details>
      ) : (
        <div id={id} class="line" style={style}>
          {line}
        </div>
      )}
    </li>
  );
}

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
