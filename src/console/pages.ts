import { type Roles, serves } from '../contract/tenancy.ts';
import { access } from './access/page.tsx';
import { assessments } from './assessments/page.tsx';
import { callbacks } from './callbacks/page.tsx';
import { chainTransaction } from './chain-transaction/page.tsx';
import { chains } from './chains.tsx';
import { checkRun } from './check-run/page.tsx';
import { checks } from './checks/page.tsx';
import { withQuery } from './components/table.tsx';
import { exchanges } from './exchanges/page.tsx';
import { faults } from './faults/page.tsx';
import { deposit } from './guided-tests/deposit.tsx';
import { guidedTests } from './guided-tests/page.tsx';
import { ivms101 } from './ivms101/page.tsx';
import { keys } from './keys/page.tsx';
import { money } from './money.tsx';
import { operator } from './operator/page.tsx';
import { overview } from './overview.tsx';
import type { Audience, Group, Page } from './page.ts';
import { ACTIONS, type ActionId } from './send/actions.ts';
import { send } from './send/page.tsx';
import { settings } from './settings.tsx';
import type { Texts } from './texts/english.ts';
import { timers } from './timers/page.tsx';
import { usage } from './usage/page.tsx';
import { user } from './user/page.tsx';
import { users } from './users/page.tsx';
import { verification } from './verification/page.tsx';
import { verifications } from './verifications/page.tsx';

/** All pages. Each group of the navigation has the same order. */
export const PAGES: readonly Page[] = [
  overview,
  guidedTests,
  deposit,
  checks,
  checkRun,
  send,
  ivms101,
  verifications,
  verification,
  callbacks,
  exchanges,
  money,
  assessments,
  timers,
  faults,
  chains,
  chainTransaction,
  users,
  user,
  settings,
  keys,
  access,
  usage,
  operator,
];

/** Without an audience of its own a page is for VASPs of both modes. `roles`: those of the process. */
export const isFor = (
  { audience = ['local', 'hosted VASP'], servedBy = 'all' }: Page,
  who: Audience,
  roles: Roles = 'both',
): boolean => audience.includes(who) && serves(servedBy, roles);

/** What Ctrl-K lists: pages, lists that are often asked for, and requests. */
export const paletteEntries = (
  pages: readonly Page[],
  texts: Texts,
): { group: string; text: string; href: string }[] => {
  const { groups, pages: titles, palette, requests } = texts;
  const entry = (group: Group, text: string, path: string) => ({ group: groups[group], text, href: `/console${path}` });
  return [
    ...pages.flatMap(({ group, title, path }) => (group ? [entry(group, titles[title], path)] : [])),
    ...[titles['Withdrawal test'], titles['Deposit test']].map(text => entry('Test', text, '/tests')),
    entry('Test', titles['Deposit by hand'], '/tests/deposit'),
    entry('Look', palette.open, '/verifications?status=OPEN'),
    entry('Look', palette.denied, '/verifications?result=DENIED'),
    entry('Look', palette.givenUp, '/callbacks?status=GIVEN-UP'),
    entry('Look', palette.unanswered, '/exchanges?status=none'),
    entry('Look', palette.slow, '/exchanges?slow=500'),
    entry('Steer', palette.advance, '/timers'),
    entry('Steer', palette.fault, '/faults'),
    entry('Steer', palette.faucet, '/chains'),
    entry('Steer', palette.addUser, '/users#add'),
    entry('Set up', palette.callEndpoints, '/settings'),
    ...(Object.keys(ACTIONS) as ActionId[]).map(action => ({
      group: titles.Send,
      text: requests[action].title,
      href: withQuery('/console/send', { action }),
    })),
    { group: titles.Guide, text: titles.Guide, href: '/guide' },
    { group: titles.Guide, text: titles.API, href: '/docs' },
  ];
};
