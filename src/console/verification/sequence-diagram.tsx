import type { Child } from 'hono/jsx';
import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { durationText, relative } from '../components/time.tsx';
import { type Entry, EntryDetails, Headline, hasFailed } from './timeline-entry.tsx';

type Timeline = SandboxAnswers['timeline'];
type Lane = Entry['lane'];

const LANES: readonly Lane[] = ['tested-vasp', 'enclave', 'robot', 'chain'];
export type LaneNames = Record<Lane, string>;
/** For the narrow lanes of a phone. */
const SHORT: Record<Lane, string> = { 'tested-vasp': 'You', enclave: 'Encl', robot: 'Rob', chain: 'Chn' };
/** A longer pause is drawn. */
const GAP_MS = 1000;

interface SequenceDiagram {
  timeline: Timeline;
  names: LaneNames;
  /** Epoch ms. */
  now: number;
  /** Symbol of the chain. */
  symbol: string;
}

/** The timeline as a sequence diagram: time runs down, with one lane for each party. */
export const SequenceDiagram = ({ timeline: { timeline, pending }, names, now, symbol }: SequenceDiagram) => (
  <div class="sequence">
    <div class="lanes" aria-hidden="true">
      {LANES.map(lane => (
        <span>
          <span class="long">{names[lane]}</span>
          <span class="short">{SHORT[lane]}</span>
        </span>
      ))}
    </div>
    <ol>
      {timeline.map((entry, index) => (
        <>
          <Gap ms={index === 0 ? 0 : Date.parse(entry.at) - Date.parse(timeline[index - 1]!.at)} />
          <Step id={idOf(timeline, index)} of={entry} names={names} symbol={symbol} />
        </>
      ))}
      {pending.map(({ kind, dueAt, why, lane }) => (
        <Line id={`pending-${kind}`} on={lane} to={lane} names={names} at={dueAt} style="note pending">
          <Badge of="PENDING" /> {why} <small>{relative(Date.parse(dueAt) - now)}</small>
        </Line>
      ))}
    </ol>
  </div>
);

/** Stays the same when earlier entries appear, so that open details stay open. */
function idOf(timeline: readonly Entry[], index: number): string {
  const keyOf = ({ at, what, event, cause }: Entry) => `${Date.parse(at)}-${what}-${event}-${cause}`;
  const key = keyOf(timeline[index]!);
  const before = timeline.slice(0, index).filter(entry => keyOf(entry) === key).length;
  return `step-${key.replace(/[^\w-]+/g, '_')}-${before}`;
}

const Gap = ({ ms }: { ms: number }) =>
  ms < GAP_MS ? null : (
    <li class="gap">
      <span>{durationText(ms)} later</span>
    </li>
  );

const Step = ({ id, of, names, symbol }: { id: string; of: Entry; names: LaneNames; symbol: string }) => {
  const { lane, between } = of;
  const { from, to } = between ?? { from: lane, to: lane };
  return (
    <Line
      id={id}
      on={from}
      to={to}
      names={names}
      at={of.at}
      style={`${from === to ? 'note' : 'message'} ${hasFailed(of) ? 'failed' : ''} ${of.what === 'timer' ? 'aside' : ''}`}
      details={of.detail && <EntryDetails of={of} symbol={symbol} />}
    >
      <Headline of={of} />
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
      <time datetime={at} title={at}>
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
