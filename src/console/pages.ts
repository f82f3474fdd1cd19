import { isIn, type Parts } from '../contract/parts.ts';
import { access } from './access/page.tsx';
import { assessments } from './assessments/page.tsx';
import { callbacks } from './callbacks/page.tsx';
import { chainTransaction } from './chain-transaction/page.tsx';
import { chains } from './chains/page.tsx';
import { checkRun } from './check-run/page.tsx';
import { checks } from './checks/page.tsx';
import { exchanges } from './exchanges/page.tsx';
import { faults } from './faults/page.tsx';
import { guidedTests } from './guided-tests/page.tsx';
import { ivms101 } from './ivms101/page.tsx';
import { keys } from './keys/page.tsx';
import { money } from './money/page.tsx';
import { operator } from './operator/page.tsx';
import { overview } from './overview/page.tsx';
import type { Audience, Page } from './page.ts';
import { send } from './send/page.tsx';
import { settings } from './settings/page.tsx';
import { timers } from './timers/page.tsx';
import { usage } from './usage/page.tsx';
import { user } from './user/page.tsx';
import { users } from './users/page.tsx';
import { verification } from './verification/page.tsx';
import { verifications } from './verifications/page.tsx';

/** All pages. Each group of the navigation has the same order. Each page has a folder of its own. */
export const PAGES: readonly Page[] = [
  overview,
  guidedTests,
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

/** Without an audience of its own a page is for VASPs of both modes. `parts`: those of the process. */
export const isFor = (
  { audience = ['local', 'hosted VASP'], home = 'all' }: Page,
  who: Audience,
  parts: Parts = 'both',
): boolean => audience.includes(who) && isIn(home, parts);
