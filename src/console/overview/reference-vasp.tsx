import type { SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import { ActionForm } from '../components/action-form.tsx';
import type { Action } from '../page.ts';

type State = SandboxAnswers['referenceVasp'];

export const useOurs: Action = async ({ api }) => {
  await api.switchReferenceVasp(true);
  return { kind: 'done', text: 'The reference VASP runs. It answers in the place of your VASP.' };
};

export const stopOurs: Action = async ({ api }) => {
  await api.switchReferenceVasp(false);
  return { kind: 'done', text: 'The reference VASP has stopped. Its addresses are removed.' };
};

export const fill: Action = async ({ api }) => {
  const { verifications } = await api.fill();
  return { kind: 'done', text: `${verifications.length} verifications were played.` };
};

/** Whether the switch is shown: a VASP with addresses of its own needs none. */
export async function referenceVaspOf(api: Client): Promise<State | undefined> {
  const [state, { vasp }, { vasps }] = await Promise.all([
    api.referenceVasp(),
    api.info(),
    api.registeredVasps(),
  ]);
  const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId);
  const isFree = Object.keys(own?.endpoints ?? {}).length === 0;
  return state.running || isFree ? state : undefined;
}

export const ReferenceVasp = ({ state }: { state: State }) => (
  <section aria-labelledby="reference-vasp">
    <h2 id="reference-vasp">{state.running ? 'The reference VASP' : 'No VASP yet? Use ours'}</h2>
    {state.running ? <Running /> : <Stopped />}
  </section>
);

const Stopped = () => (
  <>
    <p>
      A correct VASP starts beside the sandbox and plays the part of yours: it verifies, pays, reports and
      answers. You can run both guided tests with it.
    </p>
    <ActionForm to="/console/use-ours" label="Use our VASP" tone="primary" />
  </>
);

const Running = () => (
  <>
    <p>
      It plays the part of your VASP. Run the <a href="/console/tests/withdrawal">withdrawal test</a> and the{' '}
      <a href="/console/tests/deposit">deposit test</a>, or fill the sandbox with one example of everything.
    </p>
    <div class="row">
      <ActionForm to="/console/fill" label="Fill the sandbox" tone="primary" />
      <ActionForm to="/console/stop-ours" label="Stop our VASP" />
    </div>
  </>
);
