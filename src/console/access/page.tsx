import { ActionForm, Field } from '../components/form.tsx';
import { DataTable } from '../components/table.tsx';
import { Copyable, DefinitionList } from '../components/text.tsx';
import { Time } from '../components/values.tsx';
import { type Action, done, type Page } from '../page.ts';
import { fill } from '../texts/languages.ts';

const SCOPES = ['full', 'check', 'read'] as const;

const create: Action = async ({ api, texts }, { name = '', scope = 'full' }) => {
  const { apiKey } = await api.createKey({ name: name.trim(), scope: scope as 'full' });
  return done(texts.access.created, <Copyable text={apiKey} />);
};
const roll: Action = async ({ api, texts }, { key = '' }) => {
  const { apiKey } = await api.rollKey(key);
  return done(texts.access.rolled, <Copyable text={apiKey} />);
};
const revoke: Action = async ({ api, texts }, { key = '' }) => {
  await api.revokeKey(key);
  return done(texts.access.revoked);
};
const rollSecret: Action = async ({ api, texts }) => {
  const { signingSecret } = await api.rollSigningSecret({ overlap: '24h' });
  return done(texts.access.secretRolled, <Copyable text={signingSecret} />);
};

export const access: Page = {
  path: '/keys',
  title: 'Keys',
  audience: ['hosted VASP'],
  group: 'Set up',
  isLive: false,
  actions: { create, roll, revoke, 'roll-secret': rollSecret },
  async render({ api, texts: { access: texts, keys: common, list, verification } }) {
    const [{ vasp }, { keys }] = await Promise.all([api.info(), api.keys()]);
    return (
      <>
        <section>
          <h2>{common.signedInAs}</h2>
          <DefinitionList
            of={[
              [common.youAre, vasp.name],
              ['vaspId', <Copyable text={vasp.vaspId} />],
            ]}
          />
          <ActionForm to="/console/sign-out" label={common.signOut} />
        </section>
        <section>
          <h2>{texts.apiKeys}</h2>
          <DataTable
            caption={texts.apiKeys}
            rows={keys}
            idOf={({ id }) => `key-${id}`}
            columns={[
              { head: list.name, cell: ({ name }) => name },
              { head: texts.scope, cell: ({ scope }) => scope },
              { head: verification.created, cell: ({ createdAt }) => machineTime(createdAt, '–') },
              { head: texts.lastUsed, cell: ({ lastUsedAt }) => machineTime(lastUsedAt, '–') },
              { head: texts.expires, cell: ({ expiresAt }) => machineTime(expiresAt, texts.never) },
              {
                head: texts.change,
                cell: ({ id, name }) => (
                  <div class="row">
                    {(
                      [
                        ['roll', texts.rollThis],
                        ['revoke', texts.revokeThis],
                      ] as const
                    ).map(([act, describe]) => (
                      <ActionForm
                        to={`/console/keys/${act}`}
                        label={texts[act]}
                        values={{ key: id }}
                        describe={() => fill(describe, { name })}
                      />
                    ))}
                  </div>
                ),
              },
            ]}
          />
          <h3>{texts.newKey}</h3>
          <ActionForm to="/console/keys/create" label={texts.create} tone="primary">
            <Field name="name" label={list.name} placeholder="CI" required />
            <Field name="scope" label={texts.scope} options={SCOPES.map(each => [each, texts[each]])} />
          </ActionForm>
        </section>
        <section>
          <h2>{texts.secret}</h2>
          <p>{texts.secretMeaning}</p>
          <ActionForm to="/console/keys/roll-secret" label={texts.rollSecret} />
        </section>
      </>
    );
  },
};

const machineTime = (at: string | null, otherwise: string) =>
  at === null ? otherwise : <Time at={at} clock="machine" />;
