import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

export const README = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** From the heading of that title to the next one of its level. */
export function section(title: string): string {
  const [, text] = README.split(new RegExp(`^## ${title}$`, 'm'));
  if (text === undefined) throw new Error(`README.md has no section ${title}`);
  return text.split(/^## /m)[0]!;
}

export interface Block {
  language: string;
  text: string;
}

export const blocksOf = (text: string): Block[] =>
  [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, block]) => ({
    language: language!,
    text: block!,
  }));

/** The only block of that language in the section. */
export function blockOf(title: string, language: string, containing = ''): string {
  const found = blocksOf(section(title)).filter(
    block => block.language === language && block.text.includes(containing),
  );
  if (found.length !== 1) throw new Error(`${title}: ${found.length} blocks of ${language}`);
  return found[0]!.text;
}

export const rowsOf = (text: string): string[][] =>
  [...text.matchAll(/^\| (.+) \|$/gm)].map(([, row]) => row!.split(' | ').map(cell => cell.trim()));

/** Without what is another one each time, and without line breaks that are for the reader. */
export const lasting = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, 'TIME')
    .replace(/0x[0-9a-f]{64}|\b[0-9A-F]{64}\b/g, 'HASH')
    .replace(/\s+/g, '');
