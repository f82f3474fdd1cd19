import type { Client } from '../../client/client.ts';
import { ActionForm } from '../components/action-form.tsx';
import type { Action, Notice, Page } from '../page.ts';
import { CheckTable } from './check-table.tsx';
import { Environment } from './environment.tsx';
import { changeOf, RegistrationForm } from './registration-form.tsx';

const save: Action = async ({ api }, form) => {
  const { vaspId } = (await api.info()).vasp;
  await api.changeVasp(vaspId, changeOf(form));
  if (form.then !== 'check') return { kind: 'done', text: 'Saved. The next call uses it.' };
  const { kind, text, detail } = await checked(api, vaspId);
  return { kind, text: `Saved. ${text}`, detail };
};

const check: Action = async ({ api }) => checked(api, (await api.info()).vasp.vaspId);

async function checked(api: Client, vaspId: string): Promise<Notice> {
  const { checks } = await api.checkVasp(vaspId);
  const wrong = checks.filter(({ ok }) => !ok).length;
  return {
    kind: wrong === 0 ? 'done' : 'failed',
    text:
      wrong === 0
        ? 'All endpoints answered correctly.'
        : `${wrong} of ${checks.length} endpoints have a problem.`,
    detail: <CheckTable checks={checks} />,
  };
}

const reset: Action = async ({ api }) => {
  await api.reset();
  return { kind: 'done', text: 'Your data was removed. Your clock is back at the time of the machine.' };
};

/** The endpoints of the signed-in VASP, and their check. */
export const settings: Page = {
  path: '/settings',
  title: 'My VASP',
  group: 'Set up',
  isLive: false,
  actions: { save, check, reset },
  async render({ api }) {
    const [{ vasp }, { vasps }] = await Promise.all([api.info(), api.registeredVasps()]);
    const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId)!;
    return (
      <>
        <section>
          <h2>Your VASP</h2>
          <RegistrationForm vasp={own} />
          <h3>Check the endpoints</h3>
          <p>
            The enclave sends each endpoint one harmless sample request, in the same way as real requests.
          </p>
          <ActionForm to="/console/settings/check" label="Call my endpoints now" tone="primary" />
        </section>
        <section>
          <h2>Environment variables</h2>
          <Environment vasp={own} />
        </section>
        <section>
          <h2>Start over</h2>
          <ActionForm
            to="/console/settings/reset"
            label="Remove all data of your VASP"
            tone="contrast"
            warning={`This removes all verifications, callbacks, transfers, timers and exchanges of ${vasp.name}. Its registration, other VASPs and the chains stay.`}
          />
        </section>
      </>
    );
  },
};
