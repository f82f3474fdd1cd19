import { ActionForm } from '../components/form.tsx';
import { Link } from '../components/link.tsx';
import { Copyable, DefinitionList, InlineCode } from '../components/text.tsx';
import { fieldsOf, UserForm, userOf } from '../components/user-form.tsx';
import { done, type Page, Titled } from '../page.ts';
import { fill } from '../texts/languages.ts';
import { nameOf } from '../users/page.tsx';

export const user: Page = {
  path: '/users/:id',
  title: 'User',
  parent: '/users',
  servedBy: 'robot',
  isLive: false,
  async render({ api, params: { id = '' }, texts: { user: texts, users: common } }) {
    const [shown, { behaviours }] = await Promise.all([api.user(id), api.users()]);
    const meaning = behaviours.find(({ behaviour }) => behaviour === shown.behaviour)?.meaning ?? '';
    return new Titled(
      nameOf(shown),
      <>
        <DefinitionList
          of={[
            [texts.id, <code>{shown.id}</code>],
            [
              common.behaviour,
              <>
                {shown.behaviour}: <InlineCode text={meaning} />
              </>,
            ],
            [texts.source, texts[shown.source]],
            ...Object.entries(shown.accounts).map(
              ([symbol, address]) => [fill(texts.addressIn, { symbol }), <Copyable text={address} />] as const,
            ),
          ]}
        />
        <p>
          <Link isOffer to={`/console/send?user=${shown.id}`}>
            {texts.sendToThis}
          </Link>
        </p>
        <h2>{common.change}</h2>
        <UserForm
          to={`/console/users/${shown.id}/change`}
          label={common.change}
          fields={fieldsOf(shown)}
          behaviours={behaviours.map(each => each.behaviour)}
        />
        <h2>{texts.remove}</h2>
        <ActionForm
          to="/console/users/remove"
          label={fill(texts.removeThis, { id: shown.id })}
          values={{ userId: shown.id }}
          tone="contrast"
          warning={fill(texts.removeWarning, { name: nameOf(shown) })}
        />
      </>,
    );
  },
  actions: {
    async change({ api, params: { id = '' }, texts }, form) {
      const changed = await api.putUser(id, userOf(form));
      return done(fill(texts.user.wasChanged, { name: nameOf(changed) }));
    },
  },
};
