import { readFile } from 'node:fs/promises';
import { type Language, textsOf } from '../console/texts/languages.ts';

/** The chapters of the guide, in their order. Each is a Markdown file in `chapters/`. */
export const CHAPTERS = {
  'withdrawal-test': 'A first withdrawal test',
  'deposit-test': 'A first deposit test',
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
  ledgers: 'The embedded ledgers',
  hosting: 'Hosting',
  backup: 'Backup and restore',
  check: 'The official tests',
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

export const isChapter = (name: string): name is Chapter => Object.hasOwn(CHAPTERS, name);

/** The Markdown of a chapter in English. */
export const readChapter = (name: Chapter): Promise<string> => read(`${name}.md`);

/** The Markdown of a chapter in another language. Undefined: it is not translated. */
export const readTranslation = async (name: Chapter, language: Language): Promise<string | undefined> =>
  Object.hasOwn(textsOf(language).chapters, name) ? read(`${language}/${name}.md`) : undefined;

export const titleOf = (name: Chapter, language: Language): string =>
  textsOf(language).chapters[name] ?? CHAPTERS[name];

const read = (file: string): Promise<string> =>
  readFile(new URL(`./chapters/${file}`, import.meta.url), 'utf8');
