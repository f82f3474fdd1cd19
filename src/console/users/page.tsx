import type { Answers, RobotUser } from '../../client/client.ts';
import { applySetup, parseSetup, readSetup, setupText } from '../../client/setup.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { DataTable, FilterBar, filled, withQuery } from '../components/table.tsx';
import { Clauses, Copyable, Fold, InlineCode, Prose } from '../components/text.tsx';
import { type UserFields, UserForm, userOf } from '../components/user-form.tsx';
import { Badge } from '../components/values.tsx';
import { orNotServed } from '../not-served.ts';
import { type Action, type Download, done, type Page, type PageContext } from '../page.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';

/** Users and faults as one file, the same as that of `robot-vasp setup`. */
const SetupFile = () => {
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

const setupDownload = async ({ api }: PageContext): Promise<Download> => ({
  name: 'setup.json',
  type: 'application/json',
  content: setupText(await readSetup(api)),
});

const importSetup: Action = async ({ api, texts }, { setup: text = '' }) => {
  const setup = parseSetup(text);
  if (!setup) return { kind: 'failed', field: 'setup', text: texts.users.noFile };
  await applySetup(api, setup);
  const { users, faults } = setup;
  return done(fill(texts.users.imported, { users: Object.keys(users).length, faults: faults.length }));
};

type Behaviours = Answers['users']['behaviours'];
type Scenarios = Answers['scenarios']['scenarios'];

const MAX_PROVOKED = 5;

const NEW: UserFields = { kind: 'natural', behaviour: 'ORDINARY', kyc: 'yes' };

export const users: Page = {
  path: '/users',
  title: 'Users',
  group: 'Steer',
  servedBy: 'robot',
  isLive: true,
  downloads: { 'setup.json': setupDownload },
  async render({ api, query, texts: { users: texts } }) {
    const [{ users: all, behaviours }, { scenarios }] = await Promise.all([
      api.users(),
      orNotServed(api.scenarios(), { scenarios: [] }),
    ]);
    const { behaviour } = filled(query, 'behaviour');
    const rows = all.filter(user => behaviour === undefined || user.behaviour === behaviour);
    const codes = behaviours.map(each => each.behaviour);
    return (
      <>
        <p>{texts.intro}</p>
        <FilterBar
          action="/console/users"
          query={query}
          fields={[{ name: 'behaviour', label: texts.behaviour, any: texts.any, options: codes }]}
        />
        <UserList rows={rows} meaningOf={code => meaningIn(behaviours, code)} scenarios={scenarios} />
        <Meanings of={behaviours} />
        <section id="add">
          <h2>{texts.addUser}</h2>
          <UserForm to="/console/users/add" label={texts.add} fields={NEW} behaviours={codes} isNew />
        </section>
        <SetupFile />
        <section>
          <h2>{texts.restoreTitle}</h2>
          <p>{texts.restoreMeaning}</p>
          <ActionForm
            to="/console/users/restore"
            label={texts.restore}
            tone="contrast"
            warning={texts.restoreWarning}
          />
        </section>
      </>
    );
  },
  actions: {
    async add({ api, texts: { users: texts } }, form) {
      const id = (form.userId ?? '').trim();
      const { users: all } = await api.users();
      if (all.some(user => user.id === id))
        return { kind: 'failed', field: 'userId', text: fill(texts.exists, { id }) };
      const user = await api.putUser(id, userOf(form));
      return {
        kind: 'done',
        text: fill(texts.isUser, { name: nameOf(user) }),
        detail: (
          <a data-offer href={`/console/send?user=${user.id}`}>
            {fill(texts.sendTo, { id: user.id })}
          </a>
        ),
      };
    },
    import: importSetup,
    async remove({ api, texts }, { userId = '' }) {
      await api.removeUser(userId);
      return done(fill(texts.users.removed, { id: userId }));
    },
    async restore({ api, texts }) {
      await api.restoreUsers();
      return done(texts.users.restored);
    },
  },
};

const meaningIn = (behaviours: Behaviours, code: string): string =>
  behaviours.find(({ behaviour }) => behaviour === code)?.meaning ?? '';

const Meanings = ({ of }: { of: Behaviours }) => {
  const { users } = useTexts();
  return (
    <Fold id="behaviours" summary={users.allBehaviours}>
      <dl>
        {of.map(({ behaviour, meaning, operation, clause }) => (
          <>
            <dt>{behaviour}</dt>
            <dd>
              <InlineCode text={meaning} />{' '}
              <small>
                ({operation}, <Clauses of={clause} />)
              </small>
            </dd>
          </>
        ))}
      </dl>
    </Fold>
  );
};

interface UserList {
  rows: readonly RobotUser[];
  meaningOf(behaviour: string): string;
  scenarios: Scenarios;
}

const UserList = ({ rows, meaningOf, scenarios }: UserList) => {
  const { users } = useTexts();
  return (
    <DataTable
      caption={users.caption}
      rows={rows}
      empty={users.noneFits}
      idOf={({ id }) => `user-${id}`}
      columns={[
        { head: users.user, cell: user => <UserName user={user} /> },
        {
          head: 'KYC',
          cell: ({ kyc }) => <Badge of={kyc ? users.kycDone : users.kycNotDone} tone={kyc ? 'good' : 'warn'} />,
        },
        {
          head: users.behaviour,
          cell: ({ id, behaviour }) => (
            <>
              <Behaviour code={behaviour} meaning={meaningOf(behaviour)} />
              <Provokes of={scenarios.filter(({ user }) => user === id)} />
            </>
          ),
        },
        { head: users.addresses, cell: ({ accounts }) => <Accounts {...accounts} /> },
        { head: users.actions, cell: user => <UserLinks id={user.id} /> },
      ]}
    />
  );
};

export const nameOf = ({ names }: Pick<RobotUser, 'names'>): string =>
  'legalName' in names ? names.legalName : `${names.firstName} ${names.lastName}`;

const UserName = ({ user }: { user: RobotUser }) => (
  <>
    <strong>{nameOf(user)}</strong> {user.source === 'fixture' ? null : <Badge of={user.source} tone="busy" />}
    <br />
    <code>{user.id}</code>
    {'legalName' in user.names ? (
      <>
        <br />
        <small>
          {fill(useTexts().users.companyBy, {
            names: user.names.representatives.map(each => `${each.firstName} ${each.lastName}`).join(', '),
          })}
        </small>
      </>
    ) : null}
  </>
);

const Behaviour = ({ code, meaning }: { code: string; meaning: string }) => (
  <>
    {code}
    <br />
    <small>
      <InlineCode text={meaning} />
    </small>
  </>
);

/** `verify-user: OK`: the operation is a code. */
function scenarioName(id: string, say: (text: string) => string): string {
  const [operation = '', ...name] = id.split(': ');
  return `${operation}: ${say(name.join(': '))}`;
}

/** An ordinary user may provoke something, too: by his name, his address or the lists of a provider. */
const Provokes = ({ of }: { of: Scenarios }) => {
  const { users } = useTexts();
  const say = useSentences();
  return of.length === 0 ? null : (
    <div>
      <small>
        {users.provokes}{' '}
        {of.slice(0, MAX_PROVOKED).map(({ id }, position) => (
          <>
            {position > 0 ? ' · ' : ''}
            <a href={withQuery('/console/send', { scenario: id })}>{scenarioName(id, say)}</a>
          </>
        ))}
        {of.length > MAX_PROVOKED ? ' …' : ''}
      </small>
    </div>
  );
};

const Accounts = (accounts: RobotUser['accounts']) => (
  <>
    {Object.entries(accounts).map(([symbol, address]) => (
      <div class="together">
        <small>{symbol}</small> <Copyable text={address} ends={10} />
      </div>
    ))}
  </>
);

const UserLinks = ({ id }: { id: string }) => (
  <div class="together">
    <a data-offer href={`/console/send?user=${id}`} aria-label={fill(useTexts().users.sendTo, { id })}>
      {useTexts().users.send}
    </a>{' '}
    <a href={`/console/users/${id}`} aria-label={fill(useTexts().users.changeThis, { id })}>
      {useTexts().users.change}
    </a>
  </div>
);
