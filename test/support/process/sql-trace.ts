import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../paths.ts';

/** The environment of a program whose statements go to `file`. */
export const tracing = (file: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${join(ROOT, 'test/support/process/sql-trace.mjs')}`,
  SQL_TRACE: file,
});

/** The statements so far, with their values. What FTS5 does inside of one is left out. */
export const traced = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map(line => (JSON.parse(line) as string).replace(/\s+/g, ' ').trim())
        .filter(text => !text.startsWith('--') && !text.includes("'enclave_search_"))
    : [];

/** Without values, and no longer than a line. */
export const named = (text: string): string =>
  text
    .replace(/'(?:[^']|'')*'/g, '?')
    .replace(/\b\d+(\.\d+)?\b/g, '?')
    .slice(0, 110);
