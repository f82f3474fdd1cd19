import { readFile } from 'node:fs/promises';
import { type Language, textsOf } from '../console/texts/languages.ts';
import { clausesText } from '../contract/clauses.ts';

/** The chapters of the guide, in their order. Each is a Markdown file in `chapters/`, in every language. */
export const CHAPTERS = {
  'withdrawal-test': 'A first withdrawal test',
  'deposit-test': 'A first deposit test',
  'first-vasp': 'A first VASP of your own',
  console: 'The console',
  api: 'The API',
  results: 'Every result and reason',
  ivms101: 'IVMS101 and information codes',
  'your-users': 'What your user should see',
  users: "Change the robot's users",
  failures: 'Provoke failures',
  time: 'Time',
  history: 'What happened',
  events: 'Watch live',
  callbacks: 'Callbacks and the mailbox',
  'risk-assessment': 'Risk assessment',
  'your-vasp': 'Connecting your own VASP',
  'several-vasps': 'Several VASPs',
  'network-of-your-own': 'A network of your own',
  ledgers: 'The embedded ledgers',
  hosting: 'Hosting',
  backup: 'Backup and restore',
  check: 'Test runs',
  'test-suite': 'In a Node test suite',
  'command-line': 'From the shell',
  agents: 'Coding agents',
  docker: 'Docker',
  ci: 'In CI',
  configuration: 'Configuration',
  production: 'What differs in production',
  troubleshooting: 'Troubleshooting by symptom',
  glossary: 'Glossary',
  decisions: 'Decisions',
} as const satisfies Record<string, string>;

export type Chapter = keyof typeof CHAPTERS;

/** What a reader wants, and the chapters for it. Every chapter has one place. */
export const GROUPS = {
  begin: ['withdrawal-test', 'deposit-test', 'first-vasp', 'console', 'your-vasp', 'several-vasps'],
  understand: ['results', 'ivms101', 'your-users', 'history', 'troubleshooting', 'glossary'],
  steer: ['users', 'failures', 'time', 'events', 'callbacks', 'risk-assessment', 'ledgers'],
  automate: ['check', 'api', 'test-suite', 'command-line', 'agents', 'ci'],
  operate: ['docker', 'configuration', 'network-of-your-own', 'hosting', 'backup', 'production', 'decisions'],
} as const satisfies Record<string, readonly Chapter[]>;

export const GROUP_NAMES = Object.keys(GROUPS) as (keyof typeof GROUPS)[];

export const isChapter = (name: string): name is Chapter => Object.hasOwn(CHAPTERS, name);

const EXAMPLE = 'http://127.0.0.1:8080';
/** They start programs of their own at this address. */
const STARTS_OWN = new Set<Chapter>(['check', 'ci', 'network-of-your-own']);

/** The Markdown of a chapter. `origin`: address of the sandbox that the reader asks. */
export async function readChapter(name: Chapter, language: Language = 'en', origin: string = EXAMPLE): Promise<string> {
  return atOrigin(name, await readIn(language, name), origin);
}

/** A part of the chapter, with the address of the reader's sandbox in place of the example. */
export const atOrigin = (name: Chapter, text: string, origin: string): string =>
  STARTS_OWN.has(name) ? text : text.replaceAll(EXAMPLE, () => origin);

const readIn = (language: Language, name: string): Promise<string> => {
  const path = `./chapters/${language === 'en' ? '' : `${language}/`}${name}.md`;
  return readFile(new URL(path, import.meta.url), 'utf8');
};

/** The Markdown of the list of clauses. The contract has it in English. */
export const readClauses = async (language: Language): Promise<string> =>
  language === 'en' ? clausesText() : readIn(language, 'clauses');

export const titleOf = (name: Chapter, language: Language): string =>
  textsOf(language).chapters[name] ?? CHAPTERS[name];

interface Part {
  /** Number of `#`. */
  readonly level: number;
  readonly heading: string;
  readonly anchor: string;
  /** Up to the next heading. */
  readonly text: string;
}

/** The parts of a chapter, each with its heading. A comment in a block of code is no heading. */
export function partsOf(markdown: string): Part[] {
  const parts: { level: number; heading: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of markdown.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    const [, signs, heading] = (!isCode && /^(#{1,3}) (.+)$/.exec(line)) || [];
    if (signs) parts.push({ level: signs.length, heading: heading!, lines: [] });
    else parts.at(-1)?.lines.push(line);
  }
  return parts.map(({ lines, ...part }) => ({ ...part, anchor: slugOf(part.heading), text: lines.join('\n') }));
}

/** The anchor that a heading gets on GitHub and in the served page. */
const slugOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .replace(/\s/g, '-');
