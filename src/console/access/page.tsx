import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DataTable } from '../components/data-table.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { Time } from '../components/time.tsx';
import type { Action, Page } from '../page.ts';

const SCOPES = [
  ['full', 'full: everything'],
  ['check', 'check: read and run checks'],
  ['read', 'read: read alone'],
] as const;

const shown = (what: string, secret: string) => ({
  kind: 'done' as const,
  text: `${what} It is shown once. Keep it now.`,
  detail: <Copyable text={secret} />,
});

const create: Action = async ({ api }, { name = '', scope = 'full' }) => {
  const { apiKey } = await api.createKey({ name: name.trim(), scope: scope as 'full' });
  return shown('The key is created.', apiKey);
};
const roll: Action = async ({ api }, { key = '' }) => {
  const { apiKey } = await api.rollKey(key);
  return shown('The key is rolled; the one before it is valid for 24 hours more.', apiKey);
};
const revoke: Action = async ({ api }, { key = '' }) => {
  await api.revokeKey(key);
  return { kind: 'done', text: 'The key is revoked.' };
};
const rollSecret: Action = async ({ api }) => {
  const { signingSecret } = await api.rollSigningSecret('24h');
  return shown('The signing secret is rolled; for 24 hours both sign.', signingSecret);
};

/** Keys and signing secret of the signed-in VASP, in the hosted mode. */
export const access: Page = {
  path: '/keys',
  title: 'Keys',
  audience: ['hosted VASP'],
  group: 'Set up',
  isLive: false,
  actions: { create, roll, revoke, 'roll-secret': rollSecret },
  async render({ api }) {
    const [{ vasp }, { keys }] = await Promise.all([api.info(), api.keys()]);
    return (
      <>
        <section>
          <h2>Signed in as</h2>
          <DefinitionList
            of={[
              ['You are', vasp.name],
              ['vaspId', <Copyable text={vasp.vaspId} />],
            ]}
          />
          <ActionForm to="/console/sign-out" label="Sign out" />
        </section>
        <section>
          <h2>API keys</h2>
          <DataTable
            caption="API keys"
            rows={keys}
            idOf={({ id }) => `key-${id}`}
            columns={[
              { head: 'Name', cell: ({ name }) => name },
              { head: 'Scope', cell: ({ scope }) => scope },
              { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt} clock="machine" /> },
              {
                head: 'Last used',
                cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} clock="machine" /> : '–'),
              },
              {
                head: 'Expires',
                cell: ({ expiresAt }) => (expiresAt ? <Time at={expiresAt} clock="machine" /> : 'never'),
              },
              {
                head: 'Change',
                cell: ({ id, name }) => (
                  <>
                    <ActionForm
                      to="/console/keys/roll"
                      label="Roll"
                      values={{ key: id }}
                      description={`Roll ${name}`}
                    />
                    <ActionForm
                      to="/console/keys/revoke"
                      label="Revoke"
                      values={{ key: id }}
                      description={`Revoke ${name}`}
                    />
                  </>
                ),
              },
            ]}
          />
          <h3>A new key</h3>
          <ActionForm to="/console/keys/create" label="Create" tone="primary">
            <Field name="name" label="Name" placeholder="CI" required />
            <Field name="scope" label="Scope" options={SCOPES} />
          </ActionForm>
        </section>
        <section>
          <h2>Signing secret</h2>
          <p>It signs every callback to you, by Standard Webhooks.</p>
          <ActionForm to="/console/keys/roll-secret" label="Roll the signing secret" />
        </section>
      </>
    );
  },
};
