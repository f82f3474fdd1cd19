import { MAX_LENGTH } from '../../contract/text.ts';
import type { Texts } from '../texts/english.ts';
import { useTexts } from '../texts/languages.ts';
import { Field } from './field.tsx';
import { NOTHING_SENT, Sent } from './sent-form.ts';

interface FilterBar {
  action: string;
  /** The query of the page's address: it has the values. */
  query: Readonly<Record<string, string>>;
  /** Options begin with one that narrows nothing. */
  fields: readonly Omit<Parameters<typeof Field>[0], 'value'>[];
}

/** Filters a list, while it is typed. Its fields become the query of the page's address. */
export const FilterBar = ({ action, query, fields }: FilterBar) => {
  const { list } = useTexts();
  return (
    <form method="get" action={action} class="filter" aria-label={list.filter} data-instant>
      <Sent.Provider value={NOTHING_SENT}>
        {fields.map(field => (
          <Field
            {...(field.options ? { any: list.any } : {})}
            {...field}
            value={query[field.name]?.trim() || undefined}
          />
        ))}
      </Sent.Provider>
      <button type="submit" class="secondary">
        {list.filter}
      </button>
      <a href={action}>{list.clear}</a>
    </form>
  );
};

/** Narrows a list to one verification. */
export const verificationField = ({ verification }: Texts) => ({
  name: 'verificationUuid',
  label: verification.verification,
  type: 'search' as const,
  maxLength: MAX_LENGTH.verificationUuid,
  placeholder: 'verificationUuid',
  code: true,
});

/** The named values of the query, without the empty ones. */
export const filled = (query: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));
