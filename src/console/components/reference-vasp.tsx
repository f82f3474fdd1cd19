import type { SandboxAnswers } from '../../client/answers.ts';
import type { Client } from '../../client/client.ts';
import type { Action } from '../page.ts';
import { ActionForm } from './action-form.tsx';

type State = SandboxAnswers['referenceVasp'];

const useOurs: Action = async ({ api }) => {
  await api.switchReferenceVasp(true);
  return { kind: 'done', text: 'The reference VASP runs. It answers in the place of your VASP.' };
};

const stopOurs: Action = async ({ api }) => {
  await api.switchReferenceVasp(false);
  return { kind: 'done', text: 'The reference VASP has stopped. Its addresses are removed.' };
};

const fill: Action = async ({ api }) => {
  const { verifications } = await api.fill();
  return { kind: 'done', text: `${verifications.length} verifications were played.` };
};

/** The actions of a page that shows the switch. */
export const referenceVaspActions: Record<string, Action> = {
  'use-ours': useOurs,
  'stop-ours': stopOurs,
  fill,
};

/** True: the switch is shown. A VASP with addresses of its own needs none. */
export async function referenceVaspOf(api: Client): Promise<State | undefined> {
  const [state, { vasp, hosted }, { vasps }] = await Promise.all([
    api.referenceVasp(),
    api.info(),
    api.registeredVasps(),
  ]);
  if (hosted) return undefined;
  const own = vasps.find(({ vaspId }) => vaspId === vasp.vaspId);
  const isFree = Object.keys(own?.endpoints ?? {}).length === 0;
  return state.running || isFree ? state : undefined;
}

/** `at`: address of the page, which has the actions above. */
export const ReferenceVasp = ({ state, at }: { state: State; at: string }) => (
  <section aria-labelledby="reference-vasp">
    <h2 id="reference-vasp">{state.running ? 'The reference VASP' : 'No VASP yet? Use ours'}</h2>
    {state.running ? <Running at={at} /> : <Stopped at={at} />}
  </section>
);

const Stopped = ({ at }: { at: string }) => (
  <>
    <p>
      A correct VASP starts beside the sandbox and plays the part of yours: it verifies, pays, reports and
      answers. You can run both guided tests with it.
    </p>
    <ActionForm to={`${at}/use-ours`} label="Use our VASP" tone="primary" />
  </>
);

const Running = ({ at }: { at: string }) => (
  <>
    <p>
      It plays the part of your VASP. Run the <a href="/console/tests/withdrawal">withdrawal test</a> and the{' '}
      <a href="/console/tests/deposit">deposit test</a>, or fill the sandbox with one example of everything.
    </p>
    <div class="row">
      <ActionForm to={`${at}/fill`} label="Fill the sandbox" tone="primary" />
      <ActionForm to={`${at}/stop-ours`} label="Stop our VASP" />
    </div>
  </>
);
