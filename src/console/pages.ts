import type { Page } from './page.ts';
import { assessments } from './pages/assessments.tsx';
import { chainTransaction } from './pages/chain-transaction.tsx';
import { chains } from './pages/chains.tsx';
import { exchanges } from './pages/exchanges.tsx';
import { faults } from './pages/faults.tsx';
import { money } from './pages/money.tsx';
import { overview } from './pages/overview.tsx';
import { timers } from './pages/timers.tsx';

/** Every page; those of the navigation in its order. */
export const PAGES: readonly Page[] = [
  overview,
  money,
  chainTransaction,
  timers,
  faults,
  chains,
  assessments,
  exchanges,
];
