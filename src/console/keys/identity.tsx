import type { Info } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';

interface Identity {
  vasp: Info['vasp'];
  isSignedIn: boolean;
}

/** The signed-in VASP, and a form to sign in as another. */
export const Identity = ({ vasp, isSignedIn }: Identity) => (
  <>
    <DefinitionList
      of={[
        ['You are', vasp.name],
        ['vaspId', <Copyable text={vasp.vaspId} />],
        [
          'Because',
          isSignedIn ? 'you signed in with its API key' : 'local mode: without a key you are this VASP',
        ],
      ]}
    />
    {isSignedIn ? <ActionForm to="/console/sign-out" label="Sign out" /> : null}
    <ActionForm to="/console/sign-in" label="Sign in">
      <Field name="apiKey" label="API key of another VASP" type="password" placeholder="rv_…" required />
    </ActionForm>
  </>
);
