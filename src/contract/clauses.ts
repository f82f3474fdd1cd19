import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../kernel/package-root.ts';

/** Markdown: one line for every cited clause. It is read when somebody looks at a clause. */
export const clausesText = (): string => readFileSync(join(packageRoot(), 'src', 'contract', 'clauses.md'), 'utf8');

export const clauseSentences = (text: string = clausesText()): ReadonlyMap<string, string> =>
  new Map([...text.matchAll(/^- (\S+) — (.+)$/gm)].map(([, id, sentence]) => [id!, sentence!]));

const CLAUSE = /(?:(?:REF|WIRE|PROD|SEND|RECV|XRPL)-\d+(?:\.\d+)*|D-\d{2})\b/.source;
/** Links, blocks of code, titles and tags stay as they are. */
const CITED = new RegExp(`<(a|pre|title|style)\\b[^]*?</\\1>|<[^>]+>|\\b${CLAUSE}`, 'g');

/** The same HTML, with a link for each clause that it cites. `page`: address of the page that has the sentences. */
export const withClauseLinks = (html: string, page: string): string =>
  html.replace(CITED, found => (found.startsWith('<') ? found : `<a href="${page}#${found}">${found}</a>`));
