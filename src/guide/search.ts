import type { Texts } from '../console/texts/english.ts';
import { type Language, textsOf } from '../console/texts/languages.ts';
import { clauseSentences } from '../contract/clauses.ts';
import { onceMade } from '../kernel/turns.ts';
import { atOrigin, CHAPTERS, type Chapter, partsOf, readChapter, readClauses, titleOf } from './chapters.ts';
import { BODIES, codePages, KIND_TEXTS, type Meaning } from './codes.ts';

interface Hit {
  /** Below the address of the guide. */
  readonly href: string;
  readonly title: string;
  /** The first words that match, as plain text. */
  readonly excerpt: string;
}

const CHAPTER_NAMES = Object.keys(CHAPTERS) as Chapter[];

interface Section {
  /** Below the address of the guide. */
  readonly href: string;
  readonly title: string;
  readonly text: string;
  readonly chapter?: Chapter;
}

const EXCERPT_LENGTH = 160;
const MAX_HITS = 30;
const MAX_WORDS = 16;

/**
 * Sections and codes with words of the query. A rare word counts more than a common one, and most of all a title with all
 * words, or prose with the words side by side. What has less than half of the best one is left out. `origin`: address of
 * the reader's sandbox.
 */
export async function search(query: string, language: Language, origin: string): Promise<Hit[]> {
  const words = [...new Set(query.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);
  if (words.length === 0) return [];
  const sections = await sectionsIn[language]();
  const weights = words.map(word => {
    const { length: having } = sections.filter(({ all }) => all.includes(word));
    return Math.log(1 + sections.length / (1 + having));
  });
  const sum = (has: (word: string) => boolean) =>
    weights.reduce((all, each, i) => all + (has(words[i]!) ? each : 0), 0);
  const whole = sum(() => true);
  const phrase = new RegExp(words.map(word => word.replace(/[^\p{L}\p{N}]/gu, '\\$&')).join('[\\s-]*'), 'i');
  const rankOf = ({ title, all, prose }: Searched): number => {
    const found = sum(word => all.includes(word));
    const inTitle = sum(word => title.toLowerCase().includes(word));
    if (found < whole) return found + inTitle;
    return whole * 2 + (inTitle === whole ? whole * 2 : 0) + (phrase.test(prose) ? whole : 0);
  };
  const ranked = sections.map(section => ({ section, rank: rankOf(section) })).sort((a, b) => b.rank - a.rank);
  return ranked
    .filter(({ rank }) => rank > 0 && rank >= Math.min(whole, ranked[0]!.rank) / 2)
    .slice(0, MAX_HITS)
    .map(({ section: { href, title, plain, chapter } }) => ({
      href,
      title,
      excerpt: excerptOf(chapter ? atOrigin(chapter, plain, origin) : plain, phrase, words),
    }));
}

interface Searched extends Section {
  readonly all: string;
  readonly prose: string;
  /** Without Markdown. */
  readonly plain: string;
}

/** Everything that can be found. Made once: anybody may search. */
const sectionsIn: Readonly<Record<Language, () => Promise<Searched[]>>> = {
  en: onceMade(() => make('en')),
  ko: onceMade(() => make('ko')),
};

async function make(language: Language): Promise<Searched[]> {
  const sections = [
    ...codeSections(language),
    ...(await chapterSections(language)),
    ...(await clauseSections(language)),
  ];
  return sections.map(each => ({
    ...each,
    all: `${each.title} ${each.text}`.toLowerCase(),
    prose: each.text.replace(/^```[\s\S]*?^```$/gm, ''),
    plain: plainOf(each.text),
  }));
}

const clauseSections = async (language: Language): Promise<Section[]> =>
  [...clauseSentences(await readClauses(language))].map(([id, text]) => ({ href: `/clauses#${id}`, title: id, text }));

const codeSections = (language: Language): Section[] =>
  [...codePages(textsOf(language))].map(([code, meanings]) => ({
    href: `/codes/${code}`,
    title: code,
    text: meanings.map(({ text, advice }) => `${text} ${advice}`).join(' '),
  }));

async function chapterSections(language: Language): Promise<Section[]> {
  const found = CHAPTER_NAMES.map(async name => {
    const title = titleOf(name, language);
    return partsOf(await readChapter(name, language)).map(({ heading, anchor, text }, n) => ({
      href: n === 0 ? `/${name}` : `/${name}#${anchor}`,
      title: n === 0 ? title : `${title}: ${heading}`,
      text,
      chapter: name,
    }));
  });
  return (await Promise.all(found)).flat();
}

const plainOf = (text: string): string =>
  text
    .replace(/^```.*$/gm, ' ')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[`*|#]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();

function excerptOf(plain: string, phrase: RegExp, words: readonly string[]): string {
  const together = plain.search(phrase);
  const lower = plain.toLowerCase();
  const first = together < 0 ? (words.map(word => lower.indexOf(word)).find(at => at >= 0) ?? 0) : together;
  const at = plain.lastIndexOf(' ', Math.max(0, first - EXCERPT_LENGTH / 2)) + 1;
  const end = at + EXCERPT_LENGTH;
  return `${at > 0 ? '…' : ''}${plain.slice(at, end)}${end < plain.length ? '…' : ''}`;
}

/** The guide as Markdown, for agents and for the shell. */

/** Undefined: there is no such code. */
export function codeMarkdown(code: string, texts: Texts, scripts: Scripts = new Map()): string | undefined {
  const meanings = codePages(texts).get(code);
  if (!meanings) return undefined;
  const parts = meanings.map(
    each => `## ${texts.guide[KIND_TEXTS[each.kind]]}\n\n${meaningMarkdown(each, texts.guide, scripts)}`,
  );
  return `# ${code}\n\n${parts.join('\n\n')}\n`;
}

/** By scenario: its calls for a shell. Without one `robot-vasp` prints them. */
export type Scripts = ReadonlyMap<string, string>;

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

/** One meaning of a code, without its heading. */
export const meaningMarkdown = (
  { text, advice, operations, clause, decidedBy, bodies = {}, scenario }: Meaning,
  texts: Texts['guide'],
  scripts: Scripts,
): string =>
  [
    text,
    `**${texts.whatToDo}** ${advice}`,
    ...(operations === undefined ? [] : [`${texts.answeredBy} ${operationsOf(operations, texts)}`]),
    ...(decidedBy === undefined ? [] : [`${texts.decides} ${texts[decidedBy]}`]),
    ...BODIES.flatMap(name =>
      bodies[name] ? [texts[name], block('json', JSON.stringify(bodies[name], null, 2))] : [],
    ),
    ...(scenario === undefined
      ? []
      : [texts.provokeInShell, block('sh', scripts.get(scenario) ?? `robot-vasp scenarios '${scenario}'`)]),
    ...(clause === undefined ? [] : [clause]),
  ].join('\n\n');

const operationsOf = (operations: readonly string[], texts: Texts['guide']): string =>
  operations.length === 0 ? texts.everyOperation : operations.map(name => `\`${name}\``).join(', ');

export const codesMarkdown = (texts: Texts, base: string): string =>
  `# ${texts.guide.codes}\n\n${codeLinks(texts, base).join('\n')}\n`;

const codeLinks = (texts: Texts, base: string): string[] =>
  [...codePages(texts)].map(([code, [meaning]]) => `- [${code}](${base}/codes/${code}.md): ${meaning!.text}`);

export const contentsMarkdown = (language: Language, base: string): string =>
  `# ${textsOf(language).pages.Guide}\n\n${chapterLinks(language, base).join('\n')}\n- [${textsOf(language).guide.codes}](${base}/codes.md)\n`;

const chapterLinks = (language: Language, base: string): string[] =>
  CHAPTER_NAMES.map(name => `- [${titleOf(name, language)}](${base}/${name}.md)`);

/** `/llms.txt`, in the form of llmstxt.org. */
export const llmsText = (): string =>
  `# robot-vasp

> The test counterpart for Travel Rule integrations: an enclave and a robot VASP in one process, with real embedded ledgers. A VASP runs its integration against it before production.

The enclave is below \`/v1\`, the robot below \`/vega/robot/v1.0\`, the control API below \`/sandbox/v1\`. Tools for agents: the MCP server at \`/mcp\` (Streamable HTTP), or \`robot-vasp mcp\` (stdio). Ask \`GET /sandbox/v1/verifications/{uuid}/why\` first when a verification surprises you.

## Guide

${chapterLinks('en', '/guide').join('\n')}

## API

- [OpenAPI document](/openapi.json)
- [Every code that an answer can contain](/guide/codes.md)
- [Every clause that an answer can cite](/guide/clauses.md)

## Codes

${codeLinks(textsOf('en'), '/guide').join('\n')}

## Optional

- [The whole guide in one file](/llms-full.txt)
`;

/** Every chapter and every code page in one text. */
export async function llmsFullText(origin: string): Promise<string> {
  const texts = textsOf('en');
  const chapters = await Promise.all(CHAPTER_NAMES.map(name => readChapter(name, 'en', origin)));
  const codes = [...codePages(texts).keys()].map(code => codeMarkdown(code, texts));
  return [...chapters, ...codes].join('\n\n');
}
