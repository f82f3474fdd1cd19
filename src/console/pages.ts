import type { Page } from './page.ts';
import { overview } from './pages/overview.tsx';

/** Every page; those of the navigation in its order. */
export const PAGES: readonly Page[] = [overview];
