import { withQuery } from './components/pager.tsx';
import type { Page } from './page.ts';
import { ACTIONS } from './send/actions.ts';

interface Entry {
  group: string;
  text: string;
  href: string;
}

/** Everything that the palette offers: pages, requests and common actions. */
export const paletteEntries = (pages: readonly Page[]): Entry[] => [
  ...pages.flatMap(({ group, title, path }) =>
    group ? [{ group, text: title, href: `/console${path}` }] : [],
  ),
  { group: 'Test', text: 'Withdrawal test', href: '/console/tests/withdrawal' },
  { group: 'Test', text: 'Deposit test', href: '/console/tests/deposit' },
  { group: 'Look', text: 'Open verifications', href: '/console/verifications?status=OPEN' },
  { group: 'Look', text: 'Denied verifications', href: '/console/verifications?result=DENIED' },
  { group: 'Look', text: 'Callbacks that were given up', href: '/console/callbacks?status=GIVEN-UP' },
  { group: 'Look', text: 'Exchanges without an answer', href: '/console/exchanges?status=none' },
  { group: 'Look', text: 'Slow exchanges', href: '/console/exchanges?slow=500' },
  { group: 'Steer', text: 'Advance the time', href: '/console/timers' },
  { group: 'Steer', text: 'Order a fault', href: '/console/faults' },
  { group: 'Steer', text: 'Use the faucet', href: '/console/chains' },
  { group: 'Steer', text: 'Add a user', href: '/console/users#add' },
  { group: 'Set up', text: 'Call my endpoints', href: '/console/settings' },
  ...Object.entries(ACTIONS).map(([action, { title }]) => ({
    group: 'Send',
    text: title,
    href: withQuery('/console/send', { action }),
  })),
  { group: 'Guide', text: 'Guide', href: '/guide' },
  { group: 'Guide', text: 'API document', href: '/docs' },
];
