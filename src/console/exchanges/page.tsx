import type { SandboxAnswers } from '../../client/answers.ts';
import { OPERATIONS } from '../../contract/errors.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { ExchangeDetail } from '../components/exchange-detail.tsx';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Fold } from '../components/fold.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import { durationText, Time } from '../components/time.tsx';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Page } from '../page.ts';

type Exchange = SandboxAnswers['exchanges']['exchanges'][number];

const PATH = '/console/exchanges';

export const exchanges: Page = {
  path: '/exchanges',
  title: 'Exchanges',
  group: 'Look',
  isLive: true,
  async render({ api, query, origin }) {
    const filter = filled(query, 'verificationUuid', 'operation', 'direction', 'status', 'slow');
    const position = filled(query, 'before');
    const found = await api.exchanges({ ...filter, ...position, limit: pageSize(query) });
    const rows = found.exchanges;
    return (
      <>
        <p>Every HTTP request and answer between your VASP and the sandbox, newest first.</p>
        <Filter {...filter} />
        {rows.length === 0 ? (
          <Nothing isNarrowed={Object.keys(filter).length > 0} />
        ) : (
          <List rows={rows} origin={origin} />
        )}
        <Pager
          path={PATH}
          query={query}
          cursor="before"
          shown={rows.length}
          total={found.total}
          next={found.next}
        />
      </>
    );
  },
};

const NAMES = [...Object.keys(VASP_API), ...Object.keys(OPERATIONS).filter(name => name !== 'sandbox')];
const DIRECTIONS: Record<Exchange['direction'], string> = {
  IN: 'from your VASP',
  OUT: 'to your VASP',
};
const STATUSES = [
  ['2xx', '2xx: accepted'],
  ['4xx', '4xx: refused'],
  ['5xx', '5xx: failed'],
  ['none', 'no answer'],
] as const;
const SLOW = [
  ['100', '100 ms or longer'],
  ['500', '500 ms or longer'],
  ['1000', '1 s or longer'],
] as const;

const Filter = ({ verificationUuid, operation, direction, status, slow }: Record<string, string>) => (
  <FilterBar action={PATH}>
    <Field name="operation" label="Operation" value={operation} options={[['', 'Any'], ...NAMES]} />
    <Field
      name="direction"
      label="Direction"
      value={direction}
      options={[['', 'Both'], ...Object.entries(DIRECTIONS)]}
    />
    <Field name="status" label="Status" value={status} options={[['', 'Any'], ...STATUSES]} />
    <Field name="slow" label="Duration" value={slow} options={[['', 'Any'], ...SLOW]} />
    <Field name="verificationUuid" label="Verification" value={verificationUuid} type="search" code />
  </FilterBar>
);

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty>No exchange matches this filter. Clear the filter to see all.</Empty>
  ) : (
    <Empty>
      No exchange yet. <a href="/console/send">Send a verification</a>, or call <code>GET /v1/vasps</code>{' '}
      from your VASP.
    </Empty>
  );

const List = ({ rows, origin }: { rows: readonly Exchange[]; origin: string }) => (
  <DataTable
    caption="HTTP exchanges, newest first"
    rows={rows}
    idOf={({ id }) => `exchange-${id}`}
    isLoud={({ status }) => status === null || status >= 400}
    more={row => (
      <Fold
        id={`bodies-${row.id}`}
        summary={
          <code>
            {row.method} {row.url}
          </code>
        }
      >
        <ExchangeDetail of={row} id={row.id} origin={origin} />
      </Fold>
    )}
    columns={[
      { head: 'Time', cell: ({ at }) => <Time at={at} /> },
      { head: 'Direction', cell: ({ direction }) => DIRECTIONS[direction] },
      { head: 'Operation', cell: row => <Operation of={row} /> },
      { head: 'Verification', cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} /> },
      { head: 'Status', cell: row => <Status of={row} /> },
      { head: 'Duration', numeric: true, cell: ({ durationMs }) => durationText(durationMs) },
    ]}
  />
);

const Operation = ({ of: { operation, isCheck } }: { of: Exchange }) => (
  <>
    {operation} {isCheck ? <Badge of="CHECK" tone="plain" /> : null}
  </>
);

const Status = ({ of: { status, error } }: { of: Exchange }) => (
  <>
    <Badge of={status === null ? 'NO ANSWER' : String(status)} tone={toneOfStatus(status)} />
    {error === null ? null : (
      <>
        <br />
        <small>{error}</small>
      </>
    )}
  </>
);

const toneOfStatus = (status: number | null): Tone => (status !== null && status < 300 ? 'good' : 'bad');
