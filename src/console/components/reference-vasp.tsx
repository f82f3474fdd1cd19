import type { Answers, Client } from '../../client/client.ts';
import { EXAMPLE_MODULES } from '../../contract/plans.ts';
import { type Action, done } from '../page.ts';
import { useTexts } from '../texts/languages.ts';
import { ActionForm } from './form.tsx';
import { Paragraph } from './text.tsx';

type State = Answers['referenceVasp'];

const useOurs: Action = async ({ api, texts }) => {
  await api.switchReferenceVasp(true);
  return done(texts.referenceVasp.runs);
};

const stopOurs: Action = async ({ api, texts }) => {
  await api.switchReferenceVasp(false);
  return done(texts.referenceVasp.hasStopped);
};

const fill: Action = async ({ api }) => {
  const { id } = await api.startRun({ plan: 'complete', modules: EXAMPLE_MODULES, unattended: true });
  return { goTo: `/console/checks/${id}` };
};

/** The actions of a page that shows the switch. */
export const referenceVaspActions: Record<string, Action> = { 'use-ours': useOurs, 'stop-ours': stopOurs, fill };

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
export const ReferenceVasp = ({ state, at }: { state: State; at: string }) => {
  const texts = useTexts().referenceVasp;
  return (
    <section aria-labelledby="reference-vasp">
      <h2 id="reference-vasp">{state.running ? texts.title : texts.offer}</h2>
      <Paragraph of={state.running ? texts.running : texts.stopped} />
      {state.running ? (
        <div class="row">
          <ActionForm to={`${at}/fill`} label={texts.fill} tone="primary" />
          <ActionForm to={`${at}/stop-ours`} label={texts.stop} />
        </div>
      ) : (
        <ActionForm to={`${at}/use-ours`} label={texts.use} tone="primary" />
      )}
    </section>
  );
};
