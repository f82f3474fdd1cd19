import { useContext } from 'hono/jsx';
import { durationText, Now } from '../components/time.tsx';
import { fill, useSentences, useTexts } from '../texts/languages.ts';
import { eventText } from '../texts/of-records.ts';
import { idOf } from './sequence-diagram.tsx';
import { compressed, type Span, spansOf } from './spans.ts';
import type { Entry } from './timeline-entry.tsx';

/** Where the time went: a bar for each call and each wait. A bar of a call opens its exchange below. */
export const Waterfall = ({ timeline }: { timeline: readonly Entry[] }) => {
  const { waterfall } = useTexts();
  const spans = spansOf(timeline, useContext(Now));
  if (spans.length === 0) return null;
  const placeOf = compressed(spans);
  return (
    <section aria-labelledby="waterfall">
      <h2 id="waterfall">{waterfall.title}</h2>
      <ol class="waterfall">
        {spans.map(span => (
          <Row of={span} timeline={timeline} start={placeOf(span.from)} end={placeOf(span.to)} />
        ))}
      </ol>
      <small>{waterfall.scale}</small>
    </section>
  );
};

const Row = ({
  of,
  timeline,
  start,
  end,
}: {
  of: Span;
  timeline: readonly Entry[];
  start: number;
  end: number;
}) => {
  const texts = useTexts();
  const { waterfall, time } = texts;
  const bar = (
    <span class={of.hasFailed ? 'bar bad' : `bar ${of.kind}`} style={`--start:${start};--end:${end}`} />
  );
  const { call, fired } = of;
  const duration = durationText(of.to - of.from, time);
  const name = fired ? eventText(fired, texts, useSentences()) : of.name;
  return (
    <li>
      <span class="what">
        {call === undefined || name === undefined ? (
          waterfall[of.kind]
        ) : (
          <a href={`#${idOf(timeline, call)}-message`}>{name}</a>
        )}
        {call !== undefined || name !== undefined ? (
          <small> {call === undefined ? name : waterfall[of.kind]}</small>
        ) : null}
      </span>
      <span class="track" aria-hidden="true">
        {bar}
      </span>
      <span class="numeric">{of.isRunning ? fill(waterfall.soFar, { duration }) : duration}</span>
    </li>
  );
};
