import { ActionForm, Field } from '../components/form.tsx';
import { DataTable, filled, Pager, pageSize } from '../components/table.tsx';
import { Copyable, DefinitionList } from '../components/text.tsx';
import { Badge } from '../components/values.tsx';
import { type Action, done, type Page } from '../page.ts';
import { ENDPOINTS } from '../settings.tsx';
import { fill, useTexts } from '../texts/languages.ts';

const register: Action = async ({ api, texts: { keys: texts } }, { vaspId = '', name = '' }) => {
  const id = vaspId.trim();
  if (id === (await api.info()).vasp.vaspId) return { kind: 'failed', field: 'vaspId', text: texts.ownId };
  const { apiKey = '' } = await api.registerVasp(id, { name: name.trim() });
  return done(fill(texts.registered, { name }), <NewKey apiKey={apiKey} name={name} />);
};

export const keys: Page = {
  path: '/keys',
  title: 'Keys',
  audience: ['local'],
  group: 'Set up',
  isLive: false,
  actions: { register },
  async render({ api, isSignedIn, query, texts: { keys: texts, list } }) {
    const [{ vasp }, { vasps, ...found }] = await Promise.all([
      api.info(),
      api.registeredVasps({ limit: pageSize(query), ...filled(query, 'after') }),
    ]);
    return (
      <>
        <section>
          <h2>{texts.signedInAs}</h2>
          <DefinitionList
            of={[
              [texts.youAre, vasp.name],
              ['vaspId', <Copyable text={vasp.vaspId} />],
              [texts.because, isSignedIn ? texts.byKey : texts.locally],
            ]}
          />
          {isSignedIn ? <ActionForm to="/console/sign-out" label={texts.signOut} /> : null}
          <ActionForm to="/console/sign-in" label={texts.signIn}>
            <Field name="apiKey" label={texts.keyOfAnother} type="password" placeholder="rv_…" required />
          </ActionForm>
        </section>
        <section>
          <h2>{texts.allVasps}</h2>
          <DataTable
            caption={texts.caption}
            rows={vasps}
            idOf={({ vaspId }) => `vasp-${vaspId}`}
            columns={[
              { head: list.name, cell: ({ name }) => name },
              { head: 'vaspId', cell: ({ vaspId }) => <Copyable text={vaspId} /> },
              {
                head: texts.health,
                cell: ({ health, endpoints }) => (Object.values(endpoints).some(Boolean) ? <Badge of={health} /> : '–'),
              },
              {
                head: texts.endpoints,
                numeric: true,
                cell: ({ endpoints }) =>
                  fill(list.countOf, {
                    count: ENDPOINTS.filter(each => endpoints[each]).length,
                    all: ENDPOINTS.length,
                  }),
              },
            ]}
          />
          <Pager path="/console/keys" query={query} cursor="after" shown={vasps.length} {...found} />
          <p>{texts.second}</p>
          <ActionForm to="/console/keys/register" label={texts.register}>
            <Field name="vaspId" label="vaspId" placeholder={texts.idHint} required />
            <Field name="name" label={list.name} placeholder={texts.nameHint} required />
          </ActionForm>
        </section>
      </>
    );
  },
};

/** The key is shown only here. */
const NewKey = ({ apiKey, name }: { apiKey: string; name: string }) => (
  <>
    <p>{useTexts().keys.newKey}</p>
    <p>
      <Copyable text={apiKey} />
    </p>
    <ActionForm to="/console/sign-in" label={fill(useTexts().keys.signInAs, { name })} values={{ apiKey }} />
  </>
);
