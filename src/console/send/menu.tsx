import type { Child } from 'hono/jsx';
import { Fold } from '../components/fold.tsx';
import { withQuery } from '../components/pager.tsx';
import { ACTIONS, type SendAction } from './actions.ts';
import type { Scenario } from './prepare.ts';

interface Menu {
  scenarios: readonly Scenario[];
  /** Id of the action or of the catalogue entry that is shown. */
  current: string;
}

const GROUPS: readonly [SendAction['group'], string][] = [
  ['enclave', 'To your enclave'],
  ['robot', 'To the robot'],
  ['sandbox', 'To the sandbox'],
];
const CATALOGUE: readonly [string, string][] = [
  ['verify-user', 'Every result of a user verification'],
  ['verify-account', 'Every result of an account verification'],
  ['assess-sanction', 'Sanction screening'],
  ['assess-kyt', 'Monitoring'],
  ['assess-wco', 'Person screening'],
  ['behaviour', 'Users that behave specially'],
  ['fault', 'Failures on purpose'],
];

/** Everything that can be sent, as links. */
export const Menu = ({ scenarios, current }: Menu) => (
  <nav class="send-menu" aria-label="What to send">
    {GROUPS.map(([group, title]) => (
      <>
        <h3>{title}</h3>
        <ul>
          {ACTIONS.filter(action => action.group === group).map(({ id, title: text }) => (
            <Item href={withQuery('/console/send', { action: id })} isCurrent={id === current}>
              {text}
            </Item>
          ))}
        </ul>
      </>
    ))}
    <h3>Catalogue</h3>
    {CATALOGUE.map(([kind, title]) => {
      const entries = scenarios.filter(({ id }) => id.startsWith(`${kind}: `));
      return entries.length === 0 ? null : (
        <Fold id={`catalogue-${kind}`} summary={title} isOpen={current.startsWith(`${kind}: `)}>
          <ul>
            {entries.map(({ id }) => (
              <Item href={withQuery('/console/send', { scenario: id })} isCurrent={id === current}>
                {id.slice(kind.length + 2)}
              </Item>
            ))}
          </ul>
        </Fold>
      );
    })}
  </nav>
);

const Item = ({ href, isCurrent, children }: { href: string; isCurrent: boolean; children?: Child }) => (
  <li>
    <a href={href} aria-current={isCurrent ? 'true' : undefined}>
      {children}
    </a>
  </li>
);
