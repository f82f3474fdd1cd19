import type { Answers } from '../../client/client.ts';
import { OPERATIONS } from '../../contract/errors.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import { ExchangeDetail } from '../components/exchange-detail.tsx';
import { DataTable, FilterBar, filled, Pager, pageSize, verificationField } from '../components/table.tsx';
import { Fold, InlineCode } from '../components/text.tsx';
import { Badge, durationText, Time, type Tone, verificationColumn } from '../components/values.tsx';
import type { Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { callText } from '../texts/of-records.ts';

type Exchange = Answers['exchanges']['exchanges'][number];

const PATH = '/console/exchanges';

export const exchanges: Page = {
  path: '/exchanges',
  title: 'Exchanges',
  group: 'Look',
  isLive: true,
  async render({ api, query, origin, texts }) {
    const filter = filled(query, 'verificationUuid', 'operation', 'direction', 'status', 'slow');
    const position = filled(query, 'before');
    const found = await api.exchanges({ ...filter, ...position, limit: pageSize(query) });
    const rows = found.exchanges;
    return (
      <>
        <p>{texts.exchanges.intro}</p>
        <FilterBar action={PATH} query={query} fields={filterFields(texts)} />
        <List rows={rows} origin={origin} isNarrowed={Object.keys(filter).length > 0} />
        <Pager path={PATH} query={query} shown={rows.length} total={found.total} next={found.next} />
      </>
    );
  },
};

const NAMES = [...Object.keys(VASP_API), ...Object.keys(OPERATIONS).filter(name => name !== 'sandbox')];
const DIRECTIONS: readonly Exchange['direction'][] = ['IN', 'OUT'];
const SLOW_MS = [100, 500, 1000];
const statuses = (texts: Texts['exchanges']) =>
  [
    ['2xx', texts.accepted],
    ['4xx', texts.refused],
    ['5xx', texts.failed],
    ['none', texts.noAnswer],
  ] as const;

const filterFields = (all: Texts): Parameters<typeof FilterBar>[0]['fields'] => {
  const { exchanges: texts, verification, time } = all;
  const slow = SLOW_MS.map(
    each => [String(each), fill(texts.orLonger, { duration: durationText(each, time) })] as const,
  );
  return [
    { name: 'operation', label: texts.operation, options: NAMES.map(name => [name, callText(name, all)]) },
    {
      name: 'direction',
      label: texts.direction,
      any: texts.both,
      options: DIRECTIONS.map(each => [each, texts[each]]),
    },
    { name: 'status', label: verification.status, options: statuses(texts) },
    { name: 'slow', label: texts.duration, options: slow },
    verificationField(all),
  ];
};

interface List {
  rows: readonly Exchange[];
  origin: string;
  isNarrowed: boolean;
}

const List = ({ rows, origin, isNarrowed }: List) => {
  const { exchanges: texts, verification, list, time } = useTexts();
  return (
    <DataTable
      caption={texts.caption}
      rows={rows}
      empty={isNarrowed ? texts.noMatch : texts.none}
      idOf={({ id }) => `exchange-${id}`}
      isLoud={of => toneOf(of) !== 'good'}
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
        { head: list.time, bare: true, cell: ({ at }) => <Time at={at} /> },
        { head: texts.direction, bare: true, cell: ({ direction }) => texts[direction] },
        { head: texts.operation, bare: true, line: true, cell: row => <Operation of={row} /> },
        verificationColumn(useTexts()),
        { head: verification.status, bare: true, cell: row => <Status of={row} /> },
        { head: texts.duration, bare: true, numeric: true, cell: ({ durationMs }) => durationText(durationMs, time) },
      ]}
    />
  );
};

const Operation = ({ of: { operation, isCheck } }: { of: Exchange }) => (
  <>
    {callText(operation, useTexts())} {isCheck ? <Badge of={useTexts().exchange.isCheck} tone="plain" /> : null}
  </>
);

const Status = ({ of }: { of: Exchange }) => (
  <>
    <Badge of={of.status === null ? useTexts().exchange.noAnswer : String(of.status)} tone={toneOf(of)} />
    {of.error === null ? null : (
      <>
        <br />
        <small>
          <InlineCode text={of.error} />
        </small>
      </>
    )}
  </>
);

/** With an error the status is not what counted: a fault replaced the answer, or its body cannot be read. */
const toneOf = ({ status, error }: Exchange): Tone =>
  status === null || status >= 300 ? 'bad' : error === null ? 'good' : 'warn';
