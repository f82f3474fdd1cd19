import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

export interface Outcome {
  /** Of a test. */
  name: string;
  passed: boolean;
}

const CHAPTER = join(ROOT, 'src/guide/chapters/ledgers.md');

const HEADER = '| Node | Version | Run on | Passed | Limits of the node |';

/** Writes the row of this node into the guide: what was run, with which version, when, and what the node cannot do. */
export async function noteOutcomes(
  node: string,
  version: string,
  outcomes: readonly Outcome[],
  limits: readonly string[],
): Promise<void> {
  const failed = outcomes.filter(({ passed }) => !passed).map(({ name }) => name);
  const result = failed.length === 0 ? `all ${outcomes.length} tests` : `failed: ${failed.join('; ')}`;
  const day = new Date().toISOString().slice(0, 10);
  const row = `| ${node} | ${version.replaceAll('|', ' ')} | ${day} | ${result} | ${limits.join('; ') || 'none'} |`;
  const text = await readFile(CHAPTER, 'utf8');
  const lines = text.split('\n');
  const at = lines.findIndex(line => line.startsWith(`| ${node} |`));
  const end = lines.indexOf(HEADER) + 2;
  if (end < 2) throw new Error(`${CHAPTER} has no table of nodes`);
  if (at >= 0) lines[at] = row;
  else lines.splice(end, 0, row);
  await writeFile(CHAPTER, lines.join('\n'));
}
