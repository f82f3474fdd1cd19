import type { RunReport } from '../../client/client.ts';
import { DataTable } from '../components/table.tsx';
import { Fold, InlineCode } from '../components/text.tsx';
import { Badge, durationText } from '../components/values.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

export type Module = RunReport['modules'][number];

export const nameOf = ({ id, symbol }: Pick<Module, 'id' | 'symbol'>): string => (symbol ? `${id} ${symbol}` : id);

export const titleOf = (module: Module, { moduleTitles }: Texts): string =>
  `${nameOf(module)}: ${moduleTitles[module.id] ?? module.title}`;

/** The module that is shown beside the list: the chosen one, else what happens now, else what failed first. */
export function shownModule({ modules }: RunReport, chosen: string | undefined): Module | undefined {
  const first = (isIt: (module: Module) => boolean) => modules.find(isIt);
  return (
    first(module => nameOf(module) === chosen) ??
    first(({ status }) => status === 'WAITING') ??
    first(({ status }) => status === 'RUNNING') ??
    first(({ result }) => result === 'FAILED') ??
    first(({ result }) => result !== null && result !== 'SKIPPED')
  );
}

/** A longer list folds what asks for nothing. */
const MAX_ROWS = 20;
/** By status before the end, then by result. */
const QUIET = ['CREATED', 'PASSED', 'SKIPPED', 'INTERRUPTED'];
const kindOf = ({ status, result }: Module): string => (status === 'CREATED' ? status : (result ?? status));

interface Modules {
  report: RunReport;
  shown: Module | undefined;
}

export const Modules = ({ report, shown }: Modules) => {
  const { modules } = report;
  const quiet = modules.length > MAX_ROWS ? QUIET : [];
  const loud = modules.filter(module => !quiet.includes(kindOf(module)));
  return (
    <section>
      <h2>{useTexts().checks.modules}</h2>
      {loud.length > 0 ? <ModuleTable report={report} rows={loud} shown={shown} /> : null}
      {quiet
        .map(kind => modules.filter(module => kindOf(module) === kind))
        .filter(([first]) => first)
        .map(rows => (
          <Fold
            id={`modules-${kindOf(rows[0]!)}`}
            summary={
              <>
                <ResultBadge of={rows[0]!} /> × {rows.length}
              </>
            }
          >
            <ModuleTable report={report} rows={rows} shown={shown} />
          </Fold>
        ))}
    </section>
  );
};

const ResultBadge = ({ of }: { of: Module }) => (
  <Badge of={kindOf(of) === 'CREATED' ? useTexts().check.notYet : kindOf(of)} />
);

const ModuleTable = ({ report, rows, shown }: Modules & { rows: readonly Module[] }) => {
  const { checks, check, time, moduleTitles } = useTexts();
  return (
    <DataTable
      caption={checks.modules}
      rows={rows}
      idOf={module => `module-${nameOf(module).replace(/\W+/g, '-')}`}
      isLoud={({ result }) => result === 'FAILED'}
      columns={[
        {
          head: check.module,
          bare: true,
          cell: (module: Module) => (
            <a
              href={`/console/checks/${report.id}?module=${encodeURIComponent(nameOf(module))}`}
              aria-current={module === shown ? 'true' : undefined}
            >
              {nameOf(module)}
            </a>
          ),
        },
        {
          head: check.moduleTitle,
          bare: true,
          cell: ({ id, title, skippedBecause }) => (
            <>
              {moduleTitles[id] ?? title}
              {skippedBecause && skippedBecause !== report.problem?.message ? (
                <div class="muted">
                  <InlineCode text={skippedBecause} />
                </div>
              ) : null}
            </>
          ),
        },
        { head: checks.result, bare: true, line: true, cell: module => <ResultBadge of={module} /> },
        {
          head: check.time,
          bare: true,
          cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs, time)),
          numeric: true,
        },
      ]}
    />
  );
};
