import type { RunOrder } from '../../client/answers.ts';
import { PLANS } from '../../contract/plans.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { Time } from '../components/time.tsx';
import type { Page } from '../page.ts';
import { CustomersFile } from './customers-file.ts';
import { toneOfResult } from './result-tone.ts';

/** Start a conformance run, and the history of runs. */
export const checks: Page = {
  path: '/checks',
  title: 'Checks',
  group: 'Test',
  isLive: true,
  async render({ api, form = {} }) {
    const { runs } = await api.runs();
    return (
      <>
        <p>
          A check plays the official list of tests against your VASP and ends with a verdict. Your VASP acts
          by its driver address, otherwise by hand.
        </p>
        <ActionForm to="/console/checks/start" label="Start the check" tone="primary">
          <Field name="plan" label="Plan" options={PLANS} value={form.plan} />
          <Field
            name="symbols"
            label="Assets"
            options={[
              ['ETH,XRP', 'ETH and XRP'],
              ['ETH', 'ETH'],
              ['XRP', 'XRP'],
            ]}
            value={form.symbols}
          />
          <Field
            name="modules"
            label="Modules"
            placeholder="all"
            value={form.modules}
            help="Ids such as W4.1,D3."
          />
          <Field
            name="customers"
            label="Customers of your VASP"
            rows={2}
            code
            value={form.customers}
            help="JSON as in the customers file. Not needed with a driver that describes them."
          />
        </ActionForm>
        <h2>History</h2>
        {runs.length === 0 ? (
          <Empty>There was no check yet. Start the first one above.</Empty>
        ) : (
          <History runs={runs} />
        )}
      </>
    );
  },
  actions: {
    async start({ api }, { plan = 'complete', symbols = 'ETH,XRP', modules = '', customers = '' }) {
      const ids = modules.split(',').flatMap(each => each.trim() || []);
      const file = CustomersFile.parse(customers);
      if (file.problem) return { kind: 'failed', text: file.problem };
      const { id } = await api.startRun({
        plan: plan as RunOrder['plan'],
        symbols: symbols.split(',') as NonNullable<RunOrder['symbols']>,
        ...(ids.length > 0 ? { modules: ids } : {}),
        ...(file.customers ? { customers: file.customers } : {}),
      });
      return { goTo: `/console/checks/${id}` };
    },
  },
};

type Runs = Awaited<ReturnType<Parameters<Page['render']>[0]['api']['runs']>>['runs'];

const History = ({ runs }: { runs: Runs }) => (
  <DataTable
    caption="Checks"
    rows={runs}
    idOf={({ id }) => `run-${id}`}
    isLoud={({ result }) => result === 'FAILED'}
    columns={[
      { head: 'Plan', cell: ({ id, plan }) => <a href={`/console/checks/${id}`}>{plan}</a> },
      {
        head: 'Result',
        cell: ({ result, stopped }) => (
          <Badge of={stopped ? 'STOPPED' : (result ?? 'RUNNING')} tone={toneOfResult(result)} />
        ),
      },
      { head: 'Modules', cell: ({ modules }) => `${modules.finished} of ${modules.all}`, numeric: true },
      { head: 'Passed', cell: ({ counts }) => counts.passed, numeric: true },
      { head: 'Failed', cell: ({ counts }) => counts.failed + counts.notReceived, numeric: true },
      { head: 'Started', cell: ({ startedAt }) => <Time at={startedAt} /> },
    ]}
  />
);
