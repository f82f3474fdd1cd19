import { applySetup, parseSetup, readSetup, setupText } from '../../client/setup.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Field } from '../components/field.tsx';
import type { Action, Download, PageContext } from '../page.ts';

/** Users and faults as one file, the same as that of `robot-vasp setup`. */
export const SetupFile = () => (
  <section id="file">
    <h2>Export and import</h2>
    <p>
      One file holds your changes of the users, and your faults.{' '}
      <a href="/console/users/setup.json" download>
        Download setup.json
      </a>
      . The command <code>robot-vasp setup</code> reads and writes the same file.
    </p>
    <ActionForm to="/console/users/import" label="Import">
      <Field
        name="setup"
        label="Content of setup.json"
        rows={4}
        code
        required
        help="Adds to what is there. The robot chooses the addresses of users, so they differ elsewhere."
      />
    </ActionForm>
  </section>
);

export const setupDownload = async ({ api }: PageContext): Promise<Download> => ({
  name: 'setup.json',
  type: 'application/json',
  content: setupText(await readSetup(api)),
});

export const importSetup: Action = async ({ api }, { setup: text = '' }) => {
  const setup = parseSetup(text);
  if (!setup)
    return {
      kind: 'failed',
      field: 'setup',
      text: 'This is no file of users and faults. Paste the whole content of setup.json.',
    };
  await applySetup(api, setup);
  const { users, faults } = setup;
  return { kind: 'done', text: `Imported: ${Object.keys(users).length} users, ${faults.length} faults.` };
};
