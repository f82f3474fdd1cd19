import type { SandboxAnswers } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Empty } from '../components/empty.tsx';
import { Field } from '../components/field.tsx';
import { FilterBar, filled } from '../components/filter-bar.tsx';
import { Fold } from '../components/fold.tsx';
import { type UserFields, UserForm, userOf } from '../components/user-form.tsx';
import type { Page } from '../page.ts';
import { nameOf, UserList } from './list.tsx';
import { importSetup, SetupFile, setupDownload } from './setup-file.tsx';

type Behaviours = SandboxAnswers['users']['behaviours'];

const NEW: UserFields = { kind: 'natural', behaviour: 'ORDINARY', kyc: 'yes' };

export const users: Page = {
  path: '/users',
  title: 'Users',
  group: 'Steer',
  isLive: true,
  downloads: { 'setup.json': setupDownload },
  async render({ api, query, form }) {
    const { users: all, behaviours } = await api.users();
    const { behaviour } = filled(query, 'behaviour');
    const rows = all.filter(user => behaviour === undefined || user.behaviour === behaviour);
    const wasRefused = form?.kind !== undefined && !all.some(({ id }) => id === form.userId);
    const codes = behaviours.map(each => each.behaviour);
    return (
      <>
        <p>
          Every user has a behaviour, which decides the outcome of a test. Choose a user as the beneficiary of
          a withdrawal test or as the originator of a deposit test. Your changes affect only your VASP.
        </p>
        <FilterBar action="/console/users">
          <Field name="behaviour" label="Behaviour" value={behaviour} options={[['', 'Any'], ...codes]} />
        </FilterBar>
        {rows.length === 0 ? (
          <Empty>
            No user has this behaviour. Clear the filter, or <a href="#add">add a user</a>.
          </Empty>
        ) : (
          <UserList rows={rows} meaningOf={code => meaningIn(behaviours, code)} />
        )}
        <Meanings of={behaviours} />
        <section id="add">
          <h2>Add a user</h2>
          <UserForm
            to="/console/users/add"
            label="Add"
            fields={wasRefused ? { kyc: '', ...form } : NEW}
            behaviours={codes}
            isNew
          />
        </section>
        <SetupFile />
        <section>
          <h2>Restore</h2>
          <p>Undoes all your changes and restores the removed users.</p>
          <ActionForm
            to="/console/users/restore"
            label="Restore all users"
            tone="contrast"
            warning="All users that you added go, and all your changes."
          />
        </section>
      </>
    );
  },
  actions: {
    async add({ api }, form) {
      const id = (form.userId ?? '').trim();
      const { users: all } = await api.users();
      if (all.some(user => user.id === id))
        return { kind: 'failed', text: `There is already a user ${id}. Change it, or choose another id.` };
      const user = await api.putUser(id, userOf(form));
      return {
        kind: 'done',
        text: `${nameOf(user)} is now a user of the robot.`,
        detail: <a href={`/console/send?user=${user.id}`}>Send a verification to {user.id}</a>,
      };
    },
    import: importSetup,
    async remove({ api }, { userId = '' }) {
      await api.removeUser(userId);
      return {
        kind: 'done',
        text: `${userId} was removed for your VASP. Running tests with this user continue.`,
      };
    },
    async restore({ api }) {
      await api.restoreUsers();
      return { kind: 'done', text: 'All users are restored.' };
    },
  },
};

const meaningIn = (behaviours: Behaviours, code: string): string =>
  behaviours.find(({ behaviour }) => behaviour === code)?.meaning ?? '';

const Meanings = ({ of }: { of: Behaviours }) => (
  <Fold id="behaviours" summary="All behaviours">
    <dl>
      {of.map(({ behaviour, meaning, operation, clause }) => (
        <>
          <dt>{behaviour}</dt>
          <dd>
            {meaning}{' '}
            <small>
              ({operation}, {clause})
            </small>
          </dd>
        </>
      ))}
    </dl>
  </Fold>
);
