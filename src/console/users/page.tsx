import type { Answers, RobotUser } from '../../client/client.ts';
import { applySetup, parseSetup, readSetup, setupText } from '../../client/setup.ts';
import { ActionForm, Field } from '../components/form.tsx';
import { Link } from '../components/link.tsx';
import { DataTable, FilterBar, filled, withQuery } from '../components/table.tsx';
import { Clauses, Copyable, Fold, InlineCode, Paragraph, WithReason } from '../components/text.tsx';
import { type UserFields, UserForm, userOf } from '../components/user-form.tsx';
import { Badge } from '../components/values.tsx';
import { orNotServed } from '../not-served.ts';
import { done, type Page } from '../page.ts';
import { fill, useSentences, useTexts } from '../texts/languages.ts';

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
  downloads: {
    'setup.json': async ({ api }) => ({
      name: 'setup.json',
      type: 'application/json',
      content: setupText(await readSetup(api)),
    }),
  },
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
        <UserList rows={rows} behaviours={behaviours} scenarios={scenarios} />
        <Meanings of={behaviours} />
        <section id="add">
          <h2>{texts.addUser}</h2>
          <UserForm to="/console/users/add" label={texts.add} fields={NEW} behaviours={codes} isNew />
        </section>
        {/* The same file as that of `robot-vasp setup`. */}
        <section id="file">
          <h2>{texts.file}</h2>
          <Paragraph of={texts.fileMeaning} />
          <ActionForm to="/console/users/import" label={texts.import}>
            <Field name="setup" label={texts.fileField} rows={4} code required help={texts.fileHelp} />
          </ActionForm>
        </section>
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
      return done(
        fill(texts.isUser, { name: nameOf(user) }),
        <Link isOffer to={`/console/send?user=${id}`}>
          {fill(texts.sendTo, { id })}
        </Link>,
      );
    },
    async import({ api, texts: { users: texts } }, { setup: text = '' }) {
      const setup = parseSetup(text);
      if (!setup) return { kind: 'failed', field: 'setup', text: texts.noFile };
      await applySetup(api, setup);
      const counts = { users: Object.keys(setup.users).length, faults: setup.faults.length };
      return done(fill(texts.imported, counts));
    },
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
  behaviours: Behaviours;
  scenarios: Scenarios;
}

const UserList = ({ rows, behaviours, scenarios }: UserList) => {
  const { users } = useTexts();
  const meaningOf = (code: string) => behaviours.find(({ behaviour }) => behaviour === code)?.meaning ?? '';
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
              <WithReason reason={meaningOf(behaviour)}>{behaviour}</WithReason>
              <Provokes of={scenarios.filter(({ user }) => user === id)} />
            </>
          ),
        },
        {
          head: users.addresses,
          cell: ({ accounts }) =>
            Object.entries(accounts).map(([symbol, address]) => (
              <div class="together">
                <small>{symbol}</small> <Copyable text={address} ends={10} />
              </div>
            )),
        },
        {
          head: users.actions,
          cell: ({ id }) => (
            <div class="together">
              <Link isOffer to={`/console/send?user=${id}`} aria-label={fill(users.sendTo, { id })}>
                {users.send}
              </Link>{' '}
              <a href={`/console/users/${id}`} aria-label={fill(users.changeThis, { id })}>
                {users.change}
              </a>
            </div>
          ),
        },
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
