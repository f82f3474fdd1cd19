import type { Answers } from '../../client/client.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { Picture } from './picture.tsx';
import { compact, linear, rounded } from './time-axis.tsx';

type Latencies = Answers['statistics']['latencies'];

const ROW = 60;
/** Of the words above the bars. */
const HEAD = 20;
/** Upper ends of the bars. The last bar has none. */
const ENDS = ['10 ms', '25', '50', '100', '250', '500', '1 s', '2.5 s', '5 s'];
const ms = (value: number | null): string | number => value ?? '–';

/** For each endpoint a histogram of its answers, with p50 and p95. */
export const LatencyPicture = ({ latencies }: { latencies: Latencies }) => {
  const { pictures: texts, overview } = useTexts();
  const labels = [...ENDS, texts.more];
  const height = latencies.length * ROW + 20;
  /** Places are in % of the width, so that a phone shows all bars. */
  const step = 100 / labels.length;
  return (
    <Picture
      id="latencies"
      title={overview.latencies}
      height={height}
      heads={[
        texts.endpoint,
        texts.calls,
        texts.unanswered,
        fill(texts.inMs, { quantile: 'p50' }),
        fill(texts.inMs, { quantile: 'p95' }),
        ...labels,
      ]}
      rows={latencies.map(each => [
        each.operation,
        each.count,
        each.unanswered,
        ms(each.p50),
        ms(each.p95),
        ...each.histogram,
      ])}
    >
      {latencies.map((each, row) => (
        <>
          <text x={0} y={row * ROW + 14} class="label">
            {each.operation}
          </text>
          <Histogram of={each.histogram} labels={labels} top={row * ROW} step={step} />
          <text x="100%" y={row * ROW + 14} class={each.unanswered > 0 ? 'tick end loud' : 'tick end'}>
            {`p50 ${ms(each.p50)} · p95 ${ms(each.p95)} ms · `}
            {fill(texts.callCounts, { calls: compact(each.count), unanswered: compact(each.unanswered) })}
          </text>
        </>
      ))}
      {labels.map((label, index) => (
        <text x={`${rounded((index + 0.5) * step)}%`} y={height - 6} class="tick middle">
          {label}
        </text>
      ))}
    </Picture>
  );
};

interface Histogram {
  of: readonly number[];
  labels: readonly string[];
  top: number;
  step: number;
}

const Histogram = ({ of, labels, top, step }: Histogram) => {
  const height = linear([0, Math.max(1, ...of)], [0, ROW - HEAD - 8]);
  return (
    <>
      <line x1={0} x2="100%" y1={top + ROW - 6} y2={top + ROW - 6} class="grid" />
      {of.map((count, index) =>
        count === 0 ? null : (
          <rect
            x={`${rounded(index * step + step * 0.05)}%`}
            width={`${rounded(step * 0.9)}%`}
            y={rounded(top + ROW - 6 - height(count))}
            height={height(count)}
            class="area plain"
          >
            <title>{`${labels[index]}: ${count}`}</title>
          </rect>
        ),
      )}
    </>
  );
};
