import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHAPTERS } from '../../../src/guide/chapters.ts';
import { ROOT } from '../paths.ts';

export interface Document {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
}

const CHAPTER_FOLDER = 'src/guide/chapters';

const documentAt = (path: string): Document => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

/** The README and the chapters of the guide, in their order. */
export const DOCUMENTS: readonly Document[] = [
  'README.md',
  ...Object.keys(CHAPTERS).map(name => `${CHAPTER_FOLDER}/${name}.md`),
].map(documentAt);

/** They are read in the repository alone. */
export const DOCUMENTS_OF_THE_CODE: readonly Document[] = [
  'src/README.md',
  'src/contract/clauses.md',
  'src/devnet/xrpl/README.md',
  '.github/CONTRIBUTING.md',
  '.github/CHANGELOG.md',
  '.github/SECURITY.md',
].map(documentAt);

/** The README and the guide as one, with a chapter as section of the second level. */
export const MANUAL = DOCUMENTS.map(({ text }, n) => (n === 0 ? text : oneLevelDown(text))).join('\n');

function oneLevelDown(text: string): string {
  const parts = text.split(/(^```[\s\S]*?^```$)/m);
  return parts.map((part, n) => (n % 2 === 1 ? part : part.replace(/^(#+ )/gm, '#$1'))).join('');
}

/** From the heading of that title to the next one of its level. */
export function section(title: string): string {
  const [, text] = MANUAL.split(new RegExp(`^## ${title.replace('?', '\\?')}$`, 'm'));
  if (text === undefined) throw new Error(`Neither README.md nor the guide has a section ${title}`);
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

/** The text of a file that a block of the section writes with `cat > …/name <<'END'`. */
export function fileOf(title: string, name: string): string {
  const written = new RegExp(`^cat > \\S*/${name} <<'(\\w+)'\\n([\\s\\S]*?)^\\1$`, 'm').exec(section(title));
  if (!written) throw new Error(`${title} writes no ${name}`);
  return written[2]!;
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
