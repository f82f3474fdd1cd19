import type { Answers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Fold } from '../components/fold.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import { Json } from '../components/json.tsx';
import { durationText } from '../components/time.tsx';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

type Check = Answers['checkVasp']['checks'][number];

const columnsOf = ({ settings, settingsFields, time }: Texts): Column<Check>[] => [
  { head: settings.endpoint, cell: ({ endpoint }) => settingsFields[endpoint] },
  { head: settings.result, cell: ({ ok }) => <Badge of={ok ? 'OK' : 'FAILED'} /> },
  { head: settings.status, cell: ({ status }) => status ?? '–', numeric: true },
  {
    head: settings.duration,
    cell: check => (check.url === null ? '–' : durationText(check.durationMs, time)),
    numeric: true,
  },
  { head: settings.problem, cell: check => <Finding {...check} /> },
];

/** The outcome of the check, per endpoint. */
export const CheckTable = ({ checks }: { checks: readonly Check[] }) => (
  <DataTable
    caption={useTexts().settings.answers}
    columns={columnsOf(useTexts())}
    rows={checks}
    idOf={({ endpoint }) => `check-${endpoint}`}
    isLoud={({ ok }) => !ok}
  />
);

const Finding = ({ endpoint, url, problem, hint, request, response }: Check) => (
  <div>
    {problem === null ? null : (
      <strong>
        <InlineCode text={problem} />
      </strong>
    )}{' '}
    <InlineCode text={hint ?? ''} />
    {url === null ? null : (
      <Fold id={`check-${endpoint}-bodies`} summary={useTexts().settings.requestAndAnswer}>
        <code>{`POST ${url}`}</code>
        <Json of={request} />
        {response === null ? <p class="muted">{useTexts().settings.noAnswer}</p> : <Json of={response} />}
      </Fold>
    )}
  </div>
);
