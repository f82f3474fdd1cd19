import type { Child } from 'hono/jsx';
import { withQuery } from '../components/table.tsx';
import { Fold } from '../components/text.tsx';
import type { Page } from '../page.ts';
import { useSentences, useTexts } from '../texts/languages.ts';
import { ACTIONS, type ActionId, SEND_GROUPS } from './actions.ts';
import { advance, send as perform } from './perform.tsx';
import { prepare, type Scenario } from './prepare.ts';
import { RequestForm } from './request-form.tsx';

/** Ready-made requests of a tested VASP: `?action=`, `?scenario=` or `?user=`, and `&symbol=`. */
export const send: Page = {
  path: '/send',
  title: 'Send',
  group: 'Test',
  home: 'both',
  isLive: false,
  actions: { send: perform, advance },
  async render({ api, query, origin, isSignedIn }) {
    const [prepared, { scenarios }] = await Promise.all([prepare(api, query), api.scenarios()]);
    const current = prepared.scenario?.id ?? prepared.actionId;
    return (
      <div class="send">
        <Menu scenarios={scenarios} current={current} />
        <RequestForm {...{ prepared, query, origin, isSignedIn }} />
      </div>
    );
  },
};

interface Menu {
  scenarios: readonly Scenario[];
  /** Id of the selected action or catalogue entry. */
  current: string;
}

const Menu = ({ scenarios, current }: Menu) => {
  const { send, requests, scenarios: titles } = useTexts();
  const say = useSentences();
  const ids = Object.keys(ACTIONS) as ActionId[];
  return (
    <nav class="send-menu" aria-label={send.whatToSend}>
      {SEND_GROUPS.map(group => (
        <>
          <h2>{send[group]}</h2>
          <ul>
            {ids
              .filter(id => ACTIONS[id].group === group)
              .map(id => (
                <Item href={withQuery('/console/send', { action: id })} isCurrent={id === current}>
                  {requests[id].title}
                </Item>
              ))}
          </ul>
        </>
      ))}
      <h2>{send.catalogue}</h2>
      {Object.entries(titles).map(([group, title]) => {
        const entries = scenarios.filter(({ id }) => id.startsWith(`${group}: `));
        return entries.length === 0 ? null : (
          <Fold id={`catalogue-${group}`} summary={title} isOpen={current.startsWith(`${group}: `)}>
            <ul>
              {entries.map(({ id }) => (
                <Item href={withQuery('/console/send', { scenario: id })} isCurrent={id === current}>
                  {say(id.slice(group.length + 2))}
                </Item>
              ))}
            </ul>
          </Fold>
        );
      })}
    </nav>
  );
};

const Item = ({ href, isCurrent, children }: { href: string; isCurrent: boolean; children?: Child }) => (
  <li>
    <a href={href} aria-current={isCurrent ? 'true' : undefined}>
      {children}
    </a>
  </li>
);
