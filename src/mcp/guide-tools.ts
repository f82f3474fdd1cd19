import { textsOf } from '../console/texts/languages.ts';
import { clauseSentences } from '../contract/clauses.ts';
import { isChapter, partsOf, readChapter, readClauses } from '../guide/chapters.ts';
import { pageOfCode } from '../guide/codes.ts';
import { codeMarkdown, search } from '../guide/search.ts';
import { cutText } from '../kernel/text.ts';
import { type Arguments, FULL, type Json, textArgument } from './schemas.ts';

/** The tools that read the guide. */

const MAX_CHARACTERS = 256;
const MAX_HITS = 8;
/** Of a text that nobody has asked for in full. */
const MAX_TEXT = 5_000;
/** Of the beginning of a chapter: its sections are listed after it. */
const MAX_BEGINNING = 3_000;

export interface GuideTool {
  readonly description: string;
  readonly argument: string;
  readonly takes: Arguments;
  readonly returns?: Arguments;
  /** Undefined: there is no such page. */
  read(asked: string, origin: string, isFull: boolean): Promise<string | Json | undefined>;
}

export const GUIDE_TOOLS: Readonly<Record<string, GuideTool>> = {
  search_guide: {
    description:
      'Search the guide. Finds sections and codes, those with the most words first. Read one with `read_guide`.',
    argument: 'query',
    takes: { query: textArgument('Words, for example `local name`.') },
    returns: { hits: { type: 'array' } },
    async read(query, origin) {
      return { hits: (await search(query, 'en', origin)).slice(0, MAX_HITS) };
    },
  },
  read_guide: {
    description: 'Read the guide. Returns a chapter, one of its sections, or a code as Markdown.',
    argument: 'page',
    takes: { page: textArgument('`withdrawal-test`, `MISMATCHED-NAME`, or the `href` of a hit.'), ...FULL },
    async read(href, origin, isFull) {
      const [, page = '', anchor] = PLACE.exec(href) ?? [];
      const found = await textAt(page, anchor, origin);
      if (found === undefined || isFull || found.length <= MAX_TEXT) return found;
      return isChapter(page) && anchor === undefined ? beginningOf(page, found) : cutText(found, MAX_TEXT);
    },
  },
};

/** An address, a link within a chapter or a name: the page is its last part. */
const PLACE = /([^/#]+?)(?:\.md)?(?:#(.+))?$/;

async function textAt(page: string, anchor: string | undefined, origin: string): Promise<string | undefined> {
  if (page === 'clauses') {
    const clauses = await readClauses('en');
    return anchor === undefined ? clauses : clauseSentences(clauses).get(anchor);
  }
  if (!isChapter(page)) return codeMarkdown(pageOfCode(page), textsOf('en'));
  const chapter = await readChapter(page, 'en', origin);
  return anchor === undefined ? chapter : sectionOf(chapter, anchor);
}

/** Of a long chapter, with a list of its sections. */
function beginningOf(page: string, chapter: string): string {
  const [first, ...others] = partsOf(chapter);
  const sections = others.map(
    ({ level, heading, anchor }) => `${level > 2 ? '  ' : ''}- ${page}#${anchor}: ${heading}`,
  );
  return `# ${first!.heading}\n${cutText(first!.text, MAX_BEGINNING)}\nSections:\n\n${sections.join('\n')}\n`;
}

/** With the sections inside of it. */
function sectionOf(chapter: string, anchor: string): string | undefined {
  const parts = partsOf(chapter);
  const from = parts.findIndex(each => each.anchor === anchor);
  if (from === -1) return undefined;
  const end = parts.findIndex(({ level }, n) => n > from && level <= parts[from]!.level);
  return parts
    .slice(from, end === -1 ? undefined : end)
    .map(({ level, heading, text: prose }) => `${'#'.repeat(level)} ${heading}\n${prose}`)
    .join('\n');
}

/** Of what an agent asks for: more words find nothing more. */
export const asked = (args: Json, name: string): string | undefined =>
  typeof args[name] === 'string' && args[name] !== '' ? args[name].slice(0, MAX_CHARACTERS) : undefined;
