import type { Answers } from '../../client/client.ts';
import { useTexts } from '../texts/languages.ts';
import { Grid, Picture } from './picture.tsx';
import { compact, linear, niceCeiling, rounded } from './time-axis.tsx';

type Hours = Answers['statistics']['hours'];
type Result = keyof Hours[number]['results'];

const HEIGHT = 170;
/** In % of the width, so that a phone shows the whole day. */
const LEFT = 7;
const BASE = HEIGHT - 22;
const ORDER: readonly Result[] = ['VERIFIED', 'DENIED', 'UNKNOWN', 'ERROR', 'OPEN'];
const hourOf = (at: string): string => at.slice(11, 13);
const sumOf = ({ results }: Hours[number]): number => ORDER.reduce((sum, result) => sum + results[result], 0);

/** One column for each hour, stacked by result. */
export const ResultsByHour = ({ hours }: { hours: Hours }) => {
  const texts = useTexts().pictures;
  const top = niceCeiling(Math.max(...hours.map(sumOf)));
  const y = linear([0, top], [BASE, 14]);
  const step = (100 - LEFT) / hours.length;
  return (
    <Picture
      id="results-by-hour"
      title={texts.results}
      height={HEIGHT}
      legend={ORDER.filter(result => hours.some(({ results }) => results[result] > 0)).map(result => [
        `area ${result.toLowerCase()}`,
        result,
      ])}
      heads={[texts.hour, ...ORDER]}
      rows={hours
        .filter(hour => sumOf(hour) > 0)
        .map(hour => [hour.at.slice(0, 13).replace('T', ' '), ...ORDER.map(result => hour.results[result])])}
    >
      <Grid values={[0, top / 2, top]} y={y} left={LEFT} label={compact} />
      {hours.map((hour, index) => (
        <>
          <Column hour={hour} x={rounded(LEFT + index * step)} width={rounded(step * 0.8)} y={y} />
          {index % 3 === 0 ? (
            <text x={`${rounded(LEFT + (index + 0.4) * step)}%`} y={HEIGHT - 6} class="tick middle">
              {hourOf(hour.at)}
            </text>
          ) : null}
        </>
      ))}
    </Picture>
  );
};

interface Column {
  hour: Hours[number];
  /** In %. */
  x: number;
  width: number;
  y(value: number): number;
}

function Column({ hour, x, width, y }: Column) {
  let below = 0;
  return (
    <>
      {ORDER.filter(result => hour.results[result] > 0).map(result => {
        const count = hour.results[result];
        const rect = (
          <rect
            x={`${x}%`}
            width={`${width}%`}
            y={y(below + count)}
            height={rounded(y(below) - y(below + count))}
            class={`area ${result.toLowerCase()}`}
          >
            <title>{`${hourOf(hour.at)}:00 ${result}: ${count}`}</title>
          </rect>
        );
        below += count;
        return rect;
      })}
    </>
  );
}
