import type { Client } from '../../client/client.ts';
import { ActionForm } from '../components/action-form.tsx';
import type { Action, Notice, Page } from '../page.ts';
import type { Texts } from '../texts/english.ts';
import { CheckTable } from './check-table.tsx';
import { Environment } from './environment.tsx';
import { changeOf, RegistrationForm } from './registration-form.tsx';

const save: Action = async ({ api, texts: { settings: texts } }, form) => {
  const { vaspId } = (await api.info()).vasp;
  await api.changeVasp(vaspId, changeOf(form));
  if (form.then !== 'check') return { kind: 'done', text: texts.saved };
  const { kind, text, detail } = await checked(api, vaspId, texts);
  return { kind, text: texts.savedAnd(text), detail };
};

const check: Action = async ({ api, texts }) => checked(api, (await api.info()).vasp.vaspId, texts.settings);

async function checked(api: Client, vaspId: string, texts: Texts['settings']): Promise<Notice> {
  const { checks } = await api.checkVasp(vaspId);
  const wrong = checks.filter(({ ok }) => !ok).length;
  return {
    kind: wrong === 0 ? 'done' : 'failed',
    text: wrong === 0 ? texts.allCorrect : texts.haveProblem(wrong, checks.length),
    detail: <CheckTable checks={checks} />,
  };
}

const reset: Action = async ({ api, texts }) => {
  await api.reset();
  return { kind: 'done', text: texts.settings.removed };
};

/** The endpoints of the signed-in VASP, and their check. */
export const settings: Page = {
  path: '/settings',
  title: 'My VASP',
  group: 'Set up',
  home: 'enclave',
  isLive: false,
  actions: { save, check, reset },
  async render({ api, texts: { settings: texts } }) {
    const [{ vasp }, { vasps }] = await Promise.all([api.info(), api.registeredVasps()]);
    const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId)!;
    return (
      <>
        <section>
          <h2>{texts.yourVasp}</h2>
          <RegistrationForm vasp={own} />
          <h3>{texts.check}</h3>
          <p>{texts.checkMeaning}</p>
          <ActionForm to="/console/settings/check" label={texts.callNow} tone="primary" />
        </section>
        <section>
          <h2>{texts.environment}</h2>
          <Environment vasp={own} />
        </section>
        <section>
          <h2>{texts.startOver}</h2>
          <ActionForm
            to="/console/settings/reset"
            label={texts.removeAll}
            tone="contrast"
            warning={texts.removeWarning(vasp.name)}
          />
        </section>
      </>
    );
  },
};
