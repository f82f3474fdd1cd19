import type { Info } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { Facts } from '../components/definition-list.tsx';
import { Field } from '../components/field.tsx';

interface Identity {
  vasp: Info['vasp'];
  isSignedIn: boolean;
}

/** Who is acting here, and how to act as another VASP. */
export const Identity = ({ vasp, isSignedIn }: Identity) => (
  <>
    <Facts
      of={[
        ['You are', vasp.name],
        ['vaspId', <Copyable text={vasp.vaspId} />],
        [
          'By',
          isSignedIn ? 'the API key that you signed in with' : 'local mode: without a key you are this VASP',
        ],
      ]}
    />
    {isSignedIn ? <ActionForm to="/console/sign-out" label="Sign out" /> : null}
    <ActionForm to="/console/sign-in" label="Sign in">
      <Field name="apiKey" label="API key of another VASP" type="password" placeholder="rv_…" required />
    </ActionForm>
  </>
);
