import type { Page } from './page.ts';
import { assessments } from './pages/assessments.tsx';
import { callbacks } from './pages/callbacks.tsx';
import { chainTransaction } from './pages/chain-transaction.tsx';
import { chains } from './pages/chains.tsx';
import { depositTest } from './pages/deposit-test.tsx';
import { exchanges } from './pages/exchanges.tsx';
import { faults } from './pages/faults.tsx';
import { money } from './pages/money.tsx';
import { overview } from './pages/overview.tsx';
import { send } from './pages/send.tsx';
import { settings } from './pages/settings.tsx';
import { timers } from './pages/timers.tsx';
import { user } from './pages/user.tsx';
import { users } from './pages/users.tsx';
import { verification } from './pages/verification.tsx';
import { verifications } from './pages/verifications.tsx';
import { withdrawalTest } from './pages/withdrawal-test.tsx';

/** Every page; those of the navigation in its order. */
export const PAGES: readonly Page[] = [
  overview,
  send,
  verifications,
  verification,
  callbacks,
  money,
  users,
  user,
  chainTransaction,
  timers,
  faults,
  chains,
  assessments,
  exchanges,
  settings,
  withdrawalTest,
  depositTest,
];
