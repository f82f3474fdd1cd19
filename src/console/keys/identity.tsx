import type { Info } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';
import { useTexts } from '../texts/languages.ts';

interface Identity {
  vasp: Info['vasp'];
  isSignedIn: boolean;
}

/** The signed-in VASP, and a form to sign in as another. */
export const Identity = ({ vasp, isSignedIn }: Identity) => {
  const texts = useTexts().keys;
  return (
    <>
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
    </>
  );
};
