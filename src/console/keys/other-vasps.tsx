import type { Answers } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Badge } from '../components/badge.tsx';
import { Copyable } from '../components/copyable.tsx';
import { type Column, DataTable } from '../components/data-table.tsx';
import { Field } from '../components/field.tsx';
import { ENDPOINTS } from '../settings/endpoints.ts';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';

type Registered = Answers['registerVasp'];

const columnsOf = ({ keys, list }: Texts): Column<Registered>[] => [
  { head: list.name, cell: ({ name }) => name },
  { head: 'vaspId', cell: ({ vaspId }) => <Copyable text={vaspId} /> },
  { head: keys.health, cell: ({ health }) => <Badge of={health} /> },
  {
    head: keys.endpoints,
    numeric: true,
    cell: ({ endpoints }) => list.countOf(ENDPOINTS.filter(each => endpoints[each]).length, ENDPOINTS.length),
  },
];

/** All registered VASPs, and a form for one more. */
export const OtherVasps = ({ vasps }: { vasps: readonly Registered[] }) => {
  const texts = useTexts().keys;
  return (
    <>
      <DataTable
        caption={texts.caption}
        columns={columnsOf(useTexts())}
        rows={vasps}
        idOf={({ vaspId }) => `vasp-${vaspId}`}
      />
      <p>{texts.second}</p>
      <ActionForm to="/console/keys/register" label={texts.register}>
        <Field name="vaspId" label="vaspId" placeholder={texts.idHint} required />
        <Field name="name" label={useTexts().list.name} placeholder={texts.nameHint} required />
      </ActionForm>
    </>
  );
};

/** The key is shown only here. */
export const NewKey = ({ apiKey, name }: { apiKey: string; name: string }) => (
  <>
    <p>{useTexts().keys.newKey}</p>
    <p>
      <Copyable text={apiKey} />
    </p>
    <ActionForm to="/console/sign-in" label={useTexts().keys.signInAs(name)} values={{ apiKey }} />
  </>
);
