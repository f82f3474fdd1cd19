import type { Answers, RunReport } from '../../client/client.ts';
import { DataTable } from '../components/table.tsx';
import { Badge, moment } from '../components/values.tsx';
import { useTexts } from '../texts/languages.ts';
import { nameOf } from './modules.tsx';

type Summary = Answers['runs']['runs'][number];

/** Other runs of as much of the plan, the newest first. */
export const earlierRuns = (runs: readonly Summary[], { id, plan, modules }: RunReport): Summary[] =>
  runs
    .filter(run => run.id !== id && run.endedAt !== null)
    .filter(run => run.plan === plan && run.modules.all === modules.length)
    .slice(0, 10);

interface Changed {
  name: string;
  before: string;
  now: string;
}

interface Comparison {
  report: RunReport;
  other: RunReport | undefined;
  earlier: readonly Summary[];
}

/** The conditions that are better or worse than in another run. */
export const Comparison = ({ report, other, earlier }: Comparison) => {
  const { check } = useTexts();
  if (earlier.length === 0) return null;
  return (
    <>
      <h2>{check.comparison}</h2>
      <p>
        {check.with}{' '}
        {earlier.map(({ id, plan, startedAt, result }, position) => (
          <>
            {position > 0 ? ' · ' : ''}
            <a href={`/console/checks/${report.id}?with=${id}`}>
              {plan}, {moment(startedAt)}, {result}
            </a>
          </>
        ))}
      </p>
      {other ? (
        <DataTable
          caption={check.changed}
          rows={changesOf(other, report)}
          empty={check.noChange}
          idOf={({ name }) => `changed-${name.replace(/\W+/g, '-')}`}
          columns={[
            { head: check.condition, cell: ({ name }) => name },
            { head: check.change, cell: ({ before, now }) => (rank(now) < rank(before) ? check.better : check.worse) },
            { head: check.before, cell: ({ before }) => <Badge of={before} /> },
            { head: check.now, cell: ({ now }) => <Badge of={now} /> },
          ]}
        />
      ) : null}
    </>
  );
};

const ORDER = ['PASSED', 'SKIPPED', 'WARNING', 'REVIEW', 'NOT-RECEIVED', 'FAILED'];
const rank = (result: string): number => ORDER.indexOf(result);

function changesOf(before: RunReport, now: RunReport): Changed[] {
  const earlier = resultsOf(before);
  return [...resultsOf(now)].flatMap(([name, result]) => {
    const was = earlier.get(name);
    return was === undefined || was === result ? [] : [{ name, before: was, now: result }];
  });
}

const resultsOf = ({ modules }: RunReport): Map<string, string> =>
  new Map(
    modules.flatMap(module =>
      module.conditions.map(({ id, result }) => [nameOf({ id, symbol: module.symbol }), result]),
    ),
  );
