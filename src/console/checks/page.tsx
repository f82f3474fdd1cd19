import type { Order } from '../../client/calls.ts';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { Customers } from '../../contract/customers.ts';
import { parse } from '../../contract/parse.ts';
import { PLANS } from '../../contract/plans.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Badge, Time, toneOfResult } from '../components/values.tsx';
import type { Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { fill } from '../texts/languages.ts';

export const checks: Page = {
  path: '/checks',
  title: 'Test runs',
  group: 'Test',
  servedBy: 'both',
  isLive: true,
  async render({ api, texts: { checks: texts } }) {
    const { runs } = await api.runs();
    return (
      <>
        <p>{texts.intro}</p>
        <ActionForm
          to="/console/checks/start"
          label={texts.start}
          tone="primary"
          more={{ id: 'more', summary: texts.more, fields: <More texts={texts} />, names: MORE }}
        >
          <Field name="plan" label={texts.plan} options={PLANS} />
          <Field
            name="symbols"
            label={texts.assets}
            options={[
              ['ETH,XRP', texts.both],
              ['ETH', 'ETH'],
              ['XRP', 'XRP'],
            ]}
          />
        </ActionForm>
        <h2>{texts.history}</h2>
        <History runs={runs} texts={texts} />
      </>
    );
  },
  actions: {
    async start({ api, texts }, form) {
      const { plan = 'complete', symbols = 'ETH,XRP', modules = '', driver = '', driverToken = '' } = form;
      const ids = modules.split(',').flatMap(each => each.trim() || []);
      const file = CustomersFile.of(form);
      if (file.problem)
        return { kind: 'failed', field: file.field, text: fill(texts.checks.customersWrong, { why: file.problem }) };
      const { id } = await api.startRun({
        plan: plan as Order<'startRun'>['plan'],
        symbols: symbols.split(',') as NonNullable<Order<'startRun'>['symbols']>,
        ...(ids.length > 0 ? { modules: ids } : {}),
        ...(file.customers ? { customers: file.customers } : {}),
        ...(driver.trim() === ''
          ? {}
          : { driver: { url: driver.trim(), ...(driverToken === '' ? {} : { token: driverToken }) } }),
      });
      return { goTo: `/console/checks/${id}` };
    },
  },
};

const ONE = ['lastName', 'firstName', 'dateOfBirth', 'placeOfBirth', 'ETH', 'XRP'] as const;
const MORE = ['modules', 'driver', 'driverToken', 'customers', ...ONE];

const More = ({ texts }: { texts: Texts['checks'] }) => (
  <div class="fields">
    <Field name="modules" label={texts.modules} placeholder={texts.all} help={texts.modulesHelp} />
    <Field name="driver" label={texts.driver} type="url" help={texts.driverHelp} />
    <Field name="driverToken" label={texts.driverToken} type="password" help={texts.driverTokenHelp} />
    <Field name="lastName" label={texts.lastName} help={texts.customerHelp} />
    <Field name="firstName" label={texts.firstName} />
    <Field name="dateOfBirth" label={texts.dateOfBirth} placeholder="1990-02-28" />
    <Field name="placeOfBirth" label={texts.placeOfBirth} />
    {ASSET_SYMBOLS.map(symbol => (
      <Field name={symbol} label={fill(texts.accountOf, { symbol })} code />
    ))}
    <Field name="customers" label={texts.customers} rows={2} code help={texts.customersHelp} />
  </div>
);

type Runs = Awaited<ReturnType<Parameters<Page['render']>[0]['api']['runs']>>['runs'];

const History = ({ runs, texts }: { runs: Runs; texts: Texts['checks'] }) => (
  <DataTable
    caption={texts.caption}
    rows={runs}
    empty={texts.none}
    idOf={({ id }) => `run-${id}`}
    isLoud={({ result }) => result === 'FAILED' || result === 'ERROR'}
    columns={[
      { head: texts.plan, cell: ({ id, plan }) => <a href={`/console/checks/${id}`}>{plan}</a> },
      { head: texts.result, cell: ({ result }) => <Badge of={result ?? 'RUNNING'} tone={toneOfResult(result)} /> },
      {
        head: texts.modules,
        cell: ({ modules }) => fill(texts.countOf, { finished: modules.finished, all: modules.all }),
        numeric: true,
      },
      { head: texts.passed, cell: ({ counts }) => counts.passed, numeric: true },
      { head: texts.failed, cell: ({ counts }) => counts.failed + counts.notReceived, numeric: true },
      { head: texts.started, cell: ({ startedAt }) => <Time at={startedAt} clock="machine" /> },
    ]}
  />
);

interface Read {
  customers?: Customers;
  problem?: string;
  /** The field of the form with the problem. */
  field: string;
}

type Form = Readonly<Record<string, string | undefined>>;

/** The customers of the form: those of the file, else the one of the fields. None: the driver describes them. */
const CustomersFile = {
  of(form: Form): Read {
    const text = form.customers?.trim() ?? '';
    if (text !== '') return read('customers', () => JSON.parse(text));
    if (ONE.every(name => !form[name]?.trim())) return { field: 'customers' };
    return read('lastName', () => ({ customers: [customerOf(form)] }));
  },
};

function read(field: string, value: () => unknown): Read {
  try {
    return { customers: parse(Customers, value()), field };
  } catch (error) {
    const { message, field: path = '' } = error as Error & { field?: string };
    const own = field === 'customers' ? undefined : ONE.find(name => path.endsWith(name));
    return { problem: message, field: own ?? field };
  }
}

/** An empty field is absent. */
function customerOf(form: Form) {
  const given = (names: readonly string[]) =>
    Object.fromEntries(names.flatMap(name => (form[name]?.trim() ? [[name, form[name]?.trim()]] : [])));
  return {
    id: 'main',
    kind: 'natural',
    names: given(['lastName', 'firstName']),
    ...given(['dateOfBirth', 'placeOfBirth']),
    accounts: given(['ETH', 'XRP']),
  };
}
