import type { RunReport } from '../../client/answers.ts';
import { toneOfResult } from '../checks/result-tone.ts';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Fold } from '../components/fold.tsx';
import { durationText } from '../components/time.tsx';

export type Module = RunReport['modules'][number];
type Condition = Module['conditions'][number];

export const nameOf = ({ id, symbol }: Pick<Module, 'id' | 'symbol'>): string =>
  symbol ? `${id} ${symbol}` : id;

export const Modules = ({ report }: { report: RunReport }) => (
  <>
    <h2>Modules</h2>
    <DataTable
      caption="Modules"
      rows={report.modules}
      idOf={module => `module-${nameOf(module).replace(/\W+/g, '-')}`}
      isLoud={({ result }) => result === 'FAILED'}
      columns={[
        { head: 'Module', cell: (module: Module) => nameOf(module) },
        {
          head: 'Title',
          cell: ({ title, skippedBecause }) => (
            <>
              {title}
              {skippedBecause ? <div class="muted">{skippedBecause}</div> : null}
            </>
          ),
        },
        {
          head: 'Result',
          cell: ({ status, result }) => (
            <Badge of={result ?? status} tone={status === 'CREATED' ? 'plain' : toneOfResult(result)} />
          ),
        },
        {
          head: 'Time',
          cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs)),
          numeric: true,
        },
      ]}
      more={module => (isJudged(module) ? <Details module={module} /> : null)}
    />
  </>
);

const isJudged = ({ status, skippedBecause }: Module): boolean =>
  status !== 'CREATED' && skippedBecause === null;

const Details = ({ module }: { module: Module }) => {
  const { note, conditions, result, exchanges } = module;
  const id = nameOf(module).replace(/\W+/g, '-');
  return (
    <Fold id={`conditions-${id}`} summary={`${conditions.length} conditions`} isOpen={result === 'FAILED'}>
      {note ? <p>{note}</p> : null}
      <ul>
        {conditions.map(condition => (
          <li>
            <ConditionLine condition={condition} exchanges={exchanges} />
          </li>
        ))}
      </ul>
    </Fold>
  );
};

const withoutStop = (text: string): string => text.replace(/\.$/, '');

const ConditionLine = ({
  condition,
  exchanges,
}: {
  condition: Condition;
  exchanges: Module['exchanges'];
}) => {
  const { id, clause, result, text, expected, got } = condition;
  const uuids = exchanges
    .filter(each => condition.exchanges.includes(each.id))
    .flatMap(({ verificationUuid }) => verificationUuid ?? []);
  return (
    <>
      <Badge of={result} tone={toneOfResult(result)} /> {id} ({clause}): {text}
      {result === 'PASSED' || (expected === null && got === null) ? null : (
        <p>
          {expected === null ? null : `Expected: ${withoutStop(expected)}. `}
          {got === null ? null : `Got: ${withoutStop(got)}.`}
        </p>
      )}
      {[...new Set(uuids)].map(uuid => (
        <>
          {' '}
          <a href={`/console/verifications/${uuid}`}>verification</a>
        </>
      ))}
    </>
  );
};
