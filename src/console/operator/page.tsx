import type { Answers } from '../../client/client.ts';
import { QUOTA_NAMES, type QuotaName } from '../../contract/tenancy.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { ChainCards } from '../components/chain-facts.tsx';
import { ActionForm, Field, numberIn } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Copyable, Fold } from '../components/text.tsx';
import { Badge, durationText, Time } from '../components/values.tsx';
import { AttentionList } from '../overview.tsx';
import { type Action, done, type Page } from '../page.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { QuotaTable } from '../usage/page.tsx';

type Tenant = Answers['tenants']['tenants'][number];

const AUDIT_ROWS = 50;

const invite: Action = async ({ api, texts }, { name = '', expiresIn = '' }) => {
  const { invitation } = await api.invite({ name: name.trim(), expiresIn: expiresIn.trim() || '7d' });
  return done(fill(texts.operator.invited, { name }), <Copyable text={invitation} />);
};

const suspended =
  (isSuspended: boolean): Action =>
  async ({ api, texts: { operator: texts } }, { vaspId = '' }) => {
    const { name } = await api.changeTenant(vaspId, { suspended: isSuspended });
    return done(isSuspended ? fill(texts.suspended, { name }) : fill(texts.resumed, { name }));
  };

const claim: Action = async ({ api, texts: { operator: texts } }, { vaspId = '' }) => {
  const { name } = await api.changeTenant(vaspId, { claimed: true });
  return done(fill(texts.claimed, { name }));
};

const quota: Action = async ({ api, texts: { operator: texts, quotas } }, form) => {
  const { vaspId = '', quota: which = '', limit = '' } = form;
  const value = limit.trim() === '' ? null : numberIn(limit);
  const { name } = await api.changeTenant(vaspId, { quotas: { [which]: value } as never });
  const shown = quotas[which as QuotaName];
  return done(fill(texts.quotaIs, { quota: shown, name, value: String(value ?? texts.asConfigured) }));
};

const forget: Action = async ({ api, texts }, { vaspId = '', confirm = '' }) => {
  if (confirm.trim() !== vaspId) return { kind: 'failed', field: 'confirm', text: texts.operator.notConfirmed };
  await api.forgetTenant(vaspId);
  return done(texts.operator.forgotten);
};

export const operator: Page = {
  path: '/operator',
  title: 'Operator',
  audience: ['operator'],
  group: 'Set up',
  isLive: false,
  actions: { invite, suspend: suspended(true), resume: suspended(false), claim, quota, forget },
  async render({ api, query, origin, texts: { operator: texts, access, keys, list, time } }) {
    const [{ tenants, next }, { invitations }, health, info, audit] = await Promise.all([
      api.tenants({ limit: 50, after: query.after || undefined }),
      api.invitations(),
      api.health(),
      api.info(),
      api.audit({ order: 'newest', limit: AUDIT_ROWS, after: query.auditAfter || undefined }),
    ]);
    return (
      <>
        {health.missing.length > 0 ? <p>{fill(texts.missing, { what: health.missing.join('; ') })}</p> : null}
        <AttentionList of={health.attention} />
        <ChainCards health={health} info={info} origin={origin} />
        <section>
          <h2>{texts.vasps}</h2>
          <Tenants of={tenants} />
          {next ? <a href={`/console/operator?after=${next}`}>{texts.moreVasps}</a> : null}
        </section>
        <section>
          <h2>{texts.invitations}</h2>
          {invitations.length === 0 ? null : (
            <DataTable
              caption={texts.invitationsCaption}
              rows={invitations}
              idOf={({ id }) => `invitation-${id}`}
              columns={[
                { head: texts.invitedName, cell: ({ name }) => name },
                { head: access.expires, cell: ({ expiresAt }) => <Time at={expiresAt} /> },
              ]}
            />
          )}
          <ActionForm to="/console/operator/invite" label={texts.invite} tone="primary">
            <Field name="name" label={list.name} placeholder="Bright Exchange" required />
            <Field name="expiresIn" label={texts.validFor} value="7d" />
          </ActionForm>
        </section>
        <section>
          <h2>{texts.retention}</h2>
          <p>
            {info.retention === null
              ? texts.keptForGood
              : fill(texts.deletedAfter, { time: durationText(parseDuration(info.retention)!, time) })}
          </p>
        </section>
        <section>
          <h2>{texts.audit}</h2>
          <DataTable
            caption={texts.audit}
            rows={audit.entries}
            idOf={({ id }) => `audit-${id}`}
            columns={[
              { head: texts.at, cell: ({ at }) => <Time at={at} /> },
              { head: texts.who, cell: ({ role, key }) => (key ? <Copyable text={key} ends={6} /> : role) },
              { head: texts.what, cell: ({ action }) => action },
              { head: texts.onWhat, cell: ({ target }) => target },
              { head: texts.outcome, numeric: true, cell: ({ outcome }) => outcome },
            ]}
          />
          {audit.entries.length === AUDIT_ROWS ? (
            <a href={`/console/operator?auditAfter=${audit.next}`}>{texts.olderEntries}</a>
          ) : null}
        </section>
        <ActionForm to="/console/sign-out" label={keys.signOut} />
      </>
    );
  },
};

const Tenants = ({ of: tenants }: { of: readonly Tenant[] }) => {
  const { operator: texts, usage, quotas, list } = useTexts();
  return (
    <DataTable
      caption={texts.vasps}
      rows={tenants}
      empty={texts.noVasp}
      idOf={({ vaspId }) => `tenant-${vaspId}`}
      isLoud={({ suspended }) => suspended}
      more={tenant => (
        <Fold id={`more-${tenant.vaspId}`} summary={texts.more}>
          <QuotaTable of={tenant.quotas} />
          <ActionForm to="/console/operator/quota" label={texts.setQuota} values={{ vaspId: tenant.vaspId }}>
            <Field name="quota" label={usage.quota} options={QUOTA_NAMES.map(name => [name, quotas[name]] as const)} />
            <Field name="limit" label={usage.limit} placeholder={texts.asConfigured} />
          </ActionForm>
          <ActionForm
            to={`/console/operator/${tenant.suspended ? 'resume' : 'suspend'}`}
            label={tenant.suspended ? texts.resume : texts.suspend}
            values={{ vaspId: tenant.vaspId }}
          />
          {tenant.trialEndsAt === null ? null : (
            <ActionForm to="/console/operator/claim" label={texts.claim} values={{ vaspId: tenant.vaspId }} />
          )}
          <ActionForm to="/console/operator/forget" label={texts.forget} values={{ vaspId: tenant.vaspId }}>
            <Field name="confirm" label={texts.confirm} required />
          </ActionForm>
        </Fold>
      )}
      columns={[
        { head: list.name, cell: ({ name }) => name },
        { head: 'vaspId', cell: ({ vaspId }) => <Copyable text={vaspId} /> },
        {
          head: list.state,
          cell: ({ suspended, health, trialEndsAt }) => (
            <>
              <Badge of={suspended ? 'SUSPENDED' : health} /> {trialEndsAt ? <Badge of="TRIAL" /> : null}
            </>
          ),
        },
        { head: texts.apiKeys, numeric: true, cell: ({ keys }) => keys },
        {
          head: texts.today,
          numeric: true,
          cell: ({ quotas: { verificationsPerDay: use } }) =>
            fill(list.countOf, { count: (use.used ?? 0).toLocaleString('en'), all: use.limit.toLocaleString('en') }),
        },
        { head: texts.lastSeen, cell: ({ lastSeenAt }) => (lastSeenAt ? <Time at={lastSeenAt} /> : '–') },
      ]}
    />
  );
};
