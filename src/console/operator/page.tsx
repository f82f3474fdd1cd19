import type { SandboxAnswers } from '../../client/answers.ts';
import { QUOTA_NAMES } from '../../contract/quotas.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { Fold } from '../components/fold.tsx';
import { Time } from '../components/time.tsx';
import type { Page } from '../page.ts';
import { QuotaTable } from '../usage/page.tsx';
import { actions } from './actions.tsx';

type Tenant = SandboxAnswers['tenants']['tenants'][number];

const AUDIT_ROWS = 50;

/** Everything that the operator of a hosted sandbox looks after. */
export const operator: Page = {
  path: '/operator',
  title: 'Operator',
  audience: ['operator'],
  group: 'Set up',
  isLive: false,
  actions,
  async render({ api, query }) {
    const [{ tenants, next }, { invitations }, health, audit] = await Promise.all([
      api.tenants({ limit: 50, ...(query.after ? { after: query.after } : {}) }),
      api.invitations(),
      api.health(),
      api.audit({
        order: 'newest',
        limit: AUDIT_ROWS,
        ...(query.auditAfter ? { after: query.auditAfter } : {}),
      }),
    ]);
    return (
      <>
        <Health of={health} />
        <section>
          <h2>VASPs</h2>
          {tenants.length > 0 ? <Tenants of={tenants} /> : <Empty>None yet. Invite the first one.</Empty>}
          {next ? <a href={`/console/operator?after=${next}`}>More VASPs</a> : null}
        </section>
        <section>
          <h2>Invitations</h2>
          <Invitations of={invitations} />
          <ActionForm to="/console/operator/invite" label="Invite" tone="primary">
            <Field name="name" label="Name" placeholder="Bright Exchange" required />
            <Field name="expiresIn" label="Valid for" value="7d" />
          </ActionForm>
        </section>
        <section>
          <h2>Audit</h2>
          <Audit of={audit.entries} />
          {audit.entries.length === AUDIT_ROWS ? (
            <a href={`/console/operator?auditAfter=${audit.next}`}>Older entries</a>
          ) : null}
        </section>
        <ActionForm to="/console/sign-out" label="Sign out" />
      </>
    );
  },
};

const Health = ({ of: { chains, missing } }: { of: SandboxAnswers['health'] }) => (
  <section>
    <h2>Chains</h2>
    {missing.length > 0 ? <p>Missing: {missing.join('; ')}</p> : null}
    <DataTable
      caption="Chains"
      rows={chains}
      idOf={({ symbol }) => `chain-${symbol}`}
      columns={[
        { head: 'Symbol', cell: ({ symbol }) => symbol },
        {
          head: 'State',
          cell: ({ why }) => <Badge of={why === null ? 'OK' : 'FAILED'} />,
        },
        {
          head: 'Age of the newest block',
          cell: ({ headAgeMs }) => (headAgeMs === null ? '–' : `${Math.round(headAgeMs / 1000)} s`),
        },
        {
          head: 'Calls in the last minute',
          cell: ({ callBudget }) =>
            callBudget === null ? 'no limit' : `${callBudget.lastMinute} of ${callBudget.perMinute}`,
        },
        {
          head: 'Funds',
          cell: ({ funds, symbol }) =>
            funds.map(({ address, balance, isLow }) => (
              <div>
                <Copyable text={address} ends={6} /> {balance} {symbol} {isLow ? <Badge of="LOW" /> : null}
              </div>
            )),
        },
      ]}
    />
  </section>
);

const Tenants = ({ of: tenants }: { of: readonly Tenant[] }) => (
  <DataTable
    caption="VASPs"
    rows={tenants}
    idOf={({ vaspId }) => `tenant-${vaspId}`}
    isLoud={({ suspended }) => suspended}
    more={tenant => (
      <Fold id={`more-${tenant.vaspId}`} summary="Quotas, suspend, forget">
        <QuotaTable of={tenant.quotas} />
        <ActionForm to="/console/operator/quota" label="Set the quota" values={{ vaspId: tenant.vaspId }}>
          <Field name="quota" label="Quota" options={QUOTA_NAMES} />
          <Field name="limit" label="Limit" placeholder="as configured" />
        </ActionForm>
        <ActionForm
          to={`/console/operator/${tenant.suspended ? 'resume' : 'suspend'}`}
          label={tenant.suspended ? 'Resume' : 'Suspend'}
          values={{ vaspId: tenant.vaspId }}
        />
        <ActionForm to="/console/operator/forget" label="Forget for good" values={{ vaspId: tenant.vaspId }}>
          <Field name="confirm" label="Type the vaspId to confirm" required />
        </ActionForm>
      </Fold>
    )}
    columns={[
      { head: 'Name', cell: ({ name }) => name },
      { head: 'vaspId', cell: ({ vaspId }) => <Copyable text={vaspId} /> },
      {
        head: 'State',
        cell: ({ suspended, health }) => <Badge of={suspended ? 'SUSPENDED' : health} />,
      },
      { head: 'Keys', numeric: true, cell: ({ keys }) => keys },
      {
        head: 'Verifications today',
        numeric: true,
        cell: ({ quotas: { verificationsPerDay: use } }) => `${use.used} of ${use.limit}`,
      },
      { head: 'Last seen', cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : '–') },
    ]}
  />
);

const Invitations = ({ of: invitations }: { of: SandboxAnswers['invitations']['invitations'] }) =>
  invitations.length === 0 ? null : (
    <DataTable
      caption="Invitations that nobody has accepted"
      rows={invitations}
      idOf={({ id }) => `invitation-${id}`}
      columns={[
        { head: 'For', cell: ({ name }) => name },
        { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
      ]}
    />
  );

const Audit = ({ of: entries }: { of: SandboxAnswers['audit']['entries'] }) => (
  <DataTable
    caption="Audit"
    rows={entries}
    idOf={({ id }) => `audit-${id}`}
    columns={[
      { head: 'At', cell: ({ at }) => <Time at={at} /> },
      { head: 'Who', cell: ({ role, key }) => (key ? <Copyable text={key} ends={6} /> : role) },
      { head: 'What', cell: ({ action }) => action },
      { head: 'On what', cell: ({ target }) => target },
      { head: 'Outcome', numeric: true, cell: ({ outcome }) => outcome },
    ]}
  />
);
