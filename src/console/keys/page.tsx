import { filled } from '../components/filter-bar.tsx';
import { Pager, pageSize } from '../components/pager.tsx';
import type { Action, Page } from '../page.ts';
import { Identity } from './identity.tsx';
import { NewKey, OtherVasps } from './other-vasps.tsx';

const register: Action = async ({ api, texts: { keys: texts } }, { vaspId = '', name = '' }) => {
  const id = vaspId.trim();
  if (id === (await api.info()).vasp.vaspId) return { kind: 'failed', field: 'vaspId', text: texts.ownId };
  const { apiKey = '' } = await api.registerVasp(encodeURIComponent(id), { name: name.trim() });
  return { kind: 'done', text: texts.registered(name), detail: <NewKey apiKey={apiKey} name={name} /> };
};

/** The signed-in VASP, and the keys of all VASPs. */
export const keys: Page = {
  path: '/keys',
  title: 'Keys',
  audience: ['local'],
  group: 'Set up',
  isLive: false,
  actions: { register },
  async render({ api, isSignedIn, query, texts: { keys: texts } }) {
    const [{ vasp }, { vasps, ...found }] = await Promise.all([
      api.info(),
      api.registeredVasps({ limit: pageSize(query), ...filled(query, 'after') }),
    ]);
    return (
      <>
        <section>
          <h2>{texts.signedInAs}</h2>
          <Identity vasp={vasp} isSignedIn={isSignedIn} />
        </section>
        <section>
          <h2>{texts.allVasps}</h2>
          <OtherVasps vasps={vasps} />
          <Pager path="/console/keys" query={query} cursor="after" shown={vasps.length} {...found} />
        </section>
      </>
    );
  },
};
