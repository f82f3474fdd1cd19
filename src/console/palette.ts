import { withQuery } from './components/table.tsx';
import type { Group, Page } from './page.ts';
import { ACTIONS, type ActionId } from './send/actions.ts';
import type { Texts } from './texts/english.ts';

interface Entry {
  group: string;
  text: string;
  href: string;
}

export const paletteEntries = (pages: readonly Page[], texts: Texts): Entry[] => {
  const { groups, pages: titles, palette, requests, tests } = texts;
  const entry = (group: Group, text: string, path: string) => ({
    group: groups[group],
    text,
    href: `/console${path}`,
  });
  return [
    ...pages.flatMap(({ group, title, path }) => (group ? [entry(group, titles[title], path)] : [])),
    ...[titles['Withdrawal test'], titles['Deposit test'], tests.send].map(text =>
      entry('Test', text, '/tests'),
    ),
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
