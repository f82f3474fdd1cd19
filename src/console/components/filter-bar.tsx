import type { Child } from 'hono/jsx';
import { useTexts } from '../texts/languages.ts';
import { NOTHING_SENT, Sent } from './sent-form.ts';

/** Filters a list, while it is typed. Its fields become the query of the page's address. */
export const FilterBar = ({ action, children }: { action: string; children?: Child }) => (
  <form method="get" action={action} class="filter" aria-label={useTexts().list.filter} data-instant>
    <Sent.Provider value={NOTHING_SENT}>{children}</Sent.Provider>
    <button type="submit" class="secondary">
      {useTexts().list.filter}
    </button>
    <a href={action}>{useTexts().list.clear}</a>
  </form>
);

/** The named values of the query, without the empty ones. */
export const filled = (query: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));
