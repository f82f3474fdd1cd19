import { useContext } from 'hono/jsx';
import { Badge, durationText, HttpStatus, Now, TextWithTime } from '../components/values.tsx';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { callText, eventText } from '../texts/of-records.ts';
import { type Folded, folded, idsOf } from './sequence-diagram.tsx';
import { detailOf, type Entry, hasFailed, isCall, statusThatCounted } from './timeline-entry.tsx';

/** Where the time went: a bar for each call and each wait, folded as in the diagram. A bar of a call opens its exchange below. */
export const Waterfall = ({ timeline }: { timeline: readonly Entry[] }) => {
  const { waterfall } = useTexts();
  const shown = new Map(folded(timeline).map(each => [each.index, each]));
  const spans = spansOf(timeline, useContext(Now)).filter(({ index }) => shown.has(index));
  if (spans.length === 0) return null;
  const placeOf = compressed(spans);
  const ids = idsOf(timeline);
  return (
    <section aria-labelledby="waterfall">
      <h2 id="waterfall">{waterfall.title}</h2>
      <ol class="waterfall">
        {spans.map(span => (
          <Row
            of={span}
            folded={shown.get(span.index)!}
            status={span.call === undefined ? undefined : statusThatCounted(timeline, span.call)}
            callId={span.call === undefined ? undefined : ids[span.call]}
            start={placeOf(span.from)}
            end={placeOf(span.to)}
          />
        ))}
      </ol>
      <small>{waterfall.scale}</small>
    </section>
  );
};

interface Row {
  of: Span;
  folded: Folded;
  /** Of a call; null: it got no answer. */
  status: number | null | undefined;
  callId: string | undefined;
  start: number;
  end: number;
}

const Row = ({ of, folded: { times, until }, status, callId, start, end }: Row) => {
  const texts = useTexts();
  const { waterfall, time, diagram } = texts;
  const hasFailed = of.hasFailed || (of.kind === 'vasp-answers' && status !== undefined && status !== 200);
  const bar = <span class={hasFailed ? 'bar bad' : `bar ${of.kind}`} style={`--start:${start};--end:${end}`} />;
  const { fired } = of;
  const duration = durationText(of.to - of.from, time);
  const name = fired ? eventText(fired, texts, useSentences()) : of.name && callText(of.name, texts);
  return (
    <li>
      <span class="what">
        {callId === undefined || name === undefined ? waterfall[of.kind] : <a href={`#${callId}-message`}>{name}</a>}
        {callId !== undefined || name !== undefined ? (
          <small> {callId === undefined ? name : waterfall[of.kind]}</small>
        ) : null}{' '}
        {status === undefined || of.kind === 'connection' ? null : <HttpStatus of={status} />}{' '}
        {times === 1 ? null : (
          <>
            <Badge of={`× ${times}`} />{' '}
            <small>
              <TextWithTime at={until} text={at => fill(diagram.until, { time: at })} />
            </small>
          </>
        )}
      </span>
      <span class="track" aria-hidden="true">
        {bar}
      </span>
      <span class="numeric">{of.isRunning ? fill(waterfall.soFar, { duration }) : duration}</span>
    </li>
  );
};

/** What takes the time: a call, or a wait between two events. */
type SpanKind = 'sandbox-answers' | 'connection' | 'vasp-answers' | 'queue' | 'retry' | 'timer' | 'block' | 'payment';

interface Span {
  kind: SpanKind;
  /** Operation of a call. */
  name?: string | undefined;
  /** Of a timer. */
  fired?: Entry;
  /** Epoch ms. */
  from: number;
  to: number;
  /** Position of its entry in the timeline. */
  index: number;
  /** Of a call: the same. */
  call?: number;
  hasFailed?: boolean;
  /** It has not ended yet. */
  isRunning?: boolean;
}

interface Waited {
  kind: SpanKind;
  begins: `${string}.${string}`;
  ends: readonly `${string}.${string}`[];
}

/** Waits from the first event to the next one of the others. */
export const WAITS: readonly Waited[] = [
  {
    kind: 'payment',
    begins: 'expectation.begin',
    ends: [
      'deposit.begin',
      'expectation.credited',
      'expectation.error-reported',
      'expectation.chain-restarted',
      'expectation.moved',
      'verification.denied',
      'verification.unknown',
      'verification.failed',
      'verification.enclave-failed',
      'verification.enclave-denied',
    ],
  },
  { kind: 'queue', begins: 'transfer.begin', ends: ['transfer.broadcast', 'transfer.cancel'] },
  { kind: 'block', begins: 'transfer.broadcast', ends: ['transfer.mined', 'transfer.cancel'] },
  { kind: 'block', begins: 'transfer.reorged', ends: ['transfer.mined', 'transfer.cancel'] },
  { kind: 'block', begins: 'transfer.mined', ends: ['transfer.final', 'transfer.reorged', 'transfer.cancel'] },
  { kind: 'block', begins: 'deposit.begin', ends: ['deposit.final', 'deposit.reorganised'] },
  { kind: 'block', begins: 'deposit.seen', ends: ['deposit.final', 'deposit.reorganised'] },
];

/** Where the time of a verification went, in the order of its beginnings. `now`: epoch ms by the clock of the timeline. */
export function spansOf(timeline: readonly Entry[], now: number): Span[] {
  const spans = timeline.flatMap((entry, index): Span[] => [
    ...(isCall(entry) ? partsOf(entry, index) : []),
    ...(entry.what === 'timer' && entry.event === 'fired' ? timerOf(timeline, index) : []),
    ...WAITS.filter(({ begins }) => begins === nameOf(entry)).flatMap(({ kind, ends }): Span[] => {
      const later = timeline.slice(index + 1);
      const end = later.find(each => ends.includes(nameOf(each)));
      const from = Date.parse(entry.at);
      if (end) return end.at === entry.at ? [] : [{ kind, index, from, to: Date.parse(end.at) }];
      const isLast = later.every(({ what }) => what !== entry.what);
      return isLast ? [{ kind, index, from, to: Math.max(from, now), isRunning: true }] : [];
    }),
  ]);
  return spans.sort((a, b) => a.from - b.from);
}

const nameOf = ({ what, event }: Entry) => `${what}.${event}` as const;

/** A new connection and what follows it. Without the second the connection was never made. */
function partsOf(entry: Entry, call: number): Span[] {
  const whole = callOf(entry, call);
  const { connectMs } = detailOf(entry);
  if (!connectMs) return [whole];
  const stands = whole.from + connectMs;
  const connection = { ...whole, kind: 'connection' as const, to: stands };
  return stands >= whole.to
    ? [connection]
    : [
        { ...connection, hasFailed: false },
        { ...whole, from: stands },
      ];
}

function callOf(entry: Entry, call: number): Span {
  const { operation, durationMs = 0 } = detailOf(entry);
  const from = Date.parse(entry.at);
  const kind = entry.event === 'called' ? 'vasp-answers' : 'sandbox-answers';
  return { kind, name: operation, from, to: from + durationMs, index: call, call, hasFailed: hasFailed(entry) };
}

/** From the order of the timer. */
function timerOf(timeline: readonly Entry[], index: number): Span[] {
  const fired = timeline[index]!;
  const timer = fired.detail?.kind;
  const ordered = timeline
    .slice(0, index)
    .findLast(({ what, event, detail }) => what === 'timer' && event === 'scheduled' && detail?.kind === timer);
  if (!ordered) return [];
  const to = Date.parse(fired.at);
  const attempt = timeline
    .slice(0, index)
    .findLast(({ what, detail }) => what === 'http' && detail?.operation === 'callback');
  if (timer !== 'enclave.callback.deliver' || !attempt)
    return [{ kind: 'timer', index, fired, from: Date.parse(ordered.at), to }];
  // It was ordered together with the attempt that failed.
  return [{ kind: 'retry', index, fired, from: Math.min(callOf(attempt, 0).to, to), to }];
}

/**
 * Positions from 0 to 100. Longer times take less than their share, so that a call of 5 ms can be seen beside a wait of
 * 10 minutes.
 */
export function compressed(spans: readonly Span[]): (at: number) => number {
  const moments = [...new Set(spans.flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b);
  const places = new Map<number, number>();
  let place = 0;
  moments.forEach((at, index) => {
    place += index === 0 ? 0 : Math.log2(2 + at - moments[index - 1]!);
    places.set(at, place);
  });
  return at => (place === 0 ? 0 : (100 * places.get(at)!) / place);
}
