import type { Texts } from '../console/texts/english.ts';
import { type Language, textsOf } from '../console/texts/languages.ts';
import { CHAPTERS, type Chapter, readChapter, titleOf } from './chapters.ts';
import { BODIES, codePages, KIND_TEXTS, type Meaning } from './codes.ts';

/** The guide as Markdown, for agents and for the shell. */

const CHAPTER_NAMES = Object.keys(CHAPTERS) as Chapter[];

/** Undefined: there is no such code. */
export function codeMarkdown(code: string, texts: Texts, scripts: Scripts = new Map()): string | undefined {
  const meanings = codePages(texts).get(code);
  if (!meanings) return undefined;
  return `# ${code}\n\n${meanings.map(meaning => meaningMarkdown(meaning, texts.guide, scripts)).join('\n\n')}\n`;
}

/** By scenario: its calls for a shell. Without one `robot-vasp` prints them. */
export type Scripts = ReadonlyMap<string, string>;

export const scriptFor = (scenario: string, scripts: Scripts): string =>
  scripts.get(scenario) ?? `robot-vasp scenarios '${scenario}'`;

const block = (language: string, text: string): string => `\`\`\`${language}\n${text}\n\`\`\``;

const meaningMarkdown = (
  { kind, text, advice, operations, clause, decidedBy, bodies = {}, scenario }: Meaning,
  texts: Texts['guide'],
  scripts: Scripts,
): string =>
  [
    `## ${texts[KIND_TEXTS[kind]]}`,
    text,
    `**${texts.whatToDo}** ${advice}`,
    ...(operations === undefined ? [] : [`${texts.answeredBy} ${operationsOf(operations, texts)}`]),
    ...(decidedBy === undefined ? [] : [`${texts.decides} ${texts[decidedBy]}`]),
    ...BODIES.flatMap(name =>
      bodies[name] ? [texts[name], block('json', JSON.stringify(bodies[name], null, 2))] : [],
    ),
    ...(scenario === undefined ? [] : [texts.provokeInShell, block('sh', scriptFor(scenario, scripts))]),
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
