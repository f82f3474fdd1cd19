import type { RunReport } from '../../client/answers.ts';
import { toneOfResult } from '../checks/result-tone.ts';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import { durationText } from '../components/time.tsx';
import { useTexts } from '../texts/languages.ts';

export type Module = RunReport['modules'][number];

export const nameOf = ({ id, symbol }: Pick<Module, 'id' | 'symbol'>): string =>
  symbol ? `${id} ${symbol}` : id;

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

export const Modules = ({ report, shown }: { report: RunReport; shown: Module | undefined }) => {
  const { checks, check, time, moduleTitles } = useTexts();
  return (
    <section>
      <h2>{checks.modules}</h2>
      <DataTable
        caption={checks.modules}
        rows={report.modules}
        idOf={module => `module-${nameOf(module).replace(/\W+/g, '-')}`}
        isLoud={({ result }) => result === 'FAILED'}
        columns={[
          {
            head: check.module,
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
          {
            head: checks.result,
            cell: ({ status, result }) => (
              <Badge
                of={status === 'CREATED' ? check.notYet : (result ?? status)}
                tone={status === 'CREATED' ? 'plain' : toneOfResult(result)}
              />
            ),
          },
          {
            head: check.time,
            cell: ({ durationMs }) => (durationMs === null ? '' : durationText(durationMs, time)),
            numeric: true,
          },
        ]}
      />
    </section>
  );
};
