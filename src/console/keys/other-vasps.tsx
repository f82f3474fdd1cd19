import type { SandboxAnswers } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import type { FormValues } from '../components/form-values.ts';
import { ENDPOINTS } from '../settings/endpoints.ts';

type Registered = SandboxAnswers['vasp'];

const COLUMNS: Column<Registered>[] = [
  { head: 'Name', cell: ({ name }) => name },
  { head: 'vaspId', cell: ({ vaspId }) => <Copyable text={vaspId} /> },
  { head: 'Health', cell: ({ health }) => <Badge of={health} /> },
  {
    head: 'Endpoints',
    numeric: true,
    cell: ({ endpoints }) => `${ENDPOINTS.filter(each => endpoints[each]).length} of ${ENDPOINTS.length}`,
  },
];

interface OtherVasps {
  vasps: readonly Registered[];
  /** A refused form. */
  form?: FormValues | undefined;
}

/** All registered VASPs, and a form for one more. */
export const OtherVasps = ({ vasps, form }: OtherVasps) => (
  <>
    <DataTable
      caption="Registered VASPs"
      columns={COLUMNS}
      rows={vasps}
      idOf={({ vaspId }) => `vasp-${vaspId}`}
    />
    <p>Register a second VASP to test two of yours against each other. Each sees only its own data.</p>
    <ActionForm to="/console/keys/register" label="Register">
      <Field name="vaspId" label="vaspId" value={form?.vaspId} placeholder="digits, up to 20" required />
      <Field name="name" label="Name" value={form?.name} placeholder="Second VASP" required />
    </ActionForm>
  </>
);

/** The key is shown only here. */
export const NewKey = ({ apiKey, name }: { apiKey: string; name: string }) => (
  <>
    <p>This is its API key. It is shown only once, so keep it:</p>
    <p>
      <Copyable text={apiKey} />
    </p>
    <ActionForm to="/console/sign-in" label={`Sign in as ${name}`} values={{ apiKey }} />
  </>
);
