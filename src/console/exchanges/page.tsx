import type { SandboxAnswers } from '../../client/answers.ts';
import { Badge, type Tone } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { filled } from '../components/filter-bar.tsx';
import { Fold } from '../components/fold.tsx';
import { Json } from '../components/json.tsx';
import { Pager, withQuery } from '../components/pager.tsx';
import { durationText, Time } from '../components/time.tsx';
import { VerificationFilter } from '../components/verification-filter.tsx';
import { VerificationLink } from '../components/verification-link.tsx';
import type { Page } from '../page.ts';

type Exchange = SandboxAnswers['exchanges']['exchanges'][number];

const PATH = '/console/exchanges';
const PER_PAGE = 25;

export const exchanges: Page = {
  path: '/exchanges',
  title: 'Exchanges',
  group: 'Look',
  isLive: true,
  async render({ api, query }) {
    const filter = filled(query, 'verificationUuid');
    const position = filled(query, 'before');
    // One row more than shown: it tells whether there are older ones.
    const { exchanges: found } = await api.exchanges({ ...filter, ...position, limit: PER_PAGE + 1 });
    const rows = found.slice(0, PER_PAGE);
    const last = found.length > PER_PAGE ? rows.at(-1) : undefined;
    return (
      <>
        <p>Every HTTP request and answer between your VASP and the sandbox, newest first.</p>
        <VerificationFilter action={PATH} uuid={filter.verificationUuid} />
        {rows.length === 0 ? <Nothing isNarrowed={Object.keys(query).length > 0} /> : <List rows={rows} />}
        <Pager
          newer={'before' in position ? withQuery(PATH, filter) : undefined}
          here={'before' in position ? `Before number ${position.before}` : 'Newest'}
          older={last && withQuery(PATH, { ...filter, before: last.id })}
        />
      </>
    );
  },
};

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty>No exchange matches this filter. Clear the filter to see all.</Empty>
  ) : (
    <Empty>
      No exchange yet. <a href="/console/send">Send a verification</a>, or call <code>GET /v1/vasps</code>{' '}
      from your VASP.
    </Empty>
  );

const List = ({ rows }: { rows: readonly Exchange[] }) => (
  <DataTable
    caption="HTTP exchanges, newest first"
    rows={rows}
    idOf={({ id }) => `exchange-${id}`}
    isLoud={({ status }) => status === null || status >= 400}
    more={row => <Bodies of={row} />}
    columns={[
      { head: 'Time', cell: ({ at }) => <Time at={at} /> },
      { head: 'Direction', cell: ({ direction }) => DIRECTIONS[direction] },
      { head: 'Operation', cell: ({ operation }) => operation },
      { head: 'Verification', cell: ({ verificationUuid }) => <VerificationLink uuid={verificationUuid} /> },
      { head: 'Status', cell: row => <Status of={row} /> },
      { head: 'Duration', numeric: true, cell: ({ durationMs }) => durationText(durationMs) },
    ]}
  />
);

const DIRECTIONS: Record<Exchange['direction'], string> = {
  IN: 'from your VASP',
  OUT: 'to your VASP',
};

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

const Bodies = ({ of: { id, method, url, request, response } }: { of: Exchange }) => (
  <Fold
    id={`bodies-${id}`}
    summary={
      <code>
        {method} {url}
      </code>
    }
  >
    <Body title="Request" of={request} />
    <Body title="Answer" of={response} />
  </Fold>
);

const Body = ({ title, of }: { title: string; of: string | null }) => (
  <>
    <h3>{title}</h3>
    {of === null ? <p class="muted">no body</p> : <Json of={of} />}
  </>
);
