import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { marked } from 'marked';
import { withClauseLinks } from '../../contract/clauses.ts';

interface Prose {
  of: string;
  /** Stands at `{name}` of the text. A link or **bold** may not go around it. */
  with?: Readonly<Record<string, Child>> | undefined;
}

/** A text of the catalogue, with links, `code` and **bold**. Never a text of a user: that comes in `with`. */
export const Prose = ({ of, with: values = {} }: Prose) => {
  const names = Object.keys(values);
  const parts = names.length === 0 ? [of] : of.split(new RegExp(`\\{(${names.join('|')})\\}`));
  return <>{parts.map((part, position) => (position % 2 === 1 ? values[part] : inline(part)))}</>;
};

const inline = (text: string) => raw(withClauseLinks(marked.parseInline(text, { async: false }), CLAUSES));

const CLAUSES = '/guide/clauses';

/** Ids of clauses, each a link to its sentence. */
export const Clauses = ({ of }: { of: string }) => raw(withClauseLinks(of, CLAUSES));
