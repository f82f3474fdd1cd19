import type { RobotUser } from '../../client/answers.ts';
import { ActionForm } from '../components/action-form.tsx';
import { Copyable } from '../components/copyable.tsx';
import { DefinitionList } from '../components/definition-list.tsx';
import { fieldsOf, UserForm, userOf } from '../components/user-form.tsx';
import { type Page, Titled } from '../page.ts';
import { nameOf } from '../users/list.tsx';

export const user: Page = {
  path: '/users/:id',
  title: 'User',
  parent: '/users',
  isLive: false,
  async render({ api, params: { id = '' }, form }) {
    const [shown, { behaviours }] = await Promise.all([api.user(id), api.users()]);
    const meaning = behaviours.find(({ behaviour }) => behaviour === shown.behaviour)?.meaning;
    return new Titled(
      nameOf(shown),
      <>
        <DefinitionList
          of={[
            ['Id', <code>{shown.id}</code>],
            ['Behaviour', `${shown.behaviour}: ${meaning}`],
            ['Source', SOURCES[shown.source]],
            ...Object.entries(shown.accounts).map(
              ([symbol, address]) => [`${symbol} address`, <Copyable text={address} />] as const,
            ),
          ]}
        />
        <p>
          <a href={`/console/send?user=${shown.id}`}>Send a verification to this user</a>
        </p>
        <h2>Change</h2>
        <UserForm
          to={`/console/users/${shown.id}/change`}
          label="Change"
          fields={form ? { kyc: '', ...form } : fieldsOf(shown)}
          behaviours={behaviours.map(each => each.behaviour)}
        />
        <h2>Remove</h2>
        <ActionForm
          to="/console/users/remove"
          label={`Remove ${shown.id}`}
          values={{ userId: shown.id }}
          tone="contrast"
          warning={`${nameOf(shown)} is removed for your VASP. Verifications to this user become UNKNOWN. Running tests continue.`}
        />
      </>,
    );
  },
  actions: {
    async change({ api, params: { id = '' } }, form) {
      const changed = await api.putUser(id, userOf(form));
      return { kind: 'done', text: `${nameOf(changed)} was changed for your VASP.` };
    },
  },
};

const SOURCES: Record<RobotUser['source'], string> = {
  fixture: 'fixtures',
  changed: 'fixtures, changed by your VASP',
  added: 'added by your VASP',
};
