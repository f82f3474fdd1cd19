import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge } from '../components/badge.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Fold } from '../components/fold.tsx';
import { InlineCode } from '../components/inline-code.tsx';
import { Json } from '../components/json.tsx';
import { durationText } from '../components/time.tsx';
import { ENDPOINT_TITLES } from './endpoints.ts';

type Check = SandboxAnswers['checks']['checks'][number];

const COLUMNS: Column<Check>[] = [
  { head: 'Endpoint', cell: ({ endpoint }) => ENDPOINT_TITLES[endpoint] },
  { head: 'Result', cell: ({ ok }) => <Badge of={ok ? 'OK' : 'FAILED'} /> },
  { head: 'Status', cell: ({ status }) => status ?? '–', numeric: true },
  {
    head: 'Duration',
    cell: check => (check.url === null ? '–' : durationText(check.durationMs)),
    numeric: true,
  },
  { head: 'Problem and next step', cell: check => <Finding {...check} /> },
];

/** The outcome of the check, per endpoint. */
export const CheckTable = ({ checks }: { checks: readonly Check[] }) => (
  <DataTable
    caption="Answers of your endpoints"
    columns={COLUMNS}
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
      <Fold id={`check-${endpoint}-bodies`} summary="Request and answer">
        <code>{`POST ${url}`}</code>
        <Json of={request} />
        {response === null ? <p class="muted">No answer.</p> : <Json of={response} />}
      </Fold>
    )}
  </div>
);
