import { readFile } from 'node:fs/promises';

/** The chapters of the guide, in their order. Each is a Markdown file in `chapters/`. */
export const CHAPTERS = {
  'risk-assessment': 'Risk assessment',
} as const satisfies Record<string, string>;

export type Chapter = keyof typeof CHAPTERS;

export const isChapter = (name: string): name is Chapter => Object.hasOwn(CHAPTERS, name);

/** The Markdown of a chapter. */
export const readChapter = (name: Chapter): Promise<string> =>
  readFile(new URL(`./chapters/${name}.md`, import.meta.url), 'utf8');
