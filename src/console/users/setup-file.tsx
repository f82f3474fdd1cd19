import { applySetup, parseSetup, readSetup, setupText } from '../../client/setup.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Field } from '../components/field.tsx';
import { Prose } from '../components/prose.tsx';
import type { Action, Download, PageContext } from '../page.ts';
import { useTexts } from '../texts/languages.ts';

/** Users and faults as one file, the same as that of `robot-vasp setup`. */
export const SetupFile = () => {
  const { users } = useTexts();
  return (
    <section id="file">
      <h2>{users.file}</h2>
      <p>
        <Prose of={users.fileMeaning} />
      </p>
      <ActionForm to="/console/users/import" label={users.import}>
        <Field name="setup" label={users.fileField} rows={4} code required help={users.fileHelp} />
      </ActionForm>
    </section>
  );
};

export const setupDownload = async ({ api }: PageContext): Promise<Download> => ({
  name: 'setup.json',
  type: 'application/json',
  content: setupText(await readSetup(api)),
});

export const importSetup: Action = async ({ api, texts }, { setup: text = '' }) => {
  const setup = parseSetup(text);
  if (!setup) return { kind: 'failed', field: 'setup', text: texts.users.noFile };
  await applySetup(api, setup);
  const { users, faults } = setup;
  return { kind: 'done', text: texts.users.imported(Object.keys(users).length, faults.length) };
};
