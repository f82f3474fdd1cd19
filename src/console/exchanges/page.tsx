import type { Answers } from '../../client/client.ts';
import { EXCHANGE_OPERATIONS } from '../../contract/plans.ts';
import { ExchangeDetail } from '../components/exchange-detail.tsx';
import {
  Beside,
  DataTable,
  FilterBar,
  filled,
  hrefOfRow,
  Pager,
  pageSize,
  verificationField,
} from '../components/table.tsx';
import { Badge, durationText, HttpStatus, Time, type Tone, verificationColumn } from '../components/values.tsx';
import { orNotServed } from '../not-served.ts';
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
  async render({ api, query, origin, texts: all }) {
    const { exchanges: texts, exchange, verification, list, time } = all;
    const filter = filled(query, 'verificationUuid', 'operation', 'direction', 'status', 'slow');
    const position = filled(query, 'before');
    const found = await api.exchanges({ ...filter, ...position, limit: pageSize(query) });
    const rows = found.exchanges;
    const shown = query.shown === undefined ? undefined : await orNotServed(api.exchange(query.shown), undefined);
    return (
      <>
        <p>{texts.intro}</p>
        <FilterBar action={PATH} query={query} fields={filterFields(all)} />
        <Beside shown={shown && <Shown of={shown} origin={origin} />} label={texts.details}>
          <DataTable
            caption={texts.caption}
            rows={rows}
            empty={Object.keys(filter).length > 0 ? texts.noMatch : texts.none}
            idOf={({ id }) => `exchange-${id}`}
            isLoud={of => toneOf(of) !== 'good'}
            hrefOf={({ id }) => hrefOfRow(PATH, query, id, `exchange-${id}`)}
            columns={[
              { head: list.time, bare: true, cell: ({ at }) => <Time at={at} /> },
              // Beside its details a row has no room for it, and they show it.
              ...(query.shown === undefined
                ? [{ head: texts.direction, bare: true, cell: ({ direction }: Exchange) => texts[direction] }]
                : []),
              {
                head: texts.operation,
                bare: true,
                line: true,
                cell: ({ id, operation, isCheck }) => (
                  <>
                    <a
                      href={hrefOfRow(PATH, query, id, `exchange-${id}`)}
                      aria-current={query.shown === id ? 'true' : undefined}
                    >
                      {callText(operation, all)}
                    </a>{' '}
                    {isCheck ? <Badge of={exchange.isCheck} /> : null}
                  </>
                ),
              },
              verificationColumn(all),
              { head: verification.status, bare: true, cell: row => <Status of={row} /> },
              {
                head: texts.duration,
                bare: true,
                numeric: true,
                cell: ({ durationMs }) => durationText(durationMs, time),
              },
            ]}
          />
          <Pager path={PATH} query={query} shown={rows.length} total={found.total} next={found.next} />
        </Beside>
      </>
    );
  },
};

const Shown = ({ of, origin }: { of: Exchange; origin: string }) => (
  <>
    <h2>
      {of.operation} <Status of={of} />
    </h2>
    <p>
      {useTexts().exchanges[of.direction]}{' '}
      <code>
        {of.method} {of.url}
      </code>
    </p>
    <ExchangeDetail of={of} id={of.id} origin={origin} />
  </>
);

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
    {
      name: 'operation',
      label: texts.operation,
      options: EXCHANGE_OPERATIONS.map(name => [name, callText(name, all)]),
    },
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

const Status = ({ of }: { of: Exchange }) => <HttpStatus of={of.status} tone={toneOf(of)} />;

/** With an error the status is not what counted: a fault replaced the answer, or its body cannot be read. */
const toneOf = ({ status, error }: Exchange): Tone =>
  status === null || status >= 300 ? 'bad' : error === null ? 'good' : 'warn';
