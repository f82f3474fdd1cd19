import type { Child } from 'hono/jsx';
import type { Answers } from '../../client/answers.ts';
import { tally } from '../../kernel/tally.ts';
import { Badge, durationText, relative, TextWithTime } from '../components/values.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { timerText } from '../texts/of-records.ts';
import { type DrawnLine, drawnLines } from './drawn-lines.ts';
import { type Entry, type EntryContext, EntryDetails, Headline, hasFailed } from './timeline-entry.tsx';

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
