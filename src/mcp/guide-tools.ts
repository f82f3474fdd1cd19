import { textsOf } from '../console/texts/languages.ts';
import { isChapter, readChapter } from '../guide/chapters.ts';
import { pageOfCode } from '../guide/codes.ts';
import { codeMarkdown } from '../guide/plain.ts';
import { search } from '../guide/search.ts';

const MOST_CHARACTERS = 256;

/** The tools that read the guide. Undefined: there is no such page. */
export const GUIDE_TOOLS = {
  search_guide: {
    title: 'Search the guide',
    description: 'Finds sections and codes of the guide that contain every word. Read one with `read_guide`.',
    argument: { name: 'query', description: 'Words, for example `local name`.' },
    read: async (query: string, origin: string) =>
      JSON.stringify({ hits: await search(query, 'en', origin) }),
  },
  read_guide: {
    title: 'Read a page of the guide',
    description:
      'Returns a chapter (`withdrawal-test`) or the page of a code (`MISMATCHED-NAME`) as Markdown.',
    argument: { name: 'page', description: 'A chapter or a code.' },
    read: (page: string, origin: string) =>
      readPage(
        page
          .replace(/^\//, '')
          .replace(/^codes\//, '')
          .replace(/#.*$/, ''),
        origin,
      ),
  },
} as const;

const readPage = async (page: string, origin: string): Promise<string | undefined> =>
  isChapter(page) ? readChapter(page, 'en', origin) : codeMarkdown(pageOfCode(page), textsOf('en'));

export type GuideTool = keyof typeof GUIDE_TOOLS;

export const guideInput = ({ argument }: (typeof GUIDE_TOOLS)[GuideTool]) => ({
  type: 'object' as const,
  properties: {
    [argument.name]: { type: 'string', maxLength: MOST_CHARACTERS, description: argument.description },
  },
  required: [argument.name],
});

export const guideText = (name: GuideTool, asked: string, origin: string): Promise<string | undefined> =>
  GUIDE_TOOLS[name].read(asked.slice(0, MOST_CHARACTERS), origin);
