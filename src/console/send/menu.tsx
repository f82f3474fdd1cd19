import type { Child } from 'hono/jsx';
import type { ScenarioGroup } from '../../client/answers.ts';
import { Fold } from '../components/fold.tsx';
import { withQuery } from '../components/pager.tsx';
import { ACTIONS, type SendAction } from './actions.ts';
import type { Scenario } from './prepare.ts';

interface Menu {
  scenarios: readonly Scenario[];
  /** Id of the selected action or catalogue entry. */
  current: string;
}

const GROUPS: Record<SendAction['group'], string> = {
  enclave: 'To your enclave',
  robot: 'To the robot',
  sandbox: 'To the sandbox',
};
const CATALOGUE: Record<ScenarioGroup, string> = {
  'verify-user': 'Every result of a user verification',
  'verify-account': 'Every result of an account verification',
  'assess-sanction': 'Sanction screening',
  'assess-kyt': 'Transaction monitoring',
  'assess-wco': 'Person screening',
  report: 'Every verdict on a transaction report',
  behaviour: 'Users with a special behaviour',
  fault: 'Injected faults',
};

/** Links to everything that can be sent. */
export const Menu = ({ scenarios, current }: Menu) => (
  <nav class="send-menu" aria-label="What to send">
    {Object.entries(GROUPS).map(([group, title]) => (
      <>
        <h3>{title}</h3>
        <ul>
          {Object.entries(ACTIONS)
            .filter(([, action]) => action.group === group)
            .map(([id, action]) => (
              <Item href={withQuery('/console/send', { action: id })} isCurrent={id === current}>
                {action.title}
              </Item>
            ))}
        </ul>
      </>
    ))}
    <h3>Catalogue</h3>
    {Object.entries(CATALOGUE).map(([group, title]) => {
      const entries = scenarios.filter(({ id }) => id.startsWith(`${group}: `));
      return entries.length === 0 ? null : (
        <Fold id={`catalogue-${group}`} summary={title} isOpen={current.startsWith(`${group}: `)}>
          <ul>
            {entries.map(({ id }) => (
              <Item href={withQuery('/console/send', { scenario: id })} isCurrent={id === current}>
                {id.slice(group.length + 2)}
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
