import type { Order } from '../../client/calls.ts';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { Customers } from '../../contract/customers.ts';
import { parse } from '../../contract/parse.ts';
import { PLANS } from '../../contract/plans.ts';
import { defined } from '../../kernel/json.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable, filled } from '../components/table.tsx';
import { Badge, Time } from '../components/values.tsx';
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
        <DataTable
          caption={texts.caption}
          rows={runs}
          empty={texts.none}
          idOf={({ id }) => `run-${id}`}
          isLoud={({ result }) => result === 'FAILED' || result === 'ERROR'}
          columns={[
            { head: texts.plan, cell: ({ id, plan }) => <a href={`/console/checks/${id}`}>{plan}</a> },
            { head: texts.result, cell: ({ result }) => <Badge of={result ?? 'RUNNING'} /> },
            { head: texts.modules, cell: ({ modules }) => fill(texts.countOf, modules), numeric: true },
            { head: texts.passed, cell: ({ counts }) => counts.passed, numeric: true },
            { head: texts.failed, cell: ({ counts }) => counts.failed + counts.notReceived, numeric: true },
            { head: texts.started, cell: ({ startedAt }) => <Time at={startedAt} clock="machine" /> },
          ]}
        />
      </>
    );
  },
  actions: {
    async start({ api, texts }, form) {
      const { plan = 'complete', symbols = 'ETH,XRP', modules, driver, driverToken: token } = filled(form, ...FIELDS);
      const { customers, problem, field } = customersOf(form);
      if (problem) return { kind: 'failed', field, text: fill(texts.checks.customersWrong, { why: problem }) };
      const { id } = await api.startRun({
        plan: plan as Order<'startRun'>['plan'],
        symbols: symbols.split(',') as Order<'startRun'>['symbols'],
        modules: modules?.split(',').flatMap(each => each.trim() || []),
        customers,
        driver: driver === undefined ? undefined : { url: driver, token },
      });
      return { goTo: `/console/checks/${id}` };
    },
  },
};

const ONE = ['lastName', 'firstName', 'dateOfBirth', 'placeOfBirth', 'ETH', 'XRP'] as const;
const MORE = ['modules', 'driver', 'driverToken', 'customers', ...ONE];
const FIELDS = ['plan', 'symbols', ...MORE];

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

interface Read {
  customers?: Customers;
  problem?: string;
  /** The field of the form with the problem. */
  field?: string;
}

/** The customers of the form: those of the file, else the one of the fields. None: the driver describes them. */
function customersOf(form: Record<string, string>): Read {
  const { customers: file } = filled(form, 'customers');
  const { lastName, firstName, ETH, XRP, ...others } = filled(form, ...ONE);
  const isOne = file === undefined;
  if (isOne && Object.keys(filled(form, ...ONE)).length === 0) return {};
  const [names, accounts] = [defined({ lastName, firstName }), defined({ ETH, XRP })];
  const one = { id: 'main', kind: 'natural', names, ...others, accounts };
  try {
    return { customers: parse(Customers, isOne ? { customers: [one] } : JSON.parse(file)) };
  } catch (error) {
    const { message, field = '' } = error as Error & { field?: string };
    return { problem: message, field: isOne ? (ONE.find(name => field.endsWith(name)) ?? 'lastName') : 'customers' };
  }
}
